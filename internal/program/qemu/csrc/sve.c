/* ---- SVE's loads and stores ----
 * QEMU before 8.1 does not report most of them: its helpers go to memory by themselves. They are decoded here (Arm ARM,
 * C4.1, "SVE encodings"), and their addresses computed from the registers, which QEMU's plugin interface 1 does not
 * give; but Debian's qemu-aarch64 exports the functions by which its debugger stub reads them. Vector and predicate registers
 * always are in the CPU's state; general ones are written back before a helper is called, so that they are right between
 * such an instruction and the next. Where these functions are missing, the accesses are counted as not seen. */
typedef struct { uint8_t *data; unsigned len; } bytes; /* GLib's GByteArray */
#define WEAK __attribute__((weak))
extern bytes *g_byte_array_sized_new(unsigned) WEAK;
extern bytes *g_byte_array_set_size(bytes *, unsigned) WEAK;
extern void *qemu_get_cpu(int) WEAK;
extern int aarch64_cpu_gdb_read_register(void *cpu, bytes *, int) WEAK;
extern int arm_gdb_get_svereg(void *env, bytes *, int) WEAK;

enum sve_kind {
	SVE_NONE,     /* not of SVE or SME, or a prefetch */
	SVE_REPORTED, /* by all versions of QEMU: whole registers, LD1R */
	SVE_HIDDEN,
	SVE_UNKNOWN, /* hidden, and not decoded: SME's tiles */
};
struct sve {
	bool store, faulting; /* faulting: what is loaded is in the FFR */
	uint8_t msz, esz;     /* log2 of bytes in memory and in the register, of an element */
	uint8_t regs;         /* of a structure, in memory next to each other */
	uint8_t segment;      /* of LD1RQ, LD1RO: bytes of which the elements are loaded; 0: the whole vector */
	uint8_t pg, rn, rm;   /* rm: vector with an element for each address, or general register */
	enum { BY_VL, BY_REG, GATHER, GATHER_VECTOR } mode; /* rn + imm × vector, rn + rm, rn + vector rm, vector rn + imm or + rm */
	enum { OFF64, UXTW, SXTW } offset; /* how a gather's element extends */
	bool scaled, wide;                 /* GATHER: by the element's size; GATHER_VECTOR: wide: plus a general register */
	int imm;
};

static enum sve_kind decode_gather(uint32_t w, struct sve *a, unsigned esz)
{
	unsigned msz = w >> 23 & 3, b2221 = w >> 21 & 3, b1513 = w >> 13 & 7, xs = w >> 22 & 1;
	a->esz = esz, a->msz = msz, a->faulting = b1513 & 1, a->mode = GATHER;
	if (b1513 & 4) {
		switch (b2221) {
		case 0:
			if (b1513 == 7 || (esz == 2 && b1513 == 6)) return SVE_NONE; /* PRF */
			a->mode = GATHER_VECTOR, a->wide = true, a->faulting = false; /* LDNT1 */
			return SVE_HIDDEN;
		case 1:
			a->mode = GATHER_VECTOR, a->imm = (int)a->rm << msz;
			return SVE_HIDDEN;
		}
		if (esz == 2) return SVE_REPORTED; /* LD1R */
		if (b2221 == 3 && !msz) return SVE_NONE; /* PRF */
		a->scaled = b2221 & 1;
		return SVE_HIDDEN;
	}
	a->offset = xs ? SXTW : UXTW, a->scaled = b2221 & 1;
	if (esz == 2 && msz == 3) return SVE_REPORTED; /* LDR; PRF with an immediate does not count much */
	if (a->scaled && !msz) return SVE_NONE;        /* PRF */
	return SVE_HIDDEN;
}
static enum sve_kind decode_load(uint32_t w, struct sve *a)
{
	static const uint8_t mem[16] = {0, 0, 0, 0, 2, 1, 1, 1, 1, 1, 2, 2, 0, 0, 0, 3}, reg[16] = {0, 1, 2, 3, 3, 1, 2, 3, 3, 2, 2, 3, 3, 2, 1, 3};
	unsigned type = w >> 21 & 15, msz = w >> 23 & 3, n = w >> 21 & 3, form = w >> 13 & 7;
	bool b20 = w >> 20 & 1;
	a->msz = a->esz = msz;
	switch (form) {
	case 0: case 1: /* LD1RQ, LD1RO */
		if (n > 1) return SVE_UNKNOWN;
		a->segment = 16 << n;
		if (form == 0) a->mode = BY_REG;
		return SVE_HIDDEN;
	case 3: a->faulting = true; /* fall through */ /* LDFF1 */
	case 2: a->mode = BY_REG, a->msz = mem[type], a->esz = reg[type]; return SVE_HIDDEN;
	case 5: a->faulting = b20, a->msz = mem[type], a->esz = reg[type]; return SVE_HIDDEN; /* LDNF1 if b20 */
	case 6: a->mode = BY_REG, a->regs = n + 1; return SVE_HIDDEN;
	case 7: a->regs = n + 1; return b20 ? SVE_UNKNOWN : SVE_HIDDEN;
	}
	return SVE_UNKNOWN;
}
static enum sve_kind decode_store(uint32_t w, struct sve *a)
{
	unsigned msz = w >> 23 & 3, n = w >> 21 & 3, form = w >> 13 & 7;
	a->store = true, a->msz = a->esz = msz;
	switch (form) {
	case 0: return SVE_REPORTED; /* STR of a predicate */
	case 1:
		a->mode = GATHER_VECTOR, a->wide = true, a->esz = n == 0 ? 3 : 2; /* STNT1 */
		return n == 0 || n == 2 ? SVE_HIDDEN : SVE_UNKNOWN;
	case 2:
		a->mode = BY_REG, a->esz = n;
		return n >= msz ? SVE_HIDDEN : SVE_REPORTED; /* else STR */
	case 3: a->mode = BY_REG, a->regs = n + 1; return SVE_HIDDEN;
	case 7:
		if (w >> 20 & 1) a->regs = n + 1;
		else a->esz = n;
		return a->esz >= msz ? SVE_HIDDEN : SVE_UNKNOWN;
	case 5:
		a->esz = n == 3 ? 2 : 3, a->mode = GATHER, a->scaled = n == 1;
		if (n > 1) a->mode = GATHER_VECTOR, a->imm = (int)a->rm << msz;
		return SVE_HIDDEN;
	}
	a->mode = GATHER, a->offset = form == 6 ? SXTW : UXTW, a->esz = n < 2 ? 3 : 2, a->scaled = n & 1;
	return SVE_HIDDEN;
}
static enum sve_kind sve_decode(uint32_t w, struct sve *a)
{
	*a = (struct sve){.regs = 1, .pg = w >> 10 & 7, .rn = w >> 5 & 31, .rm = w >> 16 & 31, .mode = BY_VL, .imm = (int32_t)(w << 12) >> 28};
	switch (w >> 25) {
	case 0x70: return w >> 24 == 0xe0 || w >> 24 == 0xe1 ? SVE_UNKNOWN : SVE_NONE;
	case 0x42: return decode_gather(w, a, 2);
	case 0x52: return decode_load(w, a);
	case 0x62: return decode_gather(w, a, 3);
	case 0x72: return decode_store(w, a);
	}
	return SVE_NONE;
}

/* What the debugger stub numbers the registers. */
enum { REG_Z = 0, REG_P = 34, REG_FFR = 50, REG_VG = 51, STATE_X = 64 /* of X0 in the CPU's state, in bytes */ };
struct cpu { char *env; bytes *buf; unsigned vl; bool broken; };
static __thread struct cpu cpu_state;

static const uint8_t *sve_register(int number)
{
	g_byte_array_set_size(cpu_state.buf, 0);
	arm_gdb_get_svereg(cpu_state.env, cpu_state.buf, number);
	return cpu_state.buf->data;
}
/* sve_cpu finds the CPU's state: where the general registers are as the debugger stub reads them. */
static bool sve_cpu(unsigned number)
{
	struct cpu *c = &cpu_state;
	if (c->broken) return false;
	if (!c->env) {
		char *cs = 0;
		if (&g_byte_array_sized_new && &g_byte_array_set_size && &qemu_get_cpu && &aarch64_cpu_gdb_read_register && &arm_gdb_get_svereg) cs = qemu_get_cpu(number);
		if (!cs) return c->broken = true, false;
		c->buf = g_byte_array_sized_new(512);
		for (int r = 0; r < 32; r++) aarch64_cpu_gdb_read_register(cs, c->buf, r);
		for (char **p = (char **)cs; c->buf->len == 256 && !c->env && p < (char **)(cs + 8192); p++)
			if (*p > cs && *p < cs + 65536 && !memcmp(*p + STATE_X, c->buf->data, 256)) c->env = *p;
		if (!c->env) return c->broken = true, false;
	}
	if (!c->vl) {
		uint64_t vg;
		memcpy(&vg, sve_register(REG_VG), 8);
		c->vl = vg * 8;
		sve_register(REG_Z);
		if (vg < 2 || vg > 32 || c->buf->len < c->vl) return c->broken = true, false;
	}
	return true;
}
static uint64_t sve_general(unsigned r, bool sp)
{
	uint64_t x;
	if (r == 31 && !sp) return 0;
	memcpy(&x, cpu_state.env + STATE_X + 8 * r, 8);
	return x;
}

/* sve_run is a range of memory that an instruction accesses. */
typedef void (*sve_run)(void *, uint64_t address, uint64_t bytes);

/* sve_accesses calls back for the ranges that an instruction accesses. The registers must be those after it; vector has the
 * elements of the addresses, from before it. */
static void sve_accesses(const struct sve *a, const uint8_t *vector, sve_run run, void *u)
{
	unsigned bytes = a->segment ? a->segment : cpu_state.vl, n = bytes >> a->esz, size = a->regs << a->msz;
	uint8_t active[32], ffr[32];
	if (bytes > cpu_state.vl) return;
	memcpy(active, sve_register(REG_P + a->pg), cpu_state.vl / 8);
	if (a->faulting) {
		memcpy(ffr, sve_register(REG_FFR), cpu_state.vl / 8);
		for (unsigned i = 0; i < cpu_state.vl / 8; i++) active[i] &= ffr[i];
	}
	uint64_t base = 0, from = 0, until = 0;
	if (a->mode == BY_VL) base = sve_general(a->rn, true) + (int64_t)a->imm * (a->segment ? a->segment : n * size);
	else if (a->mode == BY_REG) base = sve_general(a->rn, true) + (sve_general(a->rm, false) << a->msz);
	else if (a->mode == GATHER) base = sve_general(a->rn, true);
	else base = a->wide ? sve_general(a->rm, false) : (uint64_t)a->imm;
	for (unsigned i = 0; i < n; i++) {
		unsigned bit = i << a->esz;
		if (!(active[bit >> 3] >> (bit & 7) & 1)) continue;
		uint64_t at = base + (uint64_t)i * size, x = 0;
		if (a->mode >= GATHER) {
			memcpy(&x, vector + bit, 1 << a->esz);
			if (a->offset == UXTW) x = (uint32_t)x;
			if (a->offset == SXTW) x = (int64_t)(int32_t)x;
			at = base + (a->scaled ? x << a->msz : x);
		}
		if (at != until || until == from) {
			if (until != from) run(u, from, until - from);
			from = at;
		}
		until = at + size;
	}
	if (until != from) run(u, from, until - from);
}
