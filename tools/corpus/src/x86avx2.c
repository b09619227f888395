// AVX, AVX2, FMA, F16C and bit-manipulation intrinsics (x86 only).
#if defined(__AVX2__) && defined(__FMA__)
#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>
double dot(const double *a, const double *b, size_t n) { __m256d s = _mm256_setzero_pd(), t = s; for (size_t i = 0; i < n; i += 8) { s = _mm256_fmadd_pd(_mm256_loadu_pd(a + i), _mm256_loadu_pd(b + i), s); t = _mm256_fmadd_pd(_mm256_loadu_pd(a + i + 4), _mm256_load_pd(b + i + 4), t); } s = _mm256_add_pd(s, t); __m128d l = _mm_add_pd(_mm256_castpd256_pd128(s), _mm256_extractf128_pd(s, 1)); return _mm_cvtsd_f64(_mm_hadd_pd(l, l)); }
void gemm6x8(size_t k, const float *a, const float *b, float *c, size_t ldc) { __m256 s[6]; for (int i = 0; i < 6; i++) s[i] = _mm256_loadu_ps(c + i * ldc); for (size_t p = 0; p < k; p++) { __m256 v = _mm256_loadu_ps(b + 8 * p); for (int i = 0; i < 6; i++) s[i] = _mm256_fmadd_ps(_mm256_broadcast_ss(a + 6 * p + i), v, s[i]); } for (int i = 0; i < 6; i++) _mm256_storeu_ps(c + i * ldc, s[i]); }
void fmas(__m256d *p, __m256 *q) { p[0] = _mm256_fnmadd_pd(p[1], p[2], p[3]); p[4] = _mm256_fmsub_pd(p[5], p[6], p[7]); p[8] = _mm256_fnmsub_pd(p[1], p[2], p[3]); p[9] = _mm256_fmaddsub_pd(p[1], p[2], p[3]); q[0] = _mm256_fmsubadd_ps(q[1], q[2], q[3]); }
void ints(__m256i *p, const int *t) { __m256i a = p[0], b = p[1]; p[2] = _mm256_permutevar8x32_epi32(a, b); p[3] = _mm256_permute4x64_epi64(a, 0x1b); p[4] = _mm256_permute2x128_si256(a, b, 0x31); p[5] = _mm256_shuffle_epi8(a, b); p[6] = _mm256_sllv_epi32(a, b); p[7] = _mm256_srav_epi32(a, b); p[8] = _mm256_i32gather_epi32(t, a, 4); p[9] = _mm256_mask_i64gather_epi64(a, (const long long *)t, b, a, 8); p[10] = _mm256_maskload_epi32(t, b); _mm256_maskstore_epi64((long long *)(p + 11), a, b); p[12] = _mm256_blend_epi32(a, b, 0x5a); p[13] = _mm256_broadcastd_epi32(_mm256_castsi256_si128(a)); p[14] = _mm256_cvtepu8_epi32(_mm256_castsi256_si128(b)); p[15] = _mm256_inserti128_si256(a, _mm256_castsi256_si128(b), 1); p[16] = _mm256_unpackhi_epi16(a, b); p[17] = _mm256_madd_epi16(a, b); p[18] = _mm256_alignr_epi8(a, b, 3); p[19] = _mm256_abs_epi8(a); p[20] = _mm256_mulhrs_epi16(a, b); p[21] = _mm256_cmpgt_epi64(a, b); p[22] = _mm256_bslli_epi128(a, 3); p[23] = _mm256_mpsadbw_epu8(a, b, 9); p[24] = _mm256_stream_load_si256(p + 25); _mm256_stream_si256(p + 26, a); p[27] = _mm256_lddqu_si256(p + 28); }
void flts(__m256 *p, __m256d *d, const float *f) { p[0] = _mm256_permutevar_ps(p[1], _mm256_castps_si256(p[2])); p[3] = _mm256_permute_ps(p[4], 0x4e); p[5] = _mm256_dp_ps(p[1], p[2], 0xff); p[6] = _mm256_cmp_ps(p[1], p[2], _CMP_NEQ_OQ); p[7] = _mm256_blendv_ps(p[1], p[2], p[3]); p[8] = _mm256_round_ps(p[9], 3); p[10] = _mm256_rsqrt_ps(p[11]); p[12] = _mm256_cvtph_ps(_mm256_cvtps_ph(p[13], 4)); d[0] = _mm256_cvtps_pd(_mm_loadu_ps(f)); d[1] = _mm256_broadcast_pd((const __m128d *)f); d[2] = _mm256_i32gather_pd((const double *)f, _mm_setr_epi32(1, 3, 5, 7), 8); d[3] = _mm256_permute4x64_pd(d[4], 0xb1); d[5] = _mm256_cmp_pd(d[1], d[2], 17); d[6] = _mm256_hadd_pd(d[1], d[2]); d[7] = _mm256_sqrt_pd(d[8]); p[14] = _mm256_i32gather_ps(f, _mm256_castps_si256(p[15]), 4); d[9] = _mm256_addsub_pd(d[1], d[2]); p[16] = _mm256_insertf128_ps(p[1], _mm_loadu_ps(f), 0); d[10] = _mm256_maskload_pd((const double *)f, _mm256_castpd_si256(d[1])); _mm256_zeroupper(); }
int tests(__m256i a, __m256d b, __m256 c) { return _mm256_movemask_epi8(a) + _mm256_movemask_pd(b) + _mm256_movemask_ps(c) + _mm256_testz_si256(a, a) + _mm256_testc_pd(b, b) + _mm256_extract_epi32(a, 5); }
#if defined(__BMI2__)
uint64_t bmi(uint64_t a, uint64_t b, uint32_t c) { unsigned long long h; uint64_t r = _pext_u64(a, b) ^ _pdep_u64(b, a) ^ _bzhi_u64(a, c) ^ _blsr_u64(a) ^ _blsi_u64(b) ^ _blsmsk_u64(a) ^ _andn_u64(a, b) ^ _bextr_u64(a, 3, c) ^ _tzcnt_u64(a) ^ _lzcnt_u64(b); r ^= _mulx_u64(a, b, &h) ^ h; return r ^ _pext_u32(c, 85) ^ _blsr_u32(c) ^ _andn_u32(c, 3); }
#endif
#if defined(__ADX__)
unsigned char adx(unsigned long long *r, const unsigned long long *a, unsigned char c) { for (int i = 0; i < 4; i++) c = _addcarryx_u64(c, r[i], a[i], &r[i]); return _subborrow_u64(c, r[0], a[1], &r[2]); }
#endif
#if defined(__AES__) && defined(__PCLMUL__)
void aes(__m128i *p) { __m128i a = p[0], k = p[1]; p[2] = _mm_aesenc_si128(a, k); p[3] = _mm_aesenclast_si128(a, k); p[4] = _mm_aesdec_si128(a, k); p[5] = _mm_aesdeclast_si128(a, k); p[6] = _mm_aesimc_si128(a); p[7] = _mm_aeskeygenassist_si128(a, 1); p[8] = _mm_clmulepi64_si128(a, k, 0x11); }
#endif
#if defined(__SHA__)
void sha(__m128i *p) { p[0] = _mm_sha256rnds2_epu32(p[1], p[2], p[3]); p[4] = _mm_sha256msg1_epu32(p[5], p[6]); p[7] = _mm_sha256msg2_epu32(p[5], p[6]); p[8] = _mm_sha1rnds4_epu32(p[1], p[2], 2); p[9] = _mm_sha1nexte_epu32(p[1], p[2]); }
#endif
#endif
