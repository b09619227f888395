/* mean and variance by standard algorithms */
#include <algorithm>
#include <numeric>
#include "../nest.h"
#ifndef N
#define N 1500
#endif
static T x[N], result[2];
extern "C" void init(void) { FILL(x); }
extern "C" void kernel(void)
{
	for (int r = 0; r < 8; r++) {
		T mean = std::accumulate(x, x + N, (T)r) / N;
		result[0] = mean;
		result[1] = std::inner_product(x, x + N, x, (T)0) / N - mean * mean;
		std::transform(x, x + N, x, [](T v) { return v * (T)1.01; });
	}
}
extern "C" double check(void) { return result[0] + 3 * result[1]; }
