package main

import (
	"encoding/json"
	"slices"
	"sort"
	"strconv"
)

func (t *tables) writeModels(w *writer) {
	for _, m := range t.sched.models {
		if len(m.rows) > 0 {
			w.file("sched-"+t.target+"-"+m.name, t.model(m))
		}
	}
}

func (t *tables) model(m schedModel) object {
	b := modelBuilder{model: m, variants: t.sched.variants[m.id], out: map[string]object{}, desc: newInterner(), pred: newInterner()}
	b.sets = unitSets(m.res)
	for i, r := range m.rows {
		b.class(i, r)
	}
	for i := range b.classes {
		if b.classes[i] == variantClass {
			b.variant(i)
		}
	}
	idioms := object{}
	var exprs []any
	for name, rows := range t.sched.idioms {
		var sel [][]any
		for _, r := range rows {
			if slices.Contains(r.procs, m.id) {
				sel = append(sel, []any{r.opcodes, r.expr})
				exprs = append(exprs, r.expr)
			}
		}
		if sel != nil {
			idioms[name] = sel
		}
	}
	helpers, external := t.calledFunctions(append(exprs, b.pred.list...))
	res := [][]any{}
	for _, r := range m.res {
		res = append(res, []any{r.name, r.units, r.super, r.buffer, r.members})
	}
	var cpus []string
	for c, name := range t.sched.cpus {
		if name == m.name {
			cpus = append(cpus, c)
		}
	}
	sort.Strings(cpus)
	if cpus == nil {
		cpus = []string{}
	}
	def := t.dump.models[m.name]
	var source any
	var locs []string
	if def.get("!locs", &locs) {
		source = ""
		if len(locs) > 0 {
			source = locs[0]
		}
	}
	var unsupported any
	if def != nil {
		unsupported = def.defs("UnsupportedFeatures")
	}
	return object{"model": m.name, "cpus": cpus, "params": m.params, "extra": m.extra, "source": source, "unsupported": unsupported,
		"coverage": t.coverage(b.classes), "res": res, "desc": b.desc.list, "classes": b.classes, "variants": b.out, "preds": b.pred.list,
		"helpers": helpers, "external": external, "idioms": idioms}
}

// Values for a class without its own descriptor.
const (
	noClass      = -1
	variantClass = -2
)

// interner numbers distinct values by their JSON text.
type interner struct {
	id   map[string]int
	list []any
}

func newInterner() interner { return interner{map[string]int{}, []any{}} }

func (n *interner) of(v any) int {
	text, _ := json.Marshal(v)
	i, ok := n.id[string(text)]
	if !ok {
		i = len(n.list)
		n.id[string(text)] = i
		n.list = append(n.list, v)
	}
	return i
}

// modelBuilder collects one model's descriptors and variants.
type modelBuilder struct {
	model      schedModel
	sets       [][]bool // resource → its units
	variants   map[int][]alternative
	classes    []int // class → descriptor, noClass, variantClass
	desc, pred interner
	out        map[string]object
}

func (b *modelBuilder) class(i int, r classRow) {
	switch r.uops {
	case invalidUops:
		b.classes = append(b.classes, noClass)
		return
	case variantUops:
		b.classes = append(b.classes, variantClass)
		return
	}
	uses, raw := b.collapse(r.uses)
	latencies := []any{}
	for _, l := range r.latencies {
		if l[1] == 0 {
			latencies = append(latencies, l[0])
		} else {
			latencies = append(latencies, l)
		}
	}
	list := [][]int{}
	for _, u := range uses {
		if u.acquire != 0 {
			list = append(list, []int{u.res, u.release, u.acquire})
		} else {
			list = append(list, []int{u.res, u.release})
		}
	}
	advance := r.advance
	if advance == nil {
		advance = [][]int{}
	}
	d := []any{r.uops, r.flags, latencies, list, advance, b.throughput(r)}
	if raw {
		d = append(d, 1) // the uses of enclosing groups are still in the list
	}
	b.classes = append(b.classes, b.desc.of(d))
}

// throughput returns the reciprocal throughput in cycles, rounded to six decimals.
func (b *modelBuilder) throughput(r classRow) float64 {
	best := 0.0 // instructions per cycle
	for _, u := range r.uses {
		if u.release == 0 || u.release == u.acquire {
			continue
		}
		x := float64(b.model.res[u.res].units) / float64(u.release-u.acquire)
		if best == 0 || x < best {
			best = x
		}
	}
	cycles := float64(r.uops) / float64(b.model.width)
	if best != 0 {
		cycles = 1 / best
	}
	cycles, _ = strconv.ParseFloat(strconv.FormatFloat(cycles, 'f', 6, 64), 64)
	return cycles
}

func (b *modelBuilder) variant(i int) {
	alts := [][]int{}
	for _, a := range b.variants[i] {
		alts = append(alts, []int{b.pred.of(a.pred), a.class})
	}
	b.out[strconv.Itoa(i)] = object{"alt": alts, "def": b.otherwise(i, nil)}
}

// otherwise returns the class of a variant if none of its conditions holds.
func (b *modelBuilder) otherwise(i int, seen []int) int {
	if b.classes[i] != variantClass {
		return i
	}
	if slices.Contains(seen, i) {
		return noClass
	}
	for _, a := range b.variants[i] {
		if a.pred == true {
			return b.otherwise(a.class, append(seen, i))
		}
	}
	return noClass
}

// unitSets returns the units of each resource: its members, or itself.
func unitSets(res []resource) [][]bool {
	sets := make([][]bool, len(res))
	for i, r := range res {
		sets[i] = make([]bool, len(res))
		if len(r.members) == 0 {
			sets[i][i] = true
		}
		for _, m := range r.members {
			sets[i][m] = true
		}
	}
	return sets
}

func includes(set, sub []bool) bool {
	for i, in := range sub {
		if in && !set[i] {
			return false
		}
	}
	return true
}

func size(set []bool) (n int) {
	for _, in := range set {
		if in {
			n++
		}
	}
	return n
}

// collapse reverses TableGen's expansion of resources, which for every used resource adds the same cycles to
// each group that contains it. The result is the uses as the model's author wrote them (and those of super
// resources). If the result would not expand to the original uses, raw is set and the uses are returned
// unchanged.
func (b *modelBuilder) collapse(all []use) (out []use, raw bool) {
	var given []use
	left, acquire := map[int]int{}, map[int]int{}
	for _, u := range all {
		if u.release > 0 { // entries of no cycles have no effect
			given = append(given, u)
			left[u.res], acquire[u.res] = u.release, u.acquire
		}
	}
	super := b.superUses(given)
	var order []int
	for r := range left {
		order = append(order, r)
	}
	sort.Slice(order, func(i, j int) bool {
		if a, c := size(b.sets[order[i]]), size(b.sets[order[j]]); a != c {
			return a < c
		}
		return order[i] < order[j]
	})
	for n, r := range order {
		if left[r] <= 0 {
			continue
		}
		out = append(out, use{r, left[r], acquire[r]})
		implied := left[r] - super[r]
		if implied <= 0 {
			continue
		}
		for _, g := range order[n+1:] {
			if g != r && len(b.model.res[g].members) > 0 && includes(b.sets[g], b.sets[r]) {
				left[g] -= implied
			}
		}
	}
	for _, v := range left {
		if v < 0 {
			return all, true
		}
	}
	if !sameUses(b.expand(out), given) {
		return all, true
	}
	return out, false
}

// superUses sums the cycles that uses imply for super resources.
func (b *modelBuilder) superUses(uses []use) map[int]int {
	m := map[int]int{}
	for _, u := range uses {
		if s := b.model.res[u.res].super; s != 0 {
			m[s] += u.release
		}
	}
	return m
}

// expand adds the uses of enclosing groups.
func (b *modelBuilder) expand(uses []use) []use {
	super := b.superUses(uses)
	release, acquire := map[int]int{}, map[int]int{}
	for _, u := range uses {
		release[u.res] += u.release
		acquire[u.res] = u.acquire
		implied := u.release - super[u.res]
		if implied <= 0 {
			continue
		}
		for g := 1; g < len(b.model.res); g++ {
			if g == u.res || len(b.model.res[g].members) == 0 || !includes(b.sets[g], b.sets[u.res]) {
				continue
			}
			release[g] += implied
			if _, ok := acquire[g]; !ok {
				acquire[g] = u.acquire
			}
		}
	}
	var out []use
	for r, c := range release {
		out = append(out, use{r, c, acquire[r]})
	}
	return out
}

// sameUses reports whether two lists are equal except for their order.
func sameUses(a, b []use) bool {
	less := func(x, y use) int {
		if x.res != y.res {
			return x.res - y.res
		}
		if x.release != y.release {
			return x.release - y.release
		}
		return x.acquire - y.acquire
	}
	a, b = slices.Clone(a), slices.Clone(b)
	slices.SortFunc(a, less)
	slices.SortFunc(b, less)
	return slices.Equal(a, b)
}

// calledFunctions returns the predicate functions that expressions call, directly or through others: those
// that TableGen defines (helpers), and those that LLVM implements in C++ (external).
func (t *tables) calledFunctions(exprs []any) (helpers object, external []string) {
	called := map[string]bool{}
	var visit func(e any)
	visit = func(e any) {
		l, ok := e.([]any)
		if !ok || len(l) == 0 {
			return
		}
		if l[0] == "fn" || l[0] == "fneq" {
			if name := l[1].(string); !called[name] {
				called[name] = true
				for _, row := range t.insts.helpers[name] {
					visit(row.expr)
				}
			}
		}
		for _, x := range l[1:] {
			visit(x)
		}
	}
	for _, e := range exprs {
		visit(e)
	}
	helpers, external = object{}, []string{}
	for _, name := range sorted(called) {
		rows, ok := t.insts.helpers[name]
		if !ok {
			external = append(external, name)
			continue
		}
		list := [][]any{}
		for _, r := range rows {
			if r.opcodes == nil {
				list = append(list, []any{"default", r.expr})
			} else {
				list = append(list, []any{r.opcodes, r.expr})
			}
		}
		helpers[name] = list
	}
	return helpers, external
}

// coverage counts the forms with assembly text by what the model has for them.
func (t *tables) coverage(classes []int) object {
	out := object{}
	count := func(k string) {
		n, _ := out[k].(int)
		out[k] = n + 1
	}
	for _, r := range t.dump.insts {
		d := t.insts.byName[r.name]
		if d == nil || t.dump.vpseudo[r.name] || r.num("isPseudo") != 0 || r.num("isCodeGenOnly") != 0 || slices.Contains(d.flags, "Pseudo") {
			continue
		}
		switch classes[d.class] {
		case noClass:
			count("invalid")
		case variantClass:
			count("variant")
		default:
			count("ok")
		}
	}
	return out
}
