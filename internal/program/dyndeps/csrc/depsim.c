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
 * The parts are compiled as one, in this order: qemu.h, map.c (results, and what to look at), shadow.c (the shadow memory), sve.c, and this file.
 */

/* ---- dependences ---- */
static uint32_t *distindex, *pairindex; /* hash tables of places + 1 */
enum { NDI = 2 * MAXDISTS, NPI = 2 * MAXPAIRS };

/* common_loop returns the innermost loop that holds both. */
static struct loop *common_loop(struct site *l, struct site *s)
{
	struct loop *a = l->loop, *b = s->loop;
	if (l->func != s->func) return 0;
	while (a && a != b) {
		if (!b) return 0;
		if (a->depth >= b->depth) a = a->up;
		else b = b->up;
	}
	return a;
}
/* began returns when the iteration i before the current one began. */
static inline uint64_t began(struct loop *x, uint32_t i) { return x->ring[(x->n - 1 - i) % RING]; }

/* iterations counts those begun after a time, up to MAXDIST. It is often the same as for the load before: guess. */
static inline int iterations(struct loop *x, uint64_t t, int guess)
{
	uint32_t n = x->n < RING - 1 ? x->n : RING - 1, lo = 0, hi = n, g = guess;
	if (g <= n && (!g || began(x, g - 1) > t) && (g == n || began(x, g) <= t)) return g;
	while (lo < hi) { /* those begun after t are a prefix, newest first */
		uint32_t m = (lo + hi) / 2;
		if (began(x, m) > t) lo = m + 1;
		else hi = m;
	}
	return lo < MAXDIST ? lo : MAXDIST;
}
/* carrier finds the loop that carries a dependence on a store at time t, and how many of its iterations have begun
 * since: the outermost of the loops that hold both and have gone on to another iteration, else (distance 0)
 * the innermost. Loop 0: no loop holds both (distance 0), or the function has been called again (distance -1). */
static inline struct loop *carrier(struct site *l, struct site *s, struct loop *near, uint64_t t, int guess, int *distance)
{
	if (!l->func || l->func != s->func || t < l->func->last) { *distance = -1; return 0; }
	struct loop *a = near;
	for (struct loop *q = near; q; q = q->up)
		if (t < q->last) a = q;
	*distance = a ? iterations(a, t, guess) : 0;
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
static __attribute__((noinline)) uint32_t dist_of(struct site *l, struct site *s, int loop, int distance)
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
static inline void count_within(uint64_t *within, uint64_t life, uint64_t until)
{
	for (unsigned i = 0; i < WINDOWS; i++) within[i] += life < windows[i] && until >= windows[i];
}
/* depends notes that a load reads what w wrote. A load counts once for each store
 * instruction, however many pieces it is reported in. */
static __attribute__((noinline)) void depends(struct site *l, uint64_t w, uint64_t now)
{
	struct site *s = ids[w & SPLIT];
	uint64_t t = w >> IDBITS, life = now - t - 1;
	if (life >= lifetime) return;
	struct last *x = &l->lasts[s->id % 4];
	if (x->store != s) *x = (struct last){.store = s, .near = common_loop(l, s)};
	int distance;
	struct loop *loop = carrier(l, s, x->near, t, x->distance, &distance);
	if (!x->dist || loop != x->loop || distance != x->distance) {
		uint32_t at = dist_of(l, s, loop ? loop - loops : -1, distance);
		if (!at) { hdr->lost++; return; }
		x->loop = loop, x->distance = distance, x->dist = &dists[at - 1], x->pair = &pairs[x->dist->pair];
	}
	struct dist *d = x->dist;
	struct pair *p = x->pair;
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

static __attribute__((noinline)) void load(struct site *l, uint64_t now, uint64_t a, uint64_t n)
{
	uint64_t end = a + n, before = 0;
	while (a < end) {
		struct page *p = page_at(a, false, now);
		uint64_t stop = ((a >> PAGE) + 1) << PAGE;
		if (stop > end || !stop) stop = end;
		if (p == &nopage) { a = stop; continue; }
		while (a < stop) {
			uint64_t w = p->w[a >> 2 & (WORDS - 1)], next = (a | 3) + 1;
			if (is_split(w)) w = splits[w >> IDBITS].b[a & 3], next = a + 1;
			if (w && w != before) depends(l, before = w, now);
			a = next;
		}
	}
}
/* load_quick does the same for the commonest: 4 or 8 bytes in whole words that one store has written. */
static inline void load_quick(struct site *l, uint64_t now, uint64_t a, uint64_t n)
{
	uint64_t i = a >> 2 & (WORDS - 1);
	if ((a & 3) || (n != 8 && n != 4) || i + n / 4 > WORDS) { load(l, now, a, n); return; }
	struct page *p = page_at(a, false, now);
	uint64_t w = p->w[i];
	if (w != p->w[i + n / 4 - 1] || is_split(w)) load(l, now, a, n);
	else if (w) depends(l, w, now);
}
static __attribute__((noinline)) void name_store(struct site *s)
{
	if (nids < SPLIT - 1) ids[s->id = ++nids] = s, hdr->nsites = nids;
}
static inline void store(struct site *s, uint64_t now, uint64_t a, uint64_t n)
{
	if (__builtin_expect(!s->id, 0)) name_store(s);
	put_quick(a, n, s->id ? now << IDBITS | s->id : 0, now);
}
static inline void access_alone(struct site *s, uint64_t now, uint64_t a, uint64_t n, bool is_store)
{
	if (is_store) {
		if (s->stored != now) s->stored = now, hdr->stores++;
		store(s, now, a, n);
	} else {
		if (s->loaded != now) s->loaded = now, hdr->loads++;
		load_quick(s, now, a, n);
	}
}
static void access_(struct site *s, uint64_t now, uint64_t a, uint64_t n, bool is_store)
{
	enter();
	access_alone(s, now, a, n, is_store);
	leave();
}

/* ---- callbacks ---- */
/* kind_of notes what QEMU says of an access. */
static __attribute__((noinline)) void kind_of(struct use *x, qemu_plugin_meminfo_t i)
{
	x->info = i, x->size = 1ull << qemu_plugin_mem_size_shift(i), x->store = qemu_plugin_mem_is_store(i);
	x->skip = !x->site->picked && !x->store; /* QEMU 7.2 calls for both, whatever was asked for */
}
static __attribute__((noinline)) void on_mem_among_others(struct use *x, uint64_t a)
{
	if (!child) access_(x->site, hdr->insns - x->back, a, x->size, x->store);
}
/* on_mem is where the time goes: the commonest accesses get by without a call. */
static void on_mem(unsigned cpu, qemu_plugin_meminfo_t i, uint64_t a, void *u)
{
	struct use *x = u;
	(void)cpu;
	if (__builtin_expect(x->info != i, 0)) kind_of(x, i);
	if (x->skip) return;
	if (__builtin_expect(!alone, 0)) on_mem_among_others(x, a);
	else access_alone(x->site, hdr->insns - x->back, a, x->size, x->store);
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
/* ---- SVE: what QEMU doesn't report ---- */
struct hidden { struct use *use; uint64_t back; struct sve sve; }; /* back: as of use, but before it counts itself */
static __thread struct hidden *pending;        /* executed, but its accesses are not known yet */
static __thread uint64_t pending_at;           /* when it was */
static __thread uint8_t pending_vector[256];
static uint64_t resumes[64]; /* where blocks go on after one that ends with a hidden access; by hash */

static void hidden_run(void *u, uint64_t a, uint64_t n)
{
	struct hidden *h = u;
	access_(h->use->site, pending_at, a, n, h->sve.store);
}
/* on_hidden is called before a hidden access, while its address vector is still there. */
static void on_hidden(unsigned cpu, void *u)
{
	struct hidden *h = u;
	if (child) return;
	pending = h, pending_at = hdr->insns - h->back;
	if (h->sve.mode >= GATHER && sve_cpu(cpu)) memcpy(pending_vector, sve_register(REG_Z + (h->sve.mode == GATHER ? h->sve.rm : h->sve.rn)), cpu_state.vl);
}
/* on_after is called before the instruction after it, with it if both are in one block. */
static void on_after(unsigned cpu, void *u)
{
	struct hidden *h = pending;
	if (!h) return;
	pending = 0;
	if (hdr->vcpus == 1 && hdr->insns - pending_at != (u ? h->back : 1)) return; /* not the next: a signal came between */
	struct site *s = h->use->site;
	bool reported = s->loaded == pending_at || s->stored == pending_at; /* by QEMU; of faulting ones, the first element only */
	if (!reported || (h->sve.faulting && !cpu_state.broken)) {
		if (!sve_cpu(cpu)) return;
		hdr->vectorbytes = cpu_state.vl;
		sve_accesses(&h->sve, pending_vector, hidden_run, h);
	}
	hdr->sveseen++;
}
/* hidden_access looks after an instruction that may be one; it returns what the next one has to call on_after with. */
static struct hidden *hidden_access(struct qemu_plugin_insn *in, struct use *u, uint64_t back, bool last)
{
	struct sve a;
	uint32_t w;
	memcpy(&w, qemu_plugin_insn_data(in), sizeof w);
	enum sve_kind kind = sve_decode(w, &a);
	if (kind < SVE_HIDDEN || (kind == SVE_HIDDEN && !a.store && !u->site->picked)) return 0;
	qemu_plugin_register_vcpu_insn_exec_inline(in, ADD_U64, &hdr->sve, 1);
	if (kind == SVE_UNKNOWN) return 0;
	struct hidden *h = need(1, sizeof *h);
	h->use = u, h->back = back, h->sve = a;
	qemu_plugin_register_vcpu_insn_exec_cb(in, on_hidden, READ_REGS, h);
	if (!last) return h;
	uint64_t next = qemu_plugin_insn_vaddr(in) + 4;
	resumes[hash(next) % 64] = next;
	return 0;
}
/* resumed reports whether a block may go on after such an access: at the start of a page, or where one was seen to end. */
static bool resumed(uint64_t pc) { return !(pc & ((1 << PAGE) - 1)) || resumes[hash(pc) % 64] == pc; }
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
	struct hidden *after = 0;
	if (aarch64 && resumed(hdr->last)) qemu_plugin_register_vcpu_tb_exec_cb(tb, on_after, READ_REGS, 0);
	for (size_t i = 0; i < n; i++) {
		in = qemu_plugin_tb_get_insn(tb, i);
		uint64_t pc = qemu_plugin_insn_vaddr(in), back = i < counted ? counted - i : 1;
		u[i] = (struct use){.site = site_at(pc), .back = back, .info = ~0u};
		if (after) qemu_plugin_register_vcpu_insn_exec_cb(in, on_after, READ_REGS, after);
		starts(in, pc, i < counted ? back : 0); /* called before an instruction counts itself */
		after = aarch64 ? hidden_access(in, &u[i], i < counted ? back : 0, i + 1 == n) : 0;
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
	cpu_state.vl = 0; /* prctl may have changed it */
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
static void on_vcpu(qemu_plugin_id_t id, unsigned cpu)
{
	(void)id, (void)cpu;
	if (++hdr->vcpus > 1) alone = false;
}
static void on_rewritten(uint64_t pc)
{
	if (child) rewritten_elsewhere(pc);
	else hdr->rewritten = pc;
}
static void on_exit_(qemu_plugin_id_t id, void *u) { (void)id, (void)u; if (!child) hdr->ended = 1; }

EXPORT int qemu_plugin_install(qemu_plugin_id_t id, const struct qemu_info *info, int argc, char **argv)
{
	const char *map = 0;
	for (int i = 0; i < argc; i++)
		if (!strncmp(argv[i], "map=", 4)) map = argv[i] + 4;
		else if (!strncmp(argv[i], "out=", 4)) out = argv[i] + 4;
		else if (!strcmp(argv[i], "registers=no")) cpu_state.broken = true; /* as if QEMU did not export them */
	if (!map || !out) die("map= and out= are needed");
	read_map(map);
	if (!lifetime) lifetime = ~0ull;
	open_out(out);
	table = need(tablesize = 1 << 12, sizeof *table);
	distindex = need(NDI, sizeof *distindex), pairindex = need(NPI, sizeof *pairindex);
	aarch64 = !strcmp(info->target_name, "aarch64");
	for (size_t i = 0; i < sizeof known / sizeof *known; i++)
		if (!strcmp(info->target_name, known[i].target)) calls = &known[i];
	qemu_plugin_register_vcpu_init_cb(id, on_vcpu);
	qemu_plugin_register_vcpu_tb_trans_cb(id, on_translate);
	rewritten = on_rewritten;
	if (calls) {
		qemu_plugin_register_vcpu_syscall_cb(id, on_call);
		qemu_plugin_register_vcpu_syscall_ret_cb(id, on_return);
	}
	qemu_plugin_register_atexit_cb(id, on_exit_, 0);
	return 0;
}
