/* What kernels share: the type of their numbers, values to start with, and marks on loops that transformations are put in front of. */
#ifndef NEST_H
#define NEST_H
#ifndef T
#define T double /* or float */
#endif
/* In front of a rectangular nest of two or three loops with nothing between them, and of an innermost loop. The innermost loop of a nest
   has both marks: one of them at a time is anything. */
#ifndef NEST2
#define NEST2
#endif
#ifndef NEST3
#define NEST3
#endif
#ifndef INNER
#define INNER
#endif
/* In front of a loop around others that may be unrolled and jammed, or distributed. */
#ifndef OUTER
#define OUTER
#endif
/* In front of a kernel's body, for each array: compilers see a pointer of unknown origin, as a function's parameter is, which may point into any other
   array. PolyBench's kernels get their arrays so. */
#ifdef POINTERS
#define POINTER(array) \
	__typeof__(&*(array)) array##_ = (array); \
	__asm__("" : "+r"(array##_)); \
	__typeof__(array##_) array = array##_;
#else
#define POINTER(array)
#endif
#define VALUE(i) ((T)(((i) * 7 + 3) % 17 + 1) / (T)17)
#define FILL(array) \
	do { \
		T *to_ = (T *)(array); \
		for (int i_ = 0; i_ < (int)(sizeof(array) / sizeof(T)); i_++) \
			to_[i_] = VALUE(i_); \
	} while (0)
#define SUM(result, array) \
	do { \
		const T *of_ = (const T *)(array); \
		for (int i_ = 0; i_ < (int)(sizeof(array) / sizeof(T)); i_++) \
			result += of_[i_] * (double)(i_ % 5 + 1); \
	} while (0)
#endif
