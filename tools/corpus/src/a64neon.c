// Advanced SIMD intrinsics (AArch64 only).
#if defined(__aarch64__)
#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>
double dot(const double *a, const double *b, size_t n) { float64x2_t s = vdupq_n_f64(0), t = s; for (size_t i = 0; i < n; i += 4) { s = vfmaq_f64(s, vld1q_f64(a + i), vld1q_f64(b + i)); t = vfmaq_f64(t, vld1q_f64(a + i + 2), vld1q_f64(b + i + 2)); } return vaddvq_f64(vaddq_f64(s, t)); }
void gemm4(size_t k, const float *a, const float *b, float *c) { float32x4_t s0 = vld1q_f32(c), s1 = vld1q_f32(c + 4), s2 = vld1q_f32(c + 8), s3 = vld1q_f32(c + 12); for (size_t p = 0; p < k; p++) { float32x4_t x = vld1q_f32(a + 4 * p), y = vld1q_f32(b + 4 * p); s0 = vfmaq_laneq_f32(s0, y, x, 0); s1 = vfmaq_laneq_f32(s1, y, x, 1); s2 = vfmaq_laneq_f32(s2, y, x, 2); s3 = vfmaq_laneq_f32(s3, y, x, 3); } vst1q_f32(c, s0); vst1q_f32(c + 4, s1); vst1q_f32(c + 8, s2); vst1q_f32(c + 12, s3); }
void rgb(const uint8_t *p, uint8_t *g, size_t n) { for (size_t i = 0; i < n; i += 8) { uint8x8x3_t v = vld3_u8(p + 3 * i); uint16x8_t s = vmull_u8(v.val[0], vdup_n_u8(77)); s = vmlal_u8(s, v.val[1], vdup_n_u8(150)); s = vmlal_u8(s, v.val[2], vdup_n_u8(29)); vst1_u8(g + i, vshrn_n_u16(s, 8)); } }
void lanes(float *p) { float32x4x4_t v = vld4q_f32(p); vst4q_f32(p + 16, v); float32x4x2_t w = vld2q_f32(p); vst2q_f32(p + 32, w); v.val[0] = vld1q_lane_f32(p, v.val[0], 2); vst1q_lane_f32(p + 40, v.val[0], 3); float32x2x3_t d = vld3_dup_f32(p); vst3_f32(p + 48, d); vst1q_f32_x2(p + 56, w); }
void ints(int8x16_t *b, int16x8_t *h, int32x4_t *s, int64x2_t *l) { b[0] = vqaddq_s8(b[1], b[2]); b[3] = vabdq_s8(b[1], b[2]); b[4] = vqtbl1q_s8(b[1], vreinterpretq_u8_s8(b[2])); b[5] = vextq_s8(b[1], b[2], 5); b[6] = vrev64q_s8(b[1]); b[7] = vcntq_s8(b[1]); b[8] = vzip1q_s8(b[1], b[2]); b[9] = vuzp2q_s8(b[1], b[2]); b[10] = vtrn1q_s8(b[1], b[2]); b[11] = vsliq_n_s8(b[1], b[2], 3); h[0] = vqdmulhq_s16(h[1], h[2]); h[3] = vmlaq_laneq_s16(h[1], h[2], h[3], 5); h[4] = vpaddq_s16(h[1], h[2]); h[5] = vshll_n_s8(vget_low_s8(b[1]), 4); h[6] = vmovl_high_s8(b[1]); h[7] = vrshrq_n_s16(h[1], 3); h[8] = vqshlq_s16(h[1], h[2]); s[0] = vmull_s16(vget_low_s16(h[1]), vget_low_s16(h[2])); s[1] = vmlal_high_s16(s[2], h[1], h[2]); s[3] = vpadalq_s16(s[1], h[1]); s[4] = vqdmull_s16(vget_low_s16(h[1]), vget_low_s16(h[2])); s[5] = vaddw_s16(s[1], vget_low_s16(h[3])); s[6] = vcombine_s32(vqmovn_s64(l[1]), vmovn_s64(l[2])); l[0] = vpaddlq_s32(s[1]); l[3] = vsraq_n_s64(l[1], l[2], 5); l[4] = vshlq_s64(l[1], l[2]); s[7] = vbslq_s32(vcgtq_s32(s[1], s[2]), s[3], s[4]); s[8] = vmvnq_s32(s[1]); s[9] = vclzq_s32(s[1]); s[10] = vmaxq_s32(s[1], s[2]); h[9] = vqrdmulhq_n_s16(h[1], 7); b[12] = vrshrn_high_n_s16(vget_low_s8(b[1]), h[1], 2); }
int reds(uint8x16_t a, int32x4_t b, float32x4_t c) { return vaddvq_u8(a) + vmaxvq_u8(a) + vminvq_s32(b) + (int)vaddvq_f32(c) + (int)vmaxnmvq_f32(c) + vaddlvq_u8(a) + vgetq_lane_s32(b, 2); }
void flts(float32x4_t *f, float64x2_t *d) { f[0] = vrecpeq_f32(f[1]); f[2] = vrecpsq_f32(f[1], f[2]); f[3] = vrsqrteq_f32(f[1]); f[4] = vrsqrtsq_f32(f[1], f[2]); f[5] = vabdq_f32(f[1], f[2]); f[6] = vmaxnmq_f32(f[1], f[2]); f[7] = vrndmq_f32(f[1]); f[8] = vcvtq_f32_s32(vcvtaq_s32_f32(f[2])); f[9] = vcvtq_n_f32_s32(vcvtq_n_s32_f32(f[3], 8), 4); f[10] = vpaddq_f32(f[1], f[2]); f[11] = vmulxq_f32(f[1], f[2]); d[0] = vcvt_f64_f32(vget_low_f32(f[1])); d[1] = vcvt_high_f64_f32(f[1]); d[2] = vsqrtq_f64(d[3]); d[4] = vnegq_f64(vabsq_f64(d[5])); d[6] = vfmsq_f64(d[1], d[2], d[3]); d[7] = vreinterpretq_f64_u64(vcageq_f64(d[1], d[2])); d[8] = vzip2q_f64(d[1], d[2]); f[12] = vmulq_n_f32(f[1], 0.3f); d[9] = vdupq_laneq_f64(d[1], 1); f[13] = vreinterpretq_f32_u32(vcltzq_f32(f[1])); f[14] = vcvtxd_f32_f64(vgetq_lane_f64(d[1], 0)) + f[1]; }
size_t find(const uint8_t *p, uint8_t c) { for (size_t i = 0;; i += 16) { uint8x16_t m = vceqq_u8(vld1q_u8(p + i), vdupq_n_u8(c)); uint64_t w = vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(m), 4)), 0); if (w) return i + (size_t)__builtin_ctzll(w) / 4; } }
#if defined(__ARM_FEATURE_DOTPROD)
int32x4_t dots(int32x4_t a, int8x16_t b, int8x16_t c) { return vdotq_laneq_s32(vdotq_s32(a, b, c), b, c, 1); }
#endif
#if defined(__ARM_FEATURE_CRYPTO) || defined(__ARM_FEATURE_AES)
uint8x16_t aes(uint8x16_t a, uint8x16_t k) { return vaesimcq_u8(vaesdq_u8(vaesmcq_u8(vaeseq_u8(a, k)), k)); }
poly128_t pmul(poly64_t a, poly64_t b) { return vmull_p64(a, b); }
#endif
#if defined(__ARM_FEATURE_FP16_VECTOR_ARITHMETIC)
void half(float16x8_t *p) { p[0] = vfmaq_f16(p[1], p[2], p[3]); p[4] = vmaxnmq_f16(p[1], p[2]); p[5] = vsqrtq_f16(p[6]); p[7] = vcvtq_f16_s16(vcvtq_s16_f16(p[8])); p[9] = vrndq_f16(p[10]); p[11] = vcombine_f16(vcvt_f16_f32(vcvt_f32_f16(vget_low_f16(p[1]))), vget_high_f16(p[2])); }
#endif
#if defined(__ARM_FEATURE_CRC32)
#include <arm_acle.h>
uint32_t crc(uint32_t c, const uint64_t *p, size_t n) { while (n--) c = __crc32d(c, *p++); return __crc32cb(c, 3); }
#endif
#endif
