// SVE and SVE2 intrinsics (AArch64 only).
#if defined(__ARM_FEATURE_SVE)
#include <arm_sve.h>
#include <stddef.h>
#include <stdint.h>
void daxpy(int64_t n, double a, const double *x, double *y) { for (int64_t i = 0; i < n; i += (int64_t)svcntd()) { svbool_t p = svwhilelt_b64(i, n); svst1(p, y + i, svmla_x(p, svld1(p, y + i), svld1(p, x + i), a)); } }
double dot(int64_t n, const double *a, const double *b) { svfloat64_t s = svdup_f64(0); for (int64_t i = 0; i < n; i += (int64_t)svcntd()) { svbool_t p = svwhilelt_b64(i, n); s = svmla_m(p, s, svld1(p, a + i), svld1(p, b + i)); } return svaddv(svptrue_b64(), s); }
void spmv(int n, const int *ptr, const int64_t *col, const double *v, const double *x, double *y) { for (int i = 0; i < n; i++) { svfloat64_t s = svdup_f64(0); for (int64_t k = ptr[i]; k < ptr[i + 1]; k += (int64_t)svcntd()) { svbool_t p = svwhilelt_b64(k, (int64_t)ptr[i + 1]); s = svmla_m(p, s, svld1(p, v + k), svld1_gather_index(p, x, svld1(p, col + k))); } y[i] = svaddv(svptrue_b64(), s); } }
size_t length(const char *s) { size_t i = 0; for (;;) { svsetffr(); svuint8_t v = svldff1(svptrue_b8(), (const uint8_t *)s + i); svbool_t f = svrdffr(), z = svcmpeq(f, v, 0); if (svptest_any(f, z)) return i + svcntp_b8(f, svbrkb_z(f, z)); i += svcntp_b8(svptrue_b8(), f); } }
void filter(int64_t n, const int32_t *a, int32_t *o) { for (int64_t i = 0; i < n; i += (int64_t)svcntw()) { svbool_t p = svwhilelt_b32(i, n); svint32_t v = svld1(p, a + i); svbool_t m = svcmpgt(p, v, 7); svst1(svptrue_b32(), o, svcompact(m, v)); o += svcntp_b32(p, m); } }
void cmul(int64_t n, const float *a, const float *b, float *c) { for (int64_t i = 0; i < n; i += 2 * (int64_t)svcntw()) { svbool_t p = svwhilelt_b32(i / 2, n); svfloat32x2_t x = svld2(p, a + i), y = svld2(p, b + i); svfloat32_t r = svmls_x(p, svmul_x(p, svget2(x, 0), svget2(y, 0)), svget2(x, 1), svget2(y, 1)), m = svmla_x(p, svmul_x(p, svget2(x, 0), svget2(y, 1)), svget2(x, 1), svget2(y, 0)); svst2(p, c + i, svcreate2(r, m)); } }
svint32_t ints(svbool_t p, svint32_t a, svint32_t b) { a = svadd_m(p, a, b); a = svmad_x(p, a, b, a); a = svasr_x(p, a, svreinterpret_u32(b)); a = svlsl_x(p, a, 3); a = svmax_x(p, a, 5); a = svsel(p, a, b); a = svzip1(a, b); a = svuzp2(a, b); a = svrev(a); a = svext(a, b, 3); a = svtbl(a, svreinterpret_u32(b)); a = svdiv_x(p, a, b); a = svabd_z(p, a, b); a = sveor_x(p, a, 255); a = svbic_x(p, a, b); a = svinsr(a, 7); a = svsplice(p, a, b); return svadd_x(p, a, svindex_s32(0, 2)); }
svfloat64_t flts(svbool_t p, svfloat64_t a, svfloat64_t b) { a = svnmla_x(p, a, b, a); a = svsqrt_x(p, a); a = svdiv_x(p, a, b); a = svrintn_x(p, a); a = svscale_x(p, a, svcvt_s64_x(p, b)); a = svneg_m(a, p, b); a = svabs_x(p, a); a = svmaxnm_x(p, a, b); a = svrecpe(a); a = svcadd_x(p, a, b, 90); a = svcmla_x(p, a, b, a, 270); a = svtmad(a, b, 3); a = svexpa(svreinterpret_u64(a)); return a; }
uint64_t counts(svbool_t p, svbool_t q, uint64_t n) { n = svqincd(n, 2); n += svcntb() + svcnth_pat(SV_VL8); p = svand_z(p, p, q); p = svorr_z(q, p, q); p = svbrka_z(q, p); p = svpnext_b32(q, p); return n + svcntp_b16(q, p) + svptest_first(p, q); }
void widths(svbool_t p, const int8_t *a, int64_t *o, uint16_t *h) { svst1(p, o, svld1sb_s64(p, a)); svst1h(p, h, svld1ub_u32(p, (const uint8_t *)a)); svprfd(p, o, SV_PLDL1KEEP); svstnt1(p, o + 8, svldnt1(p, o)); svst1_scatter_offset(p, o, svld1_u64(p, (const uint64_t *)o), svld1(p, o + 16)); }
#if defined(__ARM_FEATURE_SVE2)
svint16_t sve2(svint8_t a, svint8_t b, svint16_t c) { c = svmlalb(c, a, b); c = svaba(c, c, svdup_s16(1)); c = svqrdmulh(c, c); c = svaddlt(a, b); c = svsra(c, c, 3); return svreinterpret_s16(svbsl(a, b, a)); }
svuint8_t match(svbool_t p, svuint8_t a, svuint8_t b) { return svdup_u8_z(svmatch(p, a, b), 1); }
svuint64_t hist(svbool_t p, svuint64_t a, svuint64_t b) { return svhistcnt_z(p, a, b); }
#endif
#endif
