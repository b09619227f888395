// Loops and library code in Rust.
#![crate_type = "lib"]
use std::collections::HashMap;
#[no_mangle] pub fn triad(a: &mut [f64], b: &[f64], c: &[f64], s: f64) { for ((x, y), z) in a.iter_mut().zip(b).zip(c) { *x = y + s * z; } }
#[no_mangle] pub fn dot(a: &[f32], b: &[f32]) -> f32 { a.iter().zip(b).map(|(x, y)| x * y).sum() }
#[no_mangle] pub fn stencil(a: &[f64], b: &mut [f64], n: usize) { for i in 1..n - 1 { for j in 1..n - 1 { b[i * n + j] = 0.25 * (a[(i - 1) * n + j] + a[(i + 1) * n + j] + a[i * n + j - 1] + a[i * n + j + 1]); } } }
#[no_mangle] pub fn words(s: &str) -> HashMap<&str, usize> { let mut m = HashMap::new(); for w in s.split_whitespace() { *m.entry(w).or_insert(0) += 1; } m }
#[no_mangle] pub fn sorted(mut v: Vec<u64>) -> Vec<u64> { v.sort_unstable(); v.dedup(); v }
#[no_mangle] pub fn popcounts(v: &[u64]) -> u32 { v.iter().map(|x| x.count_ones() + x.leading_zeros()).sum() }
#[no_mangle] pub fn saturate(a: &mut [u8], b: &[u8]) { for (x, y) in a.iter_mut().zip(b) { *x = x.saturating_add(*y).rotate_left(3); } }
#[no_mangle] pub fn checked(a: &[i32]) -> Option<i32> { a.iter().try_fold(0i32, |s, x| s.checked_add(*x)) }
#[no_mangle] pub fn collatz(mut x: u64) -> u32 { let mut k = 0; while x != 1 { x = if x % 2 == 0 { x / 2 } else { 3 * x + 1 }; k += 1; } k }
#[no_mangle] pub fn parse(s: &str) -> Result<Vec<f64>, std::num::ParseFloatError> { s.split(',').map(|t| t.trim().parse()).collect() }
pub trait Shape { fn area(&self) -> f64; }
#[no_mangle] pub fn total(v: &[Box<dyn Shape>]) -> f64 { v.iter().map(|s| s.area()).sum() }
#[no_mangle] pub fn format(k: i64, x: f64) -> String { format!("{k:>8} = {x:.3e}") }
#[no_mangle] pub fn i128s(a: i128, b: i128) -> i128 { a.wrapping_mul(b) / (b | 1) }
