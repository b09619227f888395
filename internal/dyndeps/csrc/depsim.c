/*
 * depsim: a QEMU plugin (linux-user, plugin interface 1: QEMU 4.2 to 8.2) that finds the
 * dependences through memory of a running program: which store wrote what a load reads.
 *
 * A shadow memory remembers for each byte that was written by whom and when. Time is the number of
 * instructions executed. All results are kept in a file mapped into memory, so that
 * they survive the program however it ends, and can be looked at while it runs.
 *
 * Arguments: map=FILE (what to look at, see read_map), out=FILE (results, see struct header).
 *
 * The few declarations of QEMU's interface that are needed are written down here, so that
 * no header of QEMU has to be installed.
 */
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

/* ---- QEMU's plugin interface 1 ---- */
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

/* ---- results: the layout is read by trace.go ---- */
enum { WINDOWS = 2, MAXDIST = 255 };
#define MAGIC 0x31304d4953504544ull /* "DEPSIM01" */
#define MAXPAIRS (1u << 20)
#define MAXDISTS (1u << 21)

struct header {
	uint64_t magic, ended, bias, insns, loads, stores, npairs, ndists, lost; /* lost: dependences for which there was no room */
	uint64_t pages, evicted, vcpus, forks, sve, sveseen, last, nblocks, nloops, nfuncs, nsites; /* last: the code translated last */
	uint64_t lastn, guestbase, spare[10];
};
struct pair { /* a store and a load that reads what it wrote */
	uint64_t from, to, count, within[WINDOWS], least, most, sum, stamp, life; /* stamp, life: of the load counted last */
};
struct dist { /* the same, a distance apart: iterations of a loop; loop -1: none holds both, or they are in different calls */
	uint32_t pair;
	int32_t loop, distance;
	uint32_t unused;
	uint64_t count, within[WINDOWS], stamp;
};
static struct header *hdr;
static struct pair *pairs;
static struct dist *dists;
static uint64_t *blockcount, *loopcount, *funccount;

/* ---- what to look at ---- */
enum { RING = 256 };
struct loop { uint64_t header; int parent, depth; uint32_t n; uint64_t last, ring[RING]; }; /* stamps of the starts of iterations */
struct func { uint64_t entry, last; };
struct block { uint64_t lo, hi; int loop, func; };
struct range { uint64_t lo, hi; };
static struct loop *loops;
static struct func *funcs;
static struct block *blocks;
static struct range *picks;
static uint64_t nloops, nfuncs, nblocks, npicks, windows[WINDOWS], lifetime, maxpages = 1 << 17, widest, base, bias;
static unsigned nwindows;
static const char *out;
static bool whole = true, located, child, aarch64;

static void die(const char *what)
{
	fprintf(stderr, "depsim: %s\n", what);
	_exit(97);
}
static void *need(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);
	if (!p) die("out of memory");
	return p;
}

/* read_map reads what to look at: lines of a word and numbers, addresses as in the file of the program. */
static void read_map(const char *name)
{
	FILE *f = fopen(name, "r");
	char w[16];
	uint64_t a, b, il = 0, ifn = 0, ib = 0, ip = 0;
	int64_t c, d;
	if (!f) die("cannot read the map");
	while (fscanf(f, "%15s %" SCNx64 " %" SCNx64 " %" SCNd64 " %" SCNd64, w, &a, &b, &c, &d) == 5)
		if (!strcmp(w, "sizes")) {
			nloops = a, nfuncs = b, nblocks = c, npicks = d;
			loops = need(nloops, sizeof *loops), funcs = need(nfuncs, sizeof *funcs);
			blocks = need(nblocks, sizeof *blocks), picks = need(npicks, sizeof *picks);
		} else if (!strcmp(w, "code")) base = a, maxpages = b;
		else if (!strcmp(w, "lifetime")) lifetime = a, whole = b;
		else if (!strcmp(w, "window") && nwindows < WINDOWS) {
			windows[nwindows++] = a;
			if (a > widest) widest = a;
		}
		else if (!strcmp(w, "loop") && il < nloops) loops[il].header = a, loops[il].parent = c, loops[il++].depth = d;
		else if (!strcmp(w, "func") && ifn < nfuncs) funcs[ifn++].entry = a;
		else if (!strcmp(w, "block") && ib < nblocks) blocks[ib++] = (struct block){a, b, c, d};
		else if (!strcmp(w, "pick") && ip < npicks) picks[ip++] = (struct range){a, b};
	fclose(f);
	if (il != nloops || ifn != nfuncs || ib != nblocks || ip != npicks) die("damaged map");
}

static void *share;
static size_t share_size;
static int share_fd;
static void in_child(void) /* a forked child goes on unobserved, on a copy */
{
	child = true;
	mmap(share, share_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_FIXED, share_fd, 0);
}
static void in_parent(void) { hdr->forks++; }

/* save_maps keeps the list of what is mapped, for the names of libraries. */
static void save_maps(void)
{
	char name[4096], buf[4096];
	ssize_t n;
	if (snprintf(name, sizeof name, "%s.maps", out) >= (int)sizeof name) return;
	int from = open("/proc/self/maps", O_RDONLY | O_CLOEXEC), to = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	while (from >= 0 && to >= 0 && (n = read(from, buf, sizeof buf)) > 0)
		if (write(to, buf, n) != n) break;
	if (from >= 0) close(from);
	if (to >= 0) close(to);
}

static void open_out(const char *name)
{
	share_size = sizeof *hdr + (nblocks + nloops + nfuncs) * 8 + MAXPAIRS * sizeof *pairs + MAXDISTS * sizeof *dists;
	share_fd = open(name, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
	if (share_fd < 0 || ftruncate(share_fd, share_size)) die("cannot write the results");
	share = mmap(0, share_size, PROT_READ | PROT_WRITE, MAP_SHARED, share_fd, 0);
	if (share == MAP_FAILED) die("cannot map the results");
	hdr = share;
	blockcount = (uint64_t *)(hdr + 1), loopcount = blockcount + nblocks, funccount = loopcount + nloops;
	pairs = (struct pair *)(funccount + nfuncs), dists = (struct dist *)(pairs + MAXPAIRS);
	hdr->nblocks = nblocks, hdr->nloops = nloops, hdr->nfuncs = nfuncs, hdr->magic = MAGIC;
	pthread_atfork(0, in_parent, in_child);
}

/* ---- places in the code ---- */
struct site { /* an instruction */
	uint64_t pc;
	uint32_t id; /* of a store; 0: none yet */
	int loop, func;
	bool sve, picked;
	uint64_t loaded, stored;                  /* when it last accessed memory */
	struct { uint32_t id; int loop; } near[4]; /* innermost loops that hold it and a store */
	struct { uint64_t key; uint32_t at; } memo[4];
	struct site *next;
};
struct use { struct site *site; uint64_t back; }; /* back: from the count at the end of the translated block to the instruction's own */
enum { IDBITS = 20, SPLIT = (1 << IDBITS) - 1, SITES = 1 << 16 };
static struct site *sites[SITES], *ids[SPLIT + 1];
static uint32_t nids;

static struct block *block_at(uint64_t pc)
{
	uint64_t lo = 0, hi = nblocks;
	while (lo < hi) {
		uint64_t m = (lo + hi) / 2;
		if (blocks[m].hi > pc) hi = m;
		else lo = m + 1;
	}
	return lo < nblocks && blocks[lo].lo <= pc ? &blocks[lo] : 0;
}
static bool picked(uint64_t pc)
{
	if (whole) return true;
	for (uint64_t i = 0; i < npicks; i++)
		if (pc >= picks[i].lo && pc < picks[i].hi) return true;
	return false;
}
static struct site *site_at(uint64_t vaddr)
{
	uint32_t h = (vaddr >> 1 ^ vaddr >> 17) % SITES;
	for (struct site *s = sites[h]; s; s = s->next)
		if (s->pc == vaddr) return s;
	struct site *s = need(1, sizeof *s);
	struct block *b = block_at(vaddr - bias);
	s->pc = vaddr, s->loop = b ? b->loop : -1, s->func = b ? b->func : -1, s->picked = picked(vaddr);
	s->next = sites[h], sites[h] = s;
	return s;
}

/* ---- shadow memory: a word for each 4 bytes, stamp << IDBITS | store; words of
 * which the bytes differ have the store SPLIT and a place in splits for the stamp ---- */
enum { PAGE = 12, WORDS = 1 << (PAGE - 2), TLB = 512 };
struct page { uint64_t key, last, w[WORDS]; };
struct split { uint64_t b[4]; };
static struct page **table, *tlb[TLB];
static uint64_t tablesize, npages;
static struct split *splits;
static uint64_t nsplits, capsplits, freesplit; /* freesplit: list through b[0], place + 1 */

static uint64_t hash(uint64_t k) { k *= 0x9e3779b97f4a7c15ull; return k ^ k >> 32; }

static uint64_t split_word(uint64_t w)
{
	uint64_t i;
	if (freesplit) i = freesplit - 1, freesplit = splits[i].b[0];
	else {
		if (nsplits == capsplits) {
			capsplits = capsplits ? 2 * capsplits : 1024;
			splits = realloc(splits, capsplits * sizeof *splits);
			if (!splits) die("out of memory");
		}
		i = nsplits++;
	}
	for (int k = 0; k < 4; k++) splits[i].b[k] = w;
	return i << IDBITS | SPLIT;
}
static void free_word(uint64_t w)
{
	uint64_t i = w >> IDBITS;
	splits[i].b[0] = freesplit, freesplit = i + 1;
}
static bool is_split(uint64_t w) { return (w & SPLIT) == SPLIT; }

static void drop_page(struct page *p)
{
	for (int i = 0; i < WORDS; i++)
		if (is_split(p->w[i])) free_word(p->w[i]);
	free(p);
	npages--;
}
static void place(struct page *p)
{
	uint64_t h = hash(p->key) & (tablesize - 1);
	while (table[h]) h = (h + 1) & (tablesize - 1);
	table[h] = p;
}
/* retable rebuilds the table; pages last written before a time, and those of a range, are dropped. */
static void retable(uint64_t size, uint64_t before, uint64_t lo, uint64_t hi)
{
	struct page **old = table;
	uint64_t n = tablesize;
	table = need(tablesize = size, sizeof *table);
	memset(tlb, 0, sizeof tlb);
	for (uint64_t i = 0; i < n; i++)
		if (!old[i]) continue;
		else if (old[i]->last < before || (old[i]->key >= lo && old[i]->key < hi)) drop_page(old[i]);
		else place(old[i]);
	free(old);
}
static int by_age(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
	return x < y ? -1 : x > y;
}
/* evict makes room: first without loss, of pages older than the lifetime, then of the oldest quarter. */
static void evict(uint64_t now)
{
	uint64_t n = npages;
	if (lifetime && now > lifetime) retable(tablesize, now - lifetime, 0, 0);
	if (npages < n - n / 8) return;
	uint64_t *age = need(npages, sizeof *age), k = 0;
	for (uint64_t i = 0; i < tablesize; i++)
		if (table[i]) age[k++] = table[i]->last;
	qsort(age, k, sizeof *age, by_age);
	n = npages;
	retable(tablesize, age[k / 4] + 1, 0, 0);
	hdr->evicted += n - npages;
	free(age);
}
static struct page *page_at(uint64_t key, bool make, uint64_t now)
{
	struct page *p = tlb[key % TLB];
	if (p && p->key == key) return p;
	uint64_t h = hash(key) & (tablesize - 1);
	while (table[h] && table[h]->key != key) h = (h + 1) & (tablesize - 1);
	if (!table[h]) {
		if (!make) return 0;
		if (npages >= maxpages) evict(now);
		else if (2 * npages >= tablesize) retable(2 * tablesize, 0, 0, 0);
		p = need(1, sizeof *p);
		p->key = key, p->last = now;
		place(p);
		hdr->pages = ++npages;
		return tlb[key % TLB] = p;
	}
	return tlb[key % TLB] = table[h];
}
/* put makes w the writer of the bytes [a, a+n). */
static void put(uint64_t a, uint64_t n, uint64_t w, uint64_t now)
{
	uint64_t end = a + n;
	while (a < end) {
		struct page *p = page_at(a >> PAGE, w != 0, now);
		uint64_t stop = ((a >> PAGE) + 1) << PAGE;
		if (stop > end || !stop) stop = end;
		if (!p) { a = stop; continue; }
		p->last = now;
		while (a < stop) {
			uint64_t *c = &p->w[a >> 2 & (WORDS - 1)];
			unsigned lo = a & 3, k = 4 - lo;
			if (k > stop - a) k = stop - a;
			if (k == 4) {
				if (is_split(*c)) free_word(*c);
				*c = w;
			} else {
				if (!is_split(*c)) *c = split_word(*c);
				for (unsigned i = lo; i < lo + k; i++) splits[*c >> IDBITS].b[i] = w;
			}
			a += k;
		}
	}
}
/* forget drops what is known of a range that the system has written or mapped anew. */
static void forget(uint64_t a, uint64_t n)
{
	uint64_t lo = (a + (1 << PAGE) - 1) >> PAGE, hi = (a + n) >> PAGE;
	if (hi > lo && hi - lo > 64) {
		retable(tablesize, 0, lo, hi);
		put(a, (lo << PAGE) - a, 0, hdr->insns);
		put(hi << PAGE, a + n - (hi << PAGE), 0, hdr->insns);
	} else
		put(a, n, 0, hdr->insns);
}

/* ---- dependences ---- */
static uint32_t *distindex, *pairindex; /* hash tables of places + 1 */
enum { NDI = 2 * MAXDISTS, NPI = 2 * MAXPAIRS };

static int common_loop(struct site *l, struct site *s)
{
	unsigned k = s->id & 3;
	if (l->near[k].id == s->id) return l->near[k].loop;
	int a = l->loop, b = s->loop;
	if (l->func != s->func) a = -1;
	while (a >= 0 && a != b) {
		if (b < 0) a = -1;
		else if (loops[a].depth >= loops[b].depth) a = loops[a].parent;
		else b = loops[b].parent;
	}
	l->near[k].id = s->id, l->near[k].loop = a;
	return a;
}
/* carrier finds the loop that carries a dependence on a store at time t, and how many of its iterations have begun
 * since: the outermost of the loops that hold both and have gone on to another iteration, else (distance 0)
 * the innermost. Loop -1: no loop holds both (distance 0), or the function has been called again (distance -1). */
static int carrier(struct site *l, struct site *s, uint64_t t, int *distance)
{
	int a = common_loop(l, s);
	*distance = 0;
	if (l->func < 0 || l->func != s->func || t < funcs[l->func].last) return *distance = -1;
	for (int q = a; q >= 0; q = loops[q].parent)
		if (t < loops[q].last) a = q;
	if (a < 0) return -1;
	struct loop *x = &loops[a];
	uint32_t n = x->n < RING - 1 ? x->n : RING - 1, lo = 0, hi = n; /* the iterations begun after t are a prefix, newest first */
	while (lo < hi) {
		uint32_t m = (lo + hi) / 2;
		if (x->ring[(x->n - 1 - m) % RING] > t) lo = m + 1;
		else hi = m;
	}
	*distance = lo < MAXDIST ? lo : MAXDIST;
	return a;
}
static uint32_t pair_of(uint64_t from, uint64_t to)
{
	uint64_t h = hash(from ^ hash(to)) % NPI;
	for (; pairindex[h]; h = (h + 1) % NPI)
		if (pairs[pairindex[h] - 1].from == from && pairs[pairindex[h] - 1].to == to) return pairindex[h];
	if (hdr->npairs == MAXPAIRS) return 0;
	struct pair *p = &pairs[hdr->npairs];
	p->from = from, p->to = to, p->least = ~0ull;
	__atomic_store_n(&hdr->npairs, hdr->npairs + 1, __ATOMIC_RELEASE);
	return pairindex[h] = hdr->npairs;
}
/* dist_of returns the place + 1 of a dependence, 0 if there is no room. */
static uint32_t dist_of(struct site *l, struct site *s, int loop, int distance)
{
	uint64_t key = (uint64_t)s->id << 44 ^ (uint64_t)(loop + 1) << 12 ^ (distance + 1);
	unsigned k = (s->id ^ distance) & 3;
	if (l->memo[k].at && l->memo[k].key == key) return l->memo[k].at;
	uint64_t h = hash(hash(s->pc) ^ l->pc ^ (uint64_t)(loop + 1) << 40 ^ (uint64_t)(distance + 1) << 54) % NDI;
	for (; distindex[h]; h = (h + 1) % NDI) {
		struct dist *d = &dists[distindex[h] - 1];
		if (d->loop == loop && d->distance == distance && pairs[d->pair].from == s->pc && pairs[d->pair].to == l->pc) break;
	}
	if (!distindex[h]) {
		uint32_t p;
		if (hdr->ndists == MAXDISTS || !(p = pair_of(s->pc, l->pc))) return 0;
		dists[hdr->ndists] = (struct dist){.pair = p - 1, .loop = loop, .distance = distance};
		__atomic_store_n(&hdr->ndists, hdr->ndists + 1, __ATOMIC_RELEASE);
		distindex[h] = hdr->ndists;
	}
	l->memo[k].key = key;
	return l->memo[k].at = distindex[h];
}
static void count_within(uint64_t *within, uint64_t life, uint64_t until)
{
	for (unsigned i = 0; life < widest && i < nwindows; i++)
		if (life < windows[i] && until >= windows[i]) within[i]++;
}
/* depends notes that a load reads what w wrote. A load counts once for each store
 * instruction, however many pieces it is reported in. */
static void depends(struct site *l, uint64_t w, uint64_t now)
{
	struct site *s = ids[w & SPLIT];
	uint64_t t = w >> IDBITS, life = now - t - 1;
	if (lifetime && life >= lifetime) return;
	int distance, loop = carrier(l, s, t, &distance);
	uint32_t at = dist_of(l, s, loop, distance);
	if (!at) { hdr->lost++; return; }
	struct dist *d = &dists[at - 1];
	struct pair *p = &pairs[d->pair];
	if (d->stamp != now) {
		d->stamp = now, d->count++;
		count_within(d->within, life, ~0ull);
	}
	if (p->stamp != now) {
		p->stamp = now, p->life = life, p->count++, p->sum += life;
		count_within(p->within, life, ~0ull);
	} else if (life < p->life) {
		count_within(p->within, life, p->life);
		p->sum -= p->life - life, p->life = life;
	}
	if (life < p->least) p->least = life;
	if (life > p->most) p->most = life;
}

static char lock;
static void enter(void)
{
	if (hdr->vcpus > 1)
		while (__atomic_test_and_set(&lock, __ATOMIC_ACQUIRE)) ;
}
static void leave(void)
{
	if (hdr->vcpus > 1) __atomic_clear(&lock, __ATOMIC_RELEASE);
}

static void load(struct site *l, uint64_t now, uint64_t a, uint64_t n)
{
	uint64_t end = a + n, before = 0;
	while (a < end) {
		struct page *p = page_at(a >> PAGE, false, now);
		uint64_t stop = ((a >> PAGE) + 1) << PAGE;
		if (stop > end || !stop) stop = end;
		if (!p) { a = stop; continue; }
		while (a < stop) {
			uint64_t w = p->w[a >> 2 & (WORDS - 1)], next = (a | 3) + 1;
			if (is_split(w)) w = splits[w >> IDBITS].b[a & 3], next = a + 1;
			if (w && w != before) depends(l, before = w, now);
			a = next;
		}
	}
}
static void store(struct site *s, uint64_t now, uint64_t a, uint64_t n)
{
	if (!s->id && nids < SPLIT - 1) ids[s->id = ++nids] = s, hdr->nsites = nids;
	put(a, n, s->id ? now << IDBITS | s->id : 0, now);
}
static void access_(struct site *s, uint64_t now, uint64_t a, uint64_t n, bool is_store)
{
	enter();
	if (s->sve && s->loaded != now && s->stored != now) hdr->sveseen++;
	if (is_store) {
		if (s->stored != now) s->stored = now, hdr->stores++;
		store(s, now, a, n);
	} else {
		if (s->loaded != now) s->loaded = now, hdr->loads++;
		load(s, now, a, n);
	}
	leave();
}

/* ---- callbacks ---- */
static void on_mem(unsigned cpu, qemu_plugin_meminfo_t i, uint64_t a, void *u)
{
	struct use *x = u;
	(void)cpu;
	if (child || !(x->site->picked || qemu_plugin_mem_is_store(i))) return; /* QEMU 7.2 calls for both, whatever was asked for */
	access_(x->site, hdr->insns - x->back, a, 1ull << qemu_plugin_mem_size_shift(i), qemu_plugin_mem_is_store(i));
}
struct mark { struct loop *loop; struct func *func; uint64_t back; };
static void on_iteration(unsigned cpu, void *u)
{
	struct mark *m = u;
	uint64_t now = hdr->insns - m->back;
	(void)cpu;
	enter();
	if (m->loop) m->loop->ring[m->loop->n++ % RING] = m->loop->last = now;
	if (m->func) m->func->last = now;
	leave();
}
static void locate(void)
{
	located = true;
	bias = hdr->bias = qemu_plugin_start_code() - base;
	if (&guest_base) hdr->guestbase = guest_base;
	for (uint64_t i = 0; i < npicks; i++) picks[i].lo += bias, picks[i].hi += bias;
}
/* starts sets the counters at the starts of blocks, loops and functions. */
static void starts(struct qemu_plugin_insn *in, uint64_t pc, uint64_t back)
{
	struct block *b = block_at(pc - bias);
	if (!b || b->lo != pc - bias) return;
	struct mark m = {.back = back};
	qemu_plugin_register_vcpu_insn_exec_inline(in, ADD_U64, &blockcount[b - blocks], 1);
	bool head = b->loop >= 0 && loops[b->loop].header == b->lo;
	if (b->func >= 0 && funcs[b->func].entry == b->lo && !head) { /* else calls and iterations look the same */
		m.func = &funcs[b->func];
		qemu_plugin_register_vcpu_insn_exec_inline(in, ADD_U64, &funccount[b->func], 1);
	}
	if (head) {
		m.loop = &loops[b->loop];
		qemu_plugin_register_vcpu_insn_exec_inline(in, ADD_U64, &loopcount[b->loop], 1);
	}
	if (m.func || m.loop) {
		struct mark *p = need(1, sizeof *p);
		*p = m;
		qemu_plugin_register_vcpu_insn_exec_cb(in, on_iteration, NO_REGS, p);
	}
}
/* is_sve recognises SVE's loads, stores and prefetches, most of which QEMU before 8.1 doesn't report. */
static bool is_sve(struct qemu_plugin_insn *in)
{
	uint32_t w;
	if (!aarch64) return false;
	memcpy(&w, qemu_plugin_insn_data(in), 4);
	w >>= 25;
	return w == 0x42 || w == 0x52 || w == 0x62 || w == 0x72;
}
static void on_translate(qemu_plugin_id_t id, struct qemu_plugin_tb *tb)
{
	size_t n = qemu_plugin_tb_n_insns(tb), counted = n;
	struct use *u = need(n, sizeof *u);
	(void)id;
	enter();
	if (!located) locate();
	struct qemu_plugin_insn *in = qemu_plugin_tb_get_insn(tb, n - 1);
	uint64_t end = qemu_plugin_insn_vaddr(in) + qemu_plugin_insn_size(in);
	hdr->last = qemu_plugin_tb_vaddr(tb), hdr->lastn = n;
	/* An instruction that crosses a page is reported cut off at the end of one block, where it isn't executed,
	 * and again as a block of its own. What ends with a page counts itself. */
	if (n > 1 && !(end & ((1 << PAGE) - 1))) {
		counted = n - 1;
		qemu_plugin_register_vcpu_insn_exec_inline(in, ADD_U64, &hdr->insns, 1);
	}
	qemu_plugin_register_vcpu_tb_exec_inline(tb, ADD_U64, &hdr->insns, counted);
	for (size_t i = 0; i < n; i++) {
		in = qemu_plugin_tb_get_insn(tb, i);
		uint64_t pc = qemu_plugin_insn_vaddr(in), back = i < counted ? counted - i : 1;
		u[i] = (struct use){site_at(pc), back};
		starts(in, pc, i < counted ? back : 0); /* called before an instruction counts itself */
		if (is_sve(in)) {
			u[i].site->sve = true;
			qemu_plugin_register_vcpu_insn_exec_inline(in, ADD_U64, &hdr->sve, 1);
		}
		qemu_plugin_register_vcpu_mem_cb(in, on_mem, NO_REGS, u[i].site->picked ? MEM_RW : MEM_W, &u[i]);
	}
	leave();
}

/* ---- system calls that change memory ---- */
struct calls { const char *target; int64_t read, pread, recvfrom, mmap, munmap, mremap; };
static const struct calls known[] = {
	{"x86_64", 0, 17, 45, 9, 11, 25},
	{"aarch64", 63, 67, 207, 222, 215, 216},
	{"riscv64", 63, 67, 207, 222, 215, 216},
};
static const struct calls *calls;
static __thread uint64_t arg[3];
static void on_call(qemu_plugin_id_t id, unsigned cpu, int64_t num, uint64_t a, uint64_t b, uint64_t c, uint64_t d, uint64_t e, uint64_t f, uint64_t g, uint64_t h)
{
	(void)id, (void)cpu, (void)d, (void)e, (void)f, (void)g, (void)h;
	arg[0] = a, arg[1] = b, arg[2] = c;
	if (num == calls->munmap && !child) {
		enter();
		forget(a, b);
		leave();
	}
}
static void on_return(qemu_plugin_id_t id, unsigned cpu, int64_t num, int64_t ret)
{
	(void)id, (void)cpu;
	if (child || (ret < 0 && ret > -4096)) return;
	enter();
	if (num == calls->read || num == calls->pread || num == calls->recvfrom) forget(arg[1], ret);
	else if (num == calls->mmap) {
		forget(ret, arg[1]);
		if (arg[2] & PROT_EXEC) save_maps();
	}
	else if (num == calls->mremap) forget(arg[0], arg[1]), forget(ret, arg[2]);
	leave();
}
static void on_vcpu(qemu_plugin_id_t id, unsigned cpu) { (void)id, (void)cpu; hdr->vcpus++; }
static void on_exit_(qemu_plugin_id_t id, void *u) { (void)id, (void)u; if (!child) hdr->ended = 1; }

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *map = 0;
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "map=", 4)) map = argv[i] + 4;
		else if (!strncmp(argv[i], "out=", 4)) out = argv[i] + 4;
	if (!map || !out) die("map= and out= are needed");
	read_map(map);
	open_out(out);
	table = need(tablesize = 1 << 12, sizeof *table);
	distindex = need(NDI, sizeof *distindex), pairindex = need(NPI, sizeof *pairindex);
	aarch64 = !strcmp(info->target_name, "aarch64");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(info->target_name, known[i].target)) calls = &known[i];
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	if (calls) {
		qemu_plugin_register_vcpu_syscall_cb(id, on_call);
		qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
	}
	qemu_plugin_register_atexit_cb(id, on_exit_, 0);
	return 0;
}
