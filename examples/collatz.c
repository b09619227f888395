// A loop of integer operations with a data-dependent branch or conditional move.
unsigned collatz(unsigned long x)
{
	unsigned k = 0;
	while (x != 1) {
		x = x & 1 ? 3 * x + 1 : x >> 1;
		k++;
	}
	return k;
}
