/* ---- shadow memory: a word for each 4 bytes, stamp << IDBITS | store; words of
 * which the bytes differ have the store SPLIT and a place in splits for the stamp ---- */
enum { PAGE = 12, WORDS = 1 << (PAGE - 2), TLB = 512 };
struct page { uint64_t key, last, w[WORDS]; };
struct split { uint64_t b[4]; };
static struct page **table, nopage; /* nopage: stands for those that no store has written to */
static struct { uint64_t key; struct page *page; } tlb[TLB]; /* the pages looked for last */
static uint64_t tablesize, npages;
static struct split *splits;
static uint64_t nsplits, capsplits, freesplit; /* freesplit: list through b[0], place + 1 */

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
/* find_page looks a page up in the table. */
static __attribute__((noinline)) struct page *find_page(uint64_t key, bool make, uint64_t now)
{
	uint64_t h = hash(key) & (tablesize - 1);
	while (table[h] && table[h]->key != key) h = (h + 1) & (tablesize - 1);
	struct page *p = table[h] ? table[h] : &nopage;
	if (!table[h] && make) {
		if (npages >= maxpages) evict(now);
		else if (2 * npages >= tablesize) retable(2 * tablesize, 0, 0, 0);
		p = need(1, sizeof *p);
		p->key = key, p->last = now;
		place(p);
		hdr->pages = ++npages;
	}
	return tlb[key % TLB].key = key, tlb[key % TLB].page = p;
}
/* page_at returns the page of an address, nopage if there is none and none is to be made. */
static inline struct page *page_at(uint64_t a, bool make, uint64_t now)
{
	uint64_t key = a >> PAGE;
	struct page *p = tlb[key % TLB].page;
	if (__builtin_expect(p && tlb[key % TLB].key == key && !(make && p == &nopage), 1)) return p;
	return find_page(key, make, now);
}
/* put makes w the writer of the bytes [a, a+n). */
static __attribute__((noinline)) void put(uint64_t a, uint64_t n, uint64_t w, uint64_t now)
{
	uint64_t end = a + n;
	while (a < end) {
		struct page *p = page_at(a, w != 0, now);
		uint64_t stop = ((a >> PAGE) + 1) << PAGE;
		if (stop > end || !stop) stop = end;
		if (p == &nopage) { a = stop; continue; }
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
/* put_quick does the same for the commonest: 4 or 8 bytes in whole words. */
static inline void put_quick(uint64_t a, uint64_t n, uint64_t w, uint64_t now)
{
	uint64_t i = a >> 2 & (WORDS - 1);
	if ((a & 3) || (n != 8 && n != 4) || i + n / 4 > WORDS) { put(a, n, w, now); return; }
	struct page *p = page_at(a, true, now);
	if (is_split(p->w[i]) || is_split(p->w[i + n / 4 - 1])) { put(a, n, w, now); return; }
	p->last = now, p->w[i] = p->w[i + n / 4 - 1] = w;
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

