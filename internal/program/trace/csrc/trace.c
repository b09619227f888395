/* trace writes which blocks are executed, and which addresses they access, to a pipe: events of 16 bytes. The instructions of a block stand there before it is
 * executed first. */
struct event { uint64_t addr; uint32_t id; uint16_t n; uint8_t kind, size; };
enum { LOAD, STORE, BLOCK, DEFINITION, INSTRUCTION, CODE, FORK, THREAD, BIAS, MAXEVENTS = 1 << 14, MAXINSTRUCTIONS = 1 << 12 };

static struct event events[MAXEVENTS];
static size_t nevents;
static int out = -1;
static uint32_t nblocks, nthreads;
static uint64_t bias;
static bool child, located;
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
static void note(struct event e)
{
	if (child || out < 0) return;
	events[nevents++] = e;
	if (nevents == MAXEVENTS) flush_events();
}
static void on_mem(unsigned cpu, qemu_plugin_meminfo_t info, uint64_t addr, void *u)
{
	(void)cpu;
	if (first) note((struct event){addr, (uintptr_t)u, 0, qemu_plugin_mem_is_store(info) ? STORE : LOAD, 1u << qemu_plugin_mem_size_shift(info)});
}
static void on_block(unsigned cpu, void *u)
{
	(void)cpu;
	if (first) note((struct event){0, (uintptr_t)u, 0, BLOCK, 0});
}
static uint32_t define(struct qemu_plugin_tb *tb, size_t from, size_t to)
{
	note((struct event){qemu_plugin_insn_vaddr(qemu_plugin_tb_get_insn(tb, from)), nblocks, to - from, DEFINITION, 0});
	for (size_t i = from; i < to; i++) {
		struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, i);
		struct { struct event e; uint8_t bytes[16]; } x = {{qemu_plugin_insn_vaddr(in), nblocks, 0, INSTRUCTION, qemu_plugin_insn_size(in)}, {0}};
		struct event code;
		memcpy(x.bytes, qemu_plugin_insn_data(in), x.e.size > 16 ? 16 : x.e.size);
		memcpy(&code, x.bytes, sizeof code);
		note(x.e), note(code);
	}
	return nblocks++;
}
static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb), whole = n;
	(void)id;
	if (!n || child) return;
	pthread_mutex_lock(&lock);
	if (!located) {
		located = true;
		note((struct event){qemu_plugin_start_code() - bias, 0, 0, BIAS, 0});
	}
	struct qemu_plugin_insn *last = qemu_plugin_tb_get_insn(tb, n - 1);
	/* An instruction that crosses a page is reported cut off at the end of one block, where it isn't executed, and again as a block of its own. What ends with a
	 * page is a block of its own here. */
	if (n > 1 && !((qemu_plugin_insn_vaddr(last) + qemu_plugin_insn_size(last)) & 4095)) whole = n - 1;
	qemu_plugin_register_vcpu_tb_exec_cb(tb, on_block, NO_REGS, (void *)(uintptr_t)define(tb, 0, whole));
	if (whole < n) qemu_plugin_register_vcpu_insn_exec_cb(last, on_block, NO_REGS, (void *)(uintptr_t)define(tb, whole, n));
	for (size_t i = 0; i < n; i++)
		qemu_plugin_register_vcpu_mem_cb(qemu_plugin_tb_get_insn(tb, i), on_mem, NO_REGS, MEM_RW, (void *)(uintptr_t)(i < whole ? i : 0));
	pthread_mutex_unlock(&lock);
}
static void on_fork(void) { child = true; }
static void on_forked(void) { note((struct event){0, 0, 0, FORK, 0}); }
static void on_vcpu(qemu_plugin_id_t id, unsigned cpu)
{
	(void)id, (void)cpu;
	first = ++nthreads == 1;
	if (nthreads == 2) note((struct event){0, 0, 0, THREAD, 0});
}
static void on_exit_(qemu_plugin_id_t id, void *u)
{
	(void)id, (void)u;
	if (!child) flush_events();
}
EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	(void)info;
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "events=", 7)) out = open(argv[i] + 7, O_WRONLY | O_CLOEXEC);
		else if (!strncmp(argv[i], "code=", 5)) bias = strtoull(argv[i] + 5, 0, 16); /* where the program's code begins in its file */
	if (out < 0) die("events= is needed");
	pthread_atfork(0, on_forked, on_fork);
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	qemu_plugin_register_atexit_cb(id, on_exit_, 0);
	return 0;
}
