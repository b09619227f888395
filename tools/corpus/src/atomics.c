// C11 atomics of all widths and orders.
#include <stdatomic.h>
#include <stdint.h>
#include <stdbool.h>
#define A(T, N)                                                                                                                        \
	T load_##N(_Atomic T *p) { return atomic_load(p) + atomic_load_explicit(p, memory_order_relaxed) + atomic_load_explicit(p, memory_order_acquire); }  \
	void store_##N(_Atomic T *p, T v) { atomic_store(p, v); atomic_store_explicit(p, (T)(v + 1), memory_order_release); atomic_store_explicit(p, (T)(v + 2), memory_order_relaxed); } \
	T add_##N(_Atomic T *p, T v) { return (T)(atomic_fetch_add(p, v) + atomic_fetch_sub_explicit(p, v, memory_order_relaxed)); }       \
	T logic_##N(_Atomic T *p, T v) { return (T)(atomic_fetch_or_explicit(p, v, memory_order_acquire) ^ atomic_fetch_and_explicit(p, v, memory_order_release) ^ atomic_fetch_xor_explicit(p, v, memory_order_acq_rel)); } \
	void drop_##N(_Atomic T *p, T v) { atomic_fetch_add(p, v); atomic_fetch_or(p, v); atomic_fetch_and_explicit(p, v, memory_order_relaxed); } \
	T swap_##N(_Atomic T *p, T v) { return (T)(atomic_exchange(p, v) + atomic_exchange_explicit(p, v, memory_order_acquire)); }        \
	bool cas_##N(_Atomic T *p, T *e, T v) { return atomic_compare_exchange_strong(p, e, v) | atomic_compare_exchange_weak_explicit(p, e, v, memory_order_release, memory_order_relaxed); } \
	T maxi_##N(_Atomic T *p, T v) { T o = atomic_load_explicit(p, memory_order_relaxed); while (o < v && !atomic_compare_exchange_weak(p, &o, v)) ; return o; }
A(uint8_t, u8)
A(int16_t, i16)
A(int32_t, i32)
A(uint64_t, u64)
typedef struct { atomic_flag f; } lock;
void acquire(lock *l) { while (atomic_flag_test_and_set_explicit(&l->f, memory_order_acquire)) ; }
void release(lock *l) { atomic_flag_clear_explicit(&l->f, memory_order_release); }
void fences(int *a, int *b) { *a = 1; atomic_thread_fence(memory_order_seq_cst); *b = 2; atomic_thread_fence(memory_order_acquire); (*a)++; atomic_thread_fence(memory_order_release); (*b)++; atomic_signal_fence(memory_order_seq_cst); }
typedef struct { _Atomic unsigned head, tail; void *slot[64]; } ring;
bool push(ring *r, void *p) { unsigned h = atomic_load_explicit(&r->head, memory_order_relaxed); if (h - atomic_load_explicit(&r->tail, memory_order_acquire) == 64) return false; r->slot[h & 63] = p; atomic_store_explicit(&r->head, h + 1, memory_order_release); return true; }
void *pop(ring *r) { unsigned t = atomic_load_explicit(&r->tail, memory_order_relaxed); if (t == atomic_load_explicit(&r->head, memory_order_acquire)) return 0; void *p = r->slot[t & 63]; atomic_store_explicit(&r->tail, t + 1, memory_order_release); return p; }
typedef struct item { struct item *next; } item;
void lifo(item *_Atomic *head, item *n) { item *o = atomic_load(head); do n->next = o; while (!atomic_compare_exchange_weak(head, &o, n)); }
static _Thread_local int counter;
int *tls(void) { counter++; return &counter; }
volatile int flag;
int spin(void) { int n = 0; while (!flag) n++; return n; }
