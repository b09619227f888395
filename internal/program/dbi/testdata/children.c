/* A child that asks not to be traced, by clone and by clone3, and one that is ended by a signal. */
#define _GNU_SOURCE
#include <linux/sched.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int sum(int n)
{
	int s = 0;
	for (volatile int i = 0; i < n; i++)
		s += i & 3;
	return s;
}

int main(void)
{
	int status, total = 0;
	for (int i = 0; i < 3; i++) {
		struct clone_args a = {.flags = CLONE_UNTRACED, .exit_signal = SIGCHLD};
		int pid = i == 0   ? syscall(SYS_clone, CLONE_UNTRACED | SIGCHLD, 0, 0, 0, 0)
			  : i == 1 ? syscall(SYS_clone3, &a, sizeof a)
				   : fork();
		if (pid == 0) {
			int s = sum(100000 + i);
			if (i == 2)
				raise(SIGABRT);
			_exit(s & 63);
		}
		waitpid(pid, &status, 0);
		total = total * 64 + (WIFEXITED(status) ? WEXITSTATUS(status) : 200 + WTERMSIG(status));
		printf("%d %d\n", i, (int)(a.flags == CLONE_UNTRACED));
	}
	printf("%d\n", total + sum(1000));
	return 4;
}
