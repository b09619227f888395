/* Runs a kernel: -DREPS=n repetitions. Each kernel file defines init and kernel. */
#ifndef REPS
#define REPS 20
#endif
void init(void);
void kernel(void);
int main(void)
{
	init();
	for (int i = 0; i < REPS; i++)
		kernel();
	return 0;
}
