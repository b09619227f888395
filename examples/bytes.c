// Byte loops: the length of a string and a copy of bytes.
unsigned long length(const char *s)
{
	unsigned long n = 0;
	while (s[n])
		n++;
	return n;
}

void copy_bytes(volatile char *d, const char *s, unsigned long n)
{
	for (unsigned long i = 0; i < n; i++)
		d[i] = s[i];
}
