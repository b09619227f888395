/* What is needed of QEMU's plugin interface 1, written down here so that no header of QEMU has to be installed. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
typedef uint64_t qemu_plugin_id_t;
typedef uint32_t qemu_plugin_meminfo_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info { const char *target_name; }; /* first member only */
typedef void (*exec_fn)(unsigned, void *);
typedef void (*mem_fn)(unsigned, qemu_plugin_meminfo_t, uint64_t, void *);
enum { NO_REGS = 0, READ_REGS = 1, MEM_R = 1, MEM_W = 2, MEM_RW = 3, ADD_U64 = 0 };
extern void qemu_plugin_register_vcpu_init_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, unsigned));
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_tb_exec_inline(struct qemu_plugin_tb *, int op, void *, uint64_t);
extern void qemu_plugin_register_vcpu_tb_exec_cb(struct qemu_plugin_tb *, exec_fn, int flags, void *);
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, int op, void *, uint64_t);
extern void qemu_plugin_register_vcpu_insn_exec_cb(struct qemu_plugin_insn *, exec_fn, int flags, void *);
extern void qemu_plugin_register_vcpu_mem_cb(struct qemu_plugin_insn *, mem_fn, int flags, int rw, void *);
extern void qemu_plugin_register_vcpu_syscall_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, unsigned, int64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t, uint64_t));
extern void qemu_plugin_register_vcpu_syscall_ret_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, unsigned, int64_t, int64_t));
extern void qemu_plugin_register_atexit_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, void *), void *);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern uint64_t qemu_plugin_tb_vaddr(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern const void *qemu_plugin_insn_data(const struct qemu_plugin_insn *);
extern size_t qemu_plugin_insn_size(const struct qemu_plugin_insn *);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
extern unsigned qemu_plugin_mem_size_shift(qemu_plugin_meminfo_t);
extern bool qemu_plugin_mem_is_store(qemu_plugin_meminfo_t);
extern uint64_t qemu_plugin_start_code(void);
extern uint64_t guest_base __attribute__((weak)); /* of QEMU itself: where the program's address 0 is */
EXPORT int qemu_plugin_version = 1;

static void die(const char *what)
{
	fprintf(stderr, "plugin: %s\n", what);
	_exit(97);
}
static void *need(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);
	if (!p) die("out of memory");
	return p;
}
static uint64_t hash(uint64_t k) { k *= 0x9e3779b97f4a7c15ull; return k ^ k >> 32; }

/*
 * Code that a program writes through another mapping of its memory. QEMU translates a block once, and only writes to the address that it translated from make it
 * translate anew; so each execution of code in shared memory compares the bytes with those that were translated. Plugins cannot make QEMU translate again: the program
 * ends there, after (*rewritten)(pc).
 */
extern void *qemu_plugin_insn_haddr(const struct qemu_plugin_insn *) __attribute__((weak));
struct shared_code { const unsigned char *now; uint64_t pc; size_t n; unsigned char then[]; };
static void rewritten_elsewhere(uint64_t pc)
{
	fprintf(stderr, "plugin: the program wrote the code at %#" PRIx64 " through another mapping of its memory, which QEMU does not see; it ends there\n", pc);
}
static void (*rewritten)(uint64_t pc) = rewritten_elsewhere;
static void (*leaves)(qemu_plugin_id_t, void *); /* what the plugin does when the program ends */
static void on_end(qemu_plugin_id_t id, void (*f)(qemu_plugin_id_t, void *), void *u)
{
	leaves = f;
	qemu_plugin_register_atexit_cb(id, f, u);
}
static void compare_code(unsigned cpu, void *u)
{
	struct shared_code *c = u;
	(void)cpu;
	if (__builtin_expect(!memcmp(c->now, c->then, c->n), 1)) return;
	if (leaves) leaves(0, 0);
	rewritten(c->pc);
	_exit(97);
}
/* in_shared_memory reports whether an address of this process is in memory that may have another mapping. Pages of files that are mapped privately stay so. */
static bool in_shared_memory(uintptr_t at)
{
	static uintptr_t private_pages[1024];
	uintptr_t page = at >> 12, lo, hi;
	unsigned long inode;
	char line[512], modes[5];
	bool shared = false;
	if (private_pages[page % 1024] == page) return false;
	FILE *f = fopen("/proc/self/maps", "re");
	while (f && fgets(line, sizeof line, f))
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " %4s %*x %*s %lu", &lo, &hi, modes, &inode) == 4 && lo <= at && at < hi) {
			shared = modes[3] == 's';
			if (!shared && inode) private_pages[page % 1024] = page;
			break;
		}
	if (f) fclose(f);
	return shared;
}
static void (*translated)(qemu_plugin_id_t, struct qemu_plugin_tb *);
static void watch_code(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb), bytes = 0;
	struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, 0);
	const unsigned char *host = &qemu_plugin_insn_haddr ? qemu_plugin_insn_haddr(in) : 0;
	if (host && in_shared_memory((uintptr_t)host)) {
		for (size_t i = 0; i < n; i++) bytes += qemu_plugin_insn_size(qemu_plugin_tb_get_insn(tb, i));
		struct shared_code *c = need(1, sizeof *c + bytes);
		c->now = host, c->pc = qemu_plugin_insn_vaddr(in);
		for (size_t i = 0; i < n; c->n += qemu_plugin_insn_size(in), i++) {
			in = qemu_plugin_tb_get_insn(tb, i);
			memcpy(c->then + c->n, qemu_plugin_insn_data(in), qemu_plugin_insn_size(in));
		}
		qemu_plugin_register_vcpu_tb_exec_cb(tb, compare_code, NO_REGS, c);
	}
	translated(id, tb);
}
/* on_translation calls f with each block that QEMU translates; it stands in for QEMU's own function below. */
static void on_translation(qemu_plugin_id_t id, void (*f)(qemu_plugin_id_t, struct qemu_plugin_tb *))
{
	translated = f;
	qemu_plugin_register_vcpu_tb_trans_cb(id, watch_code);
}
#define qemu_plugin_register_vcpu_tb_trans_cb on_translation
#define qemu_plugin_register_atexit_cb on_end
