/* ---- results: the layout is read by trace.go ---- */
enum { WINDOWS = 2, MAXDIST = 255 };
#define MAGIC 0x31304d4953504544ull /* "DEPSIM01" */
#define MAXPAIRS (1u << 20)
#define MAXDISTS (1u << 21)

struct header {
	uint64_t magic, ended, bias, insns, loads, stores, npairs, ndists, lost; /* lost: dependences for which there was no room */
	uint64_t pages, evicted, vcpus, forks, sve, sveseen, last, nblocks, nloops, nfuncs, nsites; /* last: the code translated last */
	/* sve: executions of SVE's and SME's accesses that QEMU before 8.1 does not report; sveseen: of these, those that were seen, by QEMU or by sve.c; vectorbytes: SVE's length */
	uint64_t lastn, guestbase, vectorbytes, rewritten, spare[8]; /* rewritten: code that the program wrote through another mapping, and that ended it */
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
struct loop { /* ring: stamps of the starts of iterations */
	uint64_t header, last;
	struct loop *up;
	int depth;
	uint32_t n;
	uint64_t ring[RING];
};
struct func { uint64_t entry, last; };
struct block { uint64_t lo, hi; int loop, func; };
struct range { uint64_t lo, hi; };
static struct loop *loops;
static struct func *funcs;
static struct block *blocks;
static struct range *picks;
static uint64_t nloops, nfuncs, nblocks, npicks, windows[WINDOWS], lifetime, maxpages = 1 << 17, base, bias;
static unsigned nwindows;
static const char *out;
static bool whole = true, located, aarch64;
static bool child, alone = true; /* this is a forked child; no child and one thread */

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
		else if (!strcmp(w, "window") && nwindows < WINDOWS) windows[nwindows++] = a;
		else if (!strcmp(w, "loop") && il < nloops) loops[il].header = a, loops[il].up = c < 0 ? 0 : &loops[c], loops[il++].depth = d;
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
	child = true, alone = false;
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
	bool picked;
	struct loop *loop; /* innermost; 0: none */
	struct func *func;
	uint64_t loaded, stored; /* when it last accessed memory */
	/* of a load, for the stores that it read from last: the innermost loop that holds both, and the dependence counted last */
	struct last { struct site *store; struct loop *near, *loop; int distance; struct dist *dist; struct pair *pair; } lasts[4];
	struct { uint64_t key; uint32_t at; } memo[4];
	struct site *next;
};
struct use { /* an instruction in a translated block */
	struct site *site;
	uint64_t back; /* from the count at the end of the block to the instruction's own */
	uint64_t size; /* of the access that QEMU calls info, in bytes */
	uint32_t info;
	bool store, skip;
};
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
	s->pc = vaddr, s->loop = b && b->loop >= 0 ? &loops[b->loop] : 0, s->func = b && b->func >= 0 ? &funcs[b->func] : 0, s->picked = picked(vaddr);
	s->next = sites[h], sites[h] = s;
	return s;
}
