/* profile counts each instruction that is executed, and writes the addresses that it accesses to a pipe.
 *
 * Results are in a file that incore maps, too: a header, and a record of each instruction. Instructions are counted by blocks as QEMU translates them. */
struct record {
	uint64_t pc, count, lanes, unseen; /* lanes: elements in all, where lanes were counted */
	uint8_t size, counted, sew, spare[5], bytes[16];
	uint64_t pad;
};
struct header { uint64_t magic, records, bias, threads, forks, vector, full, arena; };
enum { MAXRECORDS = 1 << 19, ARENA = 1 << 26, MAXEVENTS = 1 << 15, MAGIC = 0x464f5250 };
struct event { uint64_t addr; uint32_t record; uint16_t bytes; uint8_t store, active; };

static struct header *hdr;
static struct record *records;
static uint32_t index_[2 * MAXRECORDS]; /* by hash of the address */
static struct event events[MAXEVENTS];
static size_t nevents;
static int out = -1;
static bool aarch64, riscv, rvv, child, located;
static uint64_t entry, bias; /* of the function that counts */
static bool active = true;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static __thread bool first; /* the first thread */

static void flush_events(void)
{
	const char *p = (const char *)events;
	size_t n = nevents * sizeof *events;
	while (n && out >= 0 && !child) {
		ssize_t k = write(out, p, n);
		if (k <= 0) break;
		p += k, n -= k;
	}
	nevents = 0;
}
static void note_access(uint32_t record, uint64_t addr, uint64_t bytes, bool store)
{
	if (child || out < 0) return;
	events[nevents++] = (struct event){addr, record, bytes, store, active};
	if (nevents == MAXEVENTS) flush_events();
}

/* ---- SVE's hidden accesses ---- */
struct hidden { uint32_t record; struct sve sve; };
static __thread struct hidden *pending;
static __thread bool pending_reported;
static __thread uint8_t pending_vector[256];
static uint64_t resumes[64];
static void hidden_run(void *u, uint64_t a, uint64_t n) { note_access(((struct hidden *)u)->record, a, n, ((struct hidden *)u)->sve.store); }
static void on_hidden(unsigned cpu, void *u)
{
	struct hidden *h = u;
	if (child || !first) return;
	pending = h, pending_reported = false;
	if (h->sve.mode >= GATHER && sve_cpu(cpu)) memcpy(pending_vector, sve_register(REG_Z + (h->sve.mode == GATHER ? h->sve.rm : h->sve.rn)), cpu_state.vl);
}
static void on_after(unsigned cpu, void *u)
{
	struct hidden *h = pending;
	(void)u;
	if (!h) return;
	pending = 0;
	if (pending_reported) return;
	if (!sve_cpu(cpu)) {
		records[h->record].unseen++;
		return;
	}
	hdr->vector = cpu_state.vl * 8;
	sve_accesses(&h->sve, pending_vector, hidden_run, h);
}
static bool resumed(uint64_t pc) { return !(pc & 4095) || resumes[hash(pc) % 64] == pc; }

/* ---- elements that are active ---- */
static void on_sve_float(unsigned cpu, void *u)
{
	struct record *r = u;
	uint32_t w;
	if (child || !first || !active) return;
	if (!sve_cpu(cpu)) {
		r->unseen++;
		return;
	}
	memcpy(&w, r->bytes, 4);
	hdr->vector = cpu_state.vl * 8;
	unsigned step = 1u << (w >> 22 & 3), vl = cpu_state.vl;
	const uint8_t *p = sve_register(REG_P + (w >> 10 & 7));
	for (unsigned i = 0; i < vl; i += step) r->lanes += p[i >> 3] >> (i & 7) & 1;
}
static void on_sve_length(unsigned cpu, void *u)
{
	(void)u;
	if (!hdr->vector && !child && sve_cpu(cpu)) hdr->vector = cpu_state.vl * 8;
}
/* Where the state of QEMU 7.2's RISC-V CPU has what vectors need, behind its 32 general registers twice and the floating-point ones. */
enum { RV_VREG = 768, RV_VL = 4880, RV_VTYPE = 4896 };
extern int riscv_cpu_gdb_read_register(void *cpu, bytes *, int) WEAK;
static char *rv_env(unsigned number)
{
	static char *env;
	static bool broken;
	if (env || broken) return env;
	char *cs = 0;
	if (&g_byte_array_sized_new && &qemu_get_cpu && &riscv_cpu_gdb_read_register) cs = qemu_get_cpu(number);
	broken = true;
	if (!cs) return 0;
	bytes *b = g_byte_array_sized_new(512);
	for (int r = 0; r < 32; r++) riscv_cpu_gdb_read_register(cs, b, r);
	for (char **p = (char **)cs; b->len == 256 && p < (char **)(cs + 8192); p++)
		if (*p > cs && *p < cs + 65536 && !memcmp(*p, b->data, 256)) return env = *p;
	return 0;
}
static void on_rvv_float(unsigned cpu, void *u)
{
	struct record *r = u;
	uint64_t vl, vtype;
	uint32_t w;
	if (child || !first || !active) return;
	char *env = rv_env(cpu);
	if (env) memcpy(&vl, env + RV_VL, 8), memcpy(&vtype, env + RV_VTYPE, 8);
	if (!env || vl > 8192 || vtype > 255) {
		r->unseen++;
		return;
	}
	memcpy(&w, r->bytes, 4);
	r->sew = 8 << (vtype >> 3 & 7);
	if (w >> 25 & 1) r->lanes += vl;
	else
		for (uint64_t i = 0; i < vl; i++) r->lanes += env[RV_VREG + i / 8] >> (i & 7) & 1;
}

/* ---- translation ---- */
enum { OTHER, CALL, RETURN };
struct block { uint64_t pc, end, count, words, n, kind; uint32_t records[]; }; /* in the file, one after another; of whole words */
static char *arena;

static uint32_t record_of(uint64_t pc, const void *code, size_t size)
{
	uint64_t h = hash(pc);
	for (;; h++) {
		uint32_t *slot = &index_[h % (2 * MAXRECORDS)];
		if (*slot && records[*slot - 1].pc == pc && records[*slot - 1].size == size && !memcmp(records[*slot - 1].bytes, code, size)) return *slot - 1;
		if (*slot) continue;
		if (hdr->records == MAXRECORDS) {
			hdr->full = 1;
			return MAXRECORDS - 1;
		}
		struct record *r = &records[hdr->records];
		r->pc = pc, r->size = size;
		memcpy(r->bytes, code, size);
		*slot = ++hdr->records;
		return *slot - 1;
	}
}
static void on_mem(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t addr, void *u)
{
	uint32_t record = (uintptr_t)u;
	(void)cpu;
	if (child || !first) return;
	if (pending && pending->record == record) pending_reported = true;
	note_access(record, addr, 1u << qemu_plugin_mem_size_shift(info), qemu_plugin_mem_is_store(info));
}
/* What a block's last instruction is. */
static int kind_of(const uint8_t *code, size_t size)
{
	uint32_t w = 0;
	memcpy(&w, code, size < 4 ? size : 4);
	if (aarch64) { /* bl, blr and ret, also those that authenticate pointers */
		uint32_t op = w >> 21;
		return w >> 26 == 0x25 || op == 0x6b1 || op == 0x6b9 ? CALL : op == 0x6b2 ? RETURN : OTHER;
	}
	if (riscv) { /* jal ra, jalr ra, ret and their short forms */
		bool compressed = (w & 3) != 3;
		if (compressed) return (w & 0xffff) == 0x8082 ? RETURN : (w & 0xf07f) == 0x9002 && (w & 0xf80) ? CALL : OTHER;
		return (w & 0xfff) == 0x0ef || (w & 0xfff) == 0x0e7 ? CALL : w == 0x8067 ? RETURN : OTHER;
	}
	while (size > 1 && (*code >> 4 == 4 || strchr("\x2e\x3e\x64\x65\x66\x67\xf2\xf3", *code))) code++, size--;
	return *code == 0xe8 || (*code == 0xff && size > 1 && (code[1] >> 3 & 7) == 2) ? CALL : *code == 0xc3 || *code == 0xc2 ? RETURN : OTHER;
}
/* follow keeps the stack of calls, and with it whether the function that counts is being executed. It may have been reached by a jump at the end of another. */
static void follow(const struct block *b)
{
	static uint64_t calls[1 << 16]; /* where they return to; those deeper are forgotten from the bottom */
	static size_t depth, entered;
	static int last;
	if (last == RETURN)
		for (size_t i = depth; i > 0 && i + 64 > depth; i--)
			if (calls[i - 1] == b->pc) {
				depth = i - 1;
				break;
			}
	if (active && depth < entered) active = false;
	if (!active && b->pc == entry + bias) active = true, entered = depth;
	last = b->kind;
	if (last != CALL) return;
	enum { HALF = sizeof calls / sizeof *calls / 2 };
	if (depth == 2 * HALF) {
		memmove(calls, calls + HALF, HALF * sizeof *calls);
		depth = HALF, entered = entered > HALF ? entered - HALF : 0;
	}
	calls[depth++] = b->end;
}
static void on_block(unsigned cpu, void *u)
{
	struct block *b = u;
	(void)cpu;
	if (child || !first) return;
	follow(b);
	if (active) b->count++;
}
static void on_insn(unsigned cpu, void *u)
{
	(void)cpu;
	if (!child && first && active) ((struct record *)u)->count++;
}
static void watch(struct qemu_plugin_insn *in, uint32_t record, struct hidden **after, bool last)
{
	struct record *r = &records[record];
	uint32_t w;
	if (*after) qemu_plugin_register_vcpu_insn_exec_cb(in, on_after, READ_REGS, *after);
	*after = 0;
	if (r->size != 4) return;
	memcpy(&w, r->bytes, 4);
	if (riscv && rvv && (w & 127) == 0x57 && ((w >> 12 & 7) == 1 || (w >> 12 & 7) == 5)) {
		r->counted = 1;
		qemu_plugin_register_vcpu_insn_exec_cb(in, on_rvv_float, READ_REGS, r);
	}
	if (!aarch64) return;
	if (w >> 24 == 0x65 && (w >> 21 & 1 || w >> 13 & 7)) { /* SVE's floating-point instructions with a predicate; the others' elements are all active */
		r->counted = 1;
		qemu_plugin_register_vcpu_insn_exec_cb(in, on_sve_float, READ_REGS, r);
	} else if (w >> 25 == 0x32) qemu_plugin_register_vcpu_insn_exec_cb(in, on_sve_length, READ_REGS, 0);
	struct sve a;
	enum sve_kind kind = sve_decode(w, &a);
	if (kind < SVE_HIDDEN) return;
	if (kind == SVE_UNKNOWN) {
		qemu_plugin_register_vcpu_insn_exec_inline(in, ADD_U64, &r->unseen, 1);
		return;
	}
	struct hidden *h = need(1, sizeof *h);
	h->record = record, h->sve = a;
	qemu_plugin_register_vcpu_insn_exec_cb(in, on_hidden, READ_REGS, h);
	if (!last) *after = h;
	else resumes[hash(r->pc + 4) % 64] = r->pc + 4;
}
static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb);
	(void)id;
	pthread_mutex_lock(&lock);
	if (!located) located = true, hdr->bias = bias = qemu_plugin_start_code() - bias;
	struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, n - 1);
	uint64_t end = qemu_plugin_insn_vaddr(in) + qemu_plugin_insn_size(in);
	struct block *b = (struct block *)(arena + hdr->arena);
	size_t size = (sizeof *b + n * sizeof *b->records + 7) & ~7ul;
	if (hdr->arena + size > ARENA || hdr->full) {
		hdr->full = 1;
		pthread_mutex_unlock(&lock);
		return;
	}
	hdr->arena += size;
	*b = (struct block){qemu_plugin_tb_vaddr(tb), end, 0, size / 8, n, kind_of(qemu_plugin_insn_data(in), qemu_plugin_insn_size(in))};
	if (entry) qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, NO_REGS, b);
	else qemu_plugin_register_vcpu_tb_exec_inline(tb, ADD_U64, &b->count, 1);
	if (aarch64 && resumed(b->pc)) qemu_plugin_register_vcpu_tb_exec_cb(tb, on_after, READ_REGS, 0);
	struct hidden *after = 0;
	for (size_t i = 0; i < n; i++) {
		in = qemu_plugin_tb_get_insn(tb, i);
		uint32_t r = record_of(qemu_plugin_insn_vaddr(in), qemu_plugin_insn_data(in), qemu_plugin_insn_size(in));
		b->records[i] = r;
		watch(in, r, &after, i + 1 == n);
		qemu_plugin_register_vcpu_mem_cb(in, on_mem, NO_REGS, MEM_RW, (void *)(uintptr_t)r);
	}
	/* An instruction that crosses a page is reported cut off at the end of one block, where it isn't executed, and again as a block of its own. What ends with a
	 * page counts itself. */
	if (n > 1 && !(end & 4095)) {
		struct record *r = &records[b->records[--b->n]];
		if (entry) qemu_plugin_register_vcpu_insn_exec_cb(in, on_insn, NO_REGS, r);
		else qemu_plugin_register_vcpu_insn_exec_inline(in, ADD_U64, &r->count, 1);
	}
	pthread_mutex_unlock(&lock);
}
static int file_;
static size_t size_;
static void on_fork(void) /* in the child, which counts for itself from here on */
{
	child = true;
	mmap(hdr, size_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, file_, 0);
}
static void on_forked(void) { hdr->forks++; }
static void on_vcpu(qemu_plugin_id_t id, unsigned cpu)
{
	(void)id, (void)cpu;
	first = ++hdr->threads == 1;
}
static void on_exit_(qemu_plugin_id_t id, void *u)
{
	(void)id, (void)u;
	if (!child) flush_events();
}
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *file = 0;
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "out=", 4)) file = argv[i] + 4;
		else if (!strncmp(argv[i], "events=", 7)) out = open(argv[i] + 7, O_WRONLY | O_CLOEXEC);
		else if (!strncmp(argv[i], "entry=", 6)) entry = strtoull(argv[i] + 6, 0, 16), active = false;
		else if (!strncmp(argv[i], "code=", 5)) bias = strtoull(argv[i] + 5, 0, 16); /* until the program is located: where its code begins in the file */
		else if (!strcmp(argv[i], "rvv=on")) rvv = true;
	int fd = file ? open(file, O_RDWR) : -1;
	size_t size = sizeof *hdr + (size_t)MAXRECORDS * sizeof *records + ARENA;
	if (fd < 0 || ftruncate(fd, size)) die("out= is needed");
	hdr = mmap(0, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (hdr == MAP_FAILED) die("out of memory");
	file_ = fd, size_ = size;
	records = (struct record *)(hdr + 1);
	arena = (char *)(records + MAXRECORDS);
	hdr->magic = MAGIC;
	aarch64 = !strcmp(info->target_name, "aarch64");
	riscv = !strncmp(info->target_name, "riscv", 5);
	pthread_atfork(0, on_forked, on_fork);
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_, 0);
	return 0;
}
