/*
 * count: a QEMU plugin (linux-user, plugin interface 1: QEMU 4.2 to 8.2) that counts how often
 * each instruction of a range of addresses is executed.
 *
 * Arguments: start=ADDRESS, size=BYTES (of the range, decimal), out=FILE. The file holds a 64-bit count
 * for every second byte of the range, zero where no instruction starts or none was executed. It is
 * mapped into memory, so that it survives the program however that ends.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* QEMU's plugin interface 1, what of it is needed here, so that no header of QEMU has to be installed. */
#define EXPORT __attribute__((visibility("default")))
typedef uint64_t qemu_plugin_id_t;
struct qemu_plugin_tb;
struct qemu_plugin_insn;
struct qemu_info;
enum { ADD_U64 = 0 };
extern void qemu_plugin_register_vcpu_tb_trans_cb(qemu_plugin_id_t, void (*)(qemu_plugin_id_t, struct qemu_plugin_tb *));
extern void qemu_plugin_register_vcpu_insn_exec_inline(struct qemu_plugin_insn *, int op, void *, uint64_t);
extern size_t qemu_plugin_tb_n_insns(const struct qemu_plugin_tb *);
extern struct qemu_plugin_insn *qemu_plugin_tb_get_insn(const struct qemu_plugin_tb *, size_t);
extern uint64_t qemu_plugin_insn_vaddr(const struct qemu_plugin_insn *);
EXPORT int qemu_plugin_version = 1;

static uint64_t start, size, *counts;

static void translated(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	(void)id;
	for (size_t i = 0; i < qemu_plugin_tb_n_insns(tb); i++) {
		struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, i);
		uint64_t at = qemu_plugin_insn_vaddr(in) - start;
		if (at < size)
			qemu_plugin_register_vcpu_insn_exec_inline(in, ADD_U64, &counts[at / 2], 1);
	}
}

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *out = 0;
	(void)info;
	for (int i = 0; i < argc; i++) {
		if (!strncmp(argv[i], "start=", 6))
			start = strtoull(argv[i] + 6, 0, 10);
		else if (!strncmp(argv[i], "size=", 5))
			size = strtoull(argv[i] + 5, 0, 10);
		else if (!strncmp(argv[i], "out=", 4))
			out = argv[i] + 4;
	}
	uint64_t bytes = (size / 2 + 1) * sizeof *counts;
	int fd = out ? open(out, O_RDWR | O_CREAT | O_TRUNC, 0666) : -1;
	if (fd < 0 || ftruncate(fd, bytes)) {
		perror("count: the file of results");
		return 1;
	}
	counts = mmap(0, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	close(fd);
	if (counts == MAP_FAILED) {
		perror("count: mapping the file of results");
		return 1;
	}
	qemu_plugin_register_vcpu_tb_trans_cb(id, translated);
	return 0;
}
