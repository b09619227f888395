// Fibonacci numbers through an array: chains over two iterations, through memory if the values aren't kept in registers.
void fib_array(unsigned long *a, long n)
{
	for (long i = 2; i < n; i++)
		a[i] = a[i - 1] + a[i - 2];
}
