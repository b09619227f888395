package profile_test

import (
	"encoding/json"
	"testing"

	"incore/internal/base/long"
	"incore/internal/program/cachesim"
	"incore/internal/roofline/profile"
)

// crossing reaches lines in turn and again, some accesses two of them at a time, loads, stores and updates, copies by one instruction, in more than the caches hold.
const crossing = `#include <string.h>
static struct { char c; double d[5]; } __attribute__((packed)) s[3000];
static double x[4000], y[4000];
static char a[20000], b[20000];
__attribute__((noinline)) static void walk(int n, int step) { for (int i = 0; i < n; i += step) { s[i].d[i % 5] += x[i] * 0.5; s[i].c++; } }
__attribute__((noinline)) static double back(int n) { double t = 0; for (int i = n; i-- > 0;) { t += y[i] * x[(i * 37) % n]; if (i % 3) y[i] = t; } return t; }
__attribute__((noinline)) static void copy(void *to, const void *from, long n) { asm volatile("rep movsb" : "+D"(to), "+S"(from), "+c"(n) : : "memory"); }
static char wide[12 * 4096 + 512];
/* few sets have more lines than ways, which are used in any order, some two at a time */
__attribute__((noinline)) static long among(int n) {
	unsigned r = 1; long t = 0;
	for (int i = 0; i < n; i++) {
		r = r * 1664525 + 1013904223;
		char *p = wide + (r >> 20) % 12 * 4096 + (r >> 10) % 4 * 64 + (r >> 30 ? 0 : 60);
		if (r & 512) t += *(volatile long *)p; else *(volatile long *)p = i;
	}
	return t;
}
int main(void) {
	double t = among(30000);
	for (int k = 1; k < 6; k++) {
		walk(3000, k);
		t += back(4000 / k);
		copy(a + k, b, 19000);
		memset(b, k, sizeof b);
	}
	return t > 1e300;
}`

// TestFilter: what a program leaves out of its record, as it cannot change the caches, changes nothing of the profile: bytes and lines per level are those that all addresses give.
func TestFilter(t *testing.T) {
	native(t)
	for _, flags := range long.Some([][]string{{"-O3", "-mavx2"}, {}}, 1) {
		exe := compile(t, crossing, "gcc", flags...)
		for name, caches := range map[string][]cachesim.Level{
			"32 KiB of 8 ways": {{Name: "L1", Size: 32 << 10, Line: 64, Ways: 8}, {Name: "L2", Size: 128 << 10, Line: 64, Ways: 8}},
			"two ways":         {{Name: "L1", Size: 8 << 10, Line: 64, Ways: 2}, {Name: "L2", Size: 128 << 10, Line: 64, Ways: 20}},
			"direct":           {{Name: "L1", Size: 4 << 10, Line: 64, Ways: 1}, {Name: "L2", Size: 64 << 10, Line: 64, Ways: 8}},
			"one set":          {{Name: "L1", Size: 512, Line: 64, Ways: 8}, {Name: "L2", Size: 4 << 10, Line: 64, Ways: 4}},
			"48 KiB of 12":     {{Name: "L1", Size: 48 << 10, Line: 64, Ways: 12}, {Name: "L2", Size: 512 << 10, Line: 64, Ways: 8, Spill: true}},
			"48 sets":          {{Name: "L1", Size: 24 << 10, Line: 64, Ways: 8}, {Name: "L2", Size: 120 << 10, Line: 64, Ways: 8}},
			"lines of 128":     {{Name: "L1", Size: 16 << 10, Line: 128, Ways: 4}, {Name: "L2", Size: 64 << 10, Line: 128, Ways: 4}},
		} {
			o := profile.Options{Args: []string{exe}, Caches: caches}
			filtered, all := run(t, o), run(t, o.Unfiltered())
			x, err := json.Marshal(filtered)
			if err != nil {
				t.Fatal(err)
			}
			y, err := json.Marshal(all)
			if err != nil {
				t.Fatal(err)
			}
			if string(x) != string(y) {
				t.Errorf("%s, %v:\n%s\n%s", name, flags, x, y)
			}
			if len(all.Bytes) < 2 || all.Instructions < 100_000 {
				t.Errorf("%s: %v bytes by level, %v instructions", name, all.Bytes, all.Instructions)
			}
		}
	}
}
