package main

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// line is a row before it is written: rows of a level with the same body are merged.
type line struct {
	level int // rows of higher levels override those of lower levels
	body  string
	forms []string
}

// convert writes an LLVM scheduling model as a model file.
func convert(s *sched, fs *formSource) (string, error) {
	fs.index()
	p, err := newPortMap(s)
	if err != nil {
		return "", err
	}
	c := &converter{s: s, fs: fs, p: p, pipes: pipesOf(s.Model), tags: map[int]bool{}, loads: map[string]int{}}
	for _, d := range s.Desc {
		for _, a := range d.Advance {
			c.tags[a[1]] = true
		}
	}
	delete(c.tags, 0)
	for kind, f := range plainLoads[s.Target] {
		if d := c.formDesc(f); d != nil {
			c.loads[kind] = maxLatency(d)
		}
	}
	c.findParts()
	c.findStandIns()
	rows, err := c.rows()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	c.header(&b)
	fmt.Fprintf(&b, "\nsource: llvm %s\n", s.Model)
	for _, r := range rows {
		writeRow(&b, r)
	}
	return b.String(), nil
}

func (c *converter) header(b *strings.Builder) {
	s := c.s
	fmt.Fprintf(b, madeBy+"%s (%s); do not edit, correct it in a model over it.\n", s.LLVM, s.Source)
	b.WriteString("# Figures: Apache-2.0 WITH LLVM-exception, the LLVM contributors; licence text beside the models.\n")
	fmt.Fprintf(b, "name: llvm/%s\ntitle: LLVM's %s\nisa: %s\n", s.Model, s.Model, isaNames[s.Target])
	wrapped(b, "cpus: ", strings.Join(s.CPUs, " "))
	total := 0
	for _, n := range s.Coverage {
		total += n
	}
	fmt.Fprintf(b, "coverage: %d of %d forms\n", total-s.Coverage["invalid"], total)
	var ports, res []string
	for i, n := range c.p.ports {
		if c.p.isRes[i] {
			res = append(res, n)
		} else {
			ports = append(ports, n)
		}
	}
	wrapped(b, "ports: ", strings.Join(ports, " "))
	if len(res) > 0 {
		wrapped(b, "resources: ", strings.Join(res, " "))
	}
	for _, g := range c.p.groups {
		b.WriteString(g + "\n")
	}
	param := func(name string, v int, what string) {
		if v > 0 {
			fmt.Fprintf(b, "param %s: %d  # llvm %s\n", name, v, what)
		}
	}
	q := s.Params
	param("llvm-issue-width", q.IssueWidth, "IssueWidth")
	param("dispatch-width", q.IssueWidth, "IssueWidth")
	param("load-latency", c.loads["int"], "latency of "+plainLoads[s.Target]["int"])
	if c.loads["int"] == 0 {
		param("load-latency", q.LoadLatency, "LoadLatency")
	}
	param("mispredict", q.MispredictPenalty, "MispredictPenalty")
	if q.MicroOpBufferSize <= 1 {
		b.WriteString("param in-order: true  # llvm MicroOpBufferSize\n")
	} else if s.Extra == nil || s.Extra.ReorderBufferSize == 0 {
		param("rob", q.MicroOpBufferSize, "MicroOpBufferSize")
	}
	if x := s.Extra; x != nil {
		param("rob", x.ReorderBufferSize, "ReorderBufferSize")
		param("retire-width", x.MaxRetirePerCycle, "MaxRetirePerCycle")
		if x.LoadQueue > 0 {
			param("load-queue", s.Res[x.LoadQueue].Buffer, "LoadQueue")
		}
		if x.StoreQueue > 0 {
			param("store-queue", s.Res[x.StoreQueue].Buffer, "StoreQueue")
		}
	}
	for _, x := range []struct{ name, form string }{{"loads-per-cycle", plainLoads[s.Target]["int"]}, {"stores-per-cycle", plainStores[s.Target]}} {
		if d := c.formDesc(x.form); d != nil {
			if r, _ := c.rthru(d); r > 0 {
				fmt.Fprintf(b, "param %s: %s  # llvm reciprocal throughput of %s\n", x.name, strconv.FormatFloat(1/r, 'g', 4, 64), x.form)
			}
		}
	}
}

// rows makes the rows of all classes, in the order in which they must stand.
func (c *converter) rows() ([]*line, error) {
	index := map[string]*line{}
	var out []*line
	add := func(level int, body, form string) {
		key := fmt.Sprint(level, " ", body)
		l := index[key]
		if l == nil {
			l = &line{level: level, body: body}
			index[key] = l
			out = append(out, l)
		}
		l.forms = append(l.forms, form)
	}
	classes := make([]int, 0, len(c.fs.class))
	for k := range c.fs.class {
		classes = append(classes, k)
	}
	sort.Ints(classes)
	for _, f := range endBranches {
		if c.fs.name[f] != nil && c.standIns[c.formDesc(f)] {
			add(1, c.cost(c.formDesc("NOOP"), c.fs.name["NOOP"]), f)
		}
	}
	for _, f := range microcoded {
		if d := c.formDesc(f); c.fs.name[f] != nil && len(c.standIns) > 0 && !c.standIns[d] && maxLatency(d) <= 1 {
			uops, _, _ := c.uops(d, c.fs.name[f])
			add(1, fmt.Sprintf("%s | %d | stand-in", uops, standInLatency), f)
		}
	}
	for _, k := range classes {
		forms := c.fs.class[k]
		sort.Slice(forms, func(i, j int) bool {
			if len(forms[i].N) != len(forms[j].N) {
				return len(forms[i].N) < len(forms[j].N)
			}
			return forms[i].N < forms[j].N
		})
		level := 0
		if err := c.class(k, &choice{forms, exprsTrue(forms), c.fs.selectors(forms), add}, &level, 0); err != nil {
			return nil, fmt.Errorf("class of %s: %w", forms[0].N, err)
		}
	}
	c.vectors(add)
	if d := c.formDesc("JAL"); d != nil { // linkers relax calls to near targets to JAL
		body := c.cost(d, c.fs.name["JAL"])
		for _, f := range []string{"PseudoCALL", "PseudoCALLReg", "PseudoTAIL", "PseudoJump"} {
			add(0, body, f)
		}
	}
	if err := c.idioms(add); err != nil {
		return nil, err
	}
	for _, l := range out {
		sort.Strings(l.forms)
	}
	sort.SliceStable(out, func(i, j int) bool {
		if out[i].level != out[j].level {
			return out[i].level < out[j].level
		}
		return out[i].forms[0] < out[j].forms[0]
	})
	return out, nil
}

func exprsTrue(forms []*form) []expr { return make([]expr, len(forms)) }

// choice holds the forms of a scheduling class, the condition under which each has a cost, the selector of all of them, and the list for the rows.
type choice struct {
	forms []*form
	when  []expr
	sel   []string
	add   func(level int, body, form string)
}

// class adds the rows of one scheduling class: its cost, or its alternatives from the last (which
// holds where no other does) to the first.
func (c *converter) class(k int, x *choice, level *int, depth int) error {
	switch i := c.s.Classes[k]; {
	case i >= 0:
		c.emit(&c.s.Desc[i], x, *level)
		*level++
		return nil
	case i == -1 || depth > 8:
		return nil
	}
	v := c.s.Variants[strconv.Itoa(k)]
	for n := len(v.Alt) - 1; n >= 0; n-- {
		sub := *x
		sub.when = make([]expr, len(x.forms))
		for i, f := range x.forms {
			e, err := c.s.predicate(c.s.Preds[v.Alt[n][0]], f.N)
			if err != nil {
				return err
			}
			sub.when[i] = both(x.when[i], e)
		}
		if err := c.class(v.Alt[n][1], &sub, level, depth+1); err != nil {
			return err
		}
	}
	return nil
}

// emit adds one cost for the forms of a class, each under its condition; one row for
// all where the condition is the same.
func (c *converter) emit(d *desc, x *choice, level int) {
	same := true
	for _, w := range x.when {
		same = same && w == x.when[0]
	}
	for i, f := range x.forms {
		if x.when[i] == exprFalse {
			continue
		}
		body := c.cost(d, f)
		if x.when[i] != exprTrue {
			if strings.Count(body, " | ") == 1 {
				body += " |"
			}
			body += " when=" + x.when[i]
		}
		if same {
			for _, s := range x.sel {
				x.add(level, body, s)
			}
			return
		}
		x.add(level, body, f.N)
	}
}

var lmulNames = map[int]string{0: "m1", 1: "m2", 2: "m4", 3: "m8", 5: "mf8", 6: "mf4", 7: "mf2"}

// vectors adds the classes that RISC-V vector forms have under a known LMUL and SEW.
func (c *converter) vectors(add func(int, string, string)) {
	names := make([]string, 0, len(c.fs.RVV))
	for n := range c.fs.RVV {
		names = append(names, n)
	}
	sort.Strings(names)
	if c.fs.tables != nil {
		c.vectorsByForm(names, add)
		return
	}
	done := map[int]bool{}
	for _, n := range names {
		f := c.fs.name[n]
		if f == nil {
			continue
		}
		for _, e := range c.fs.RVV[n] {
			if done[e[2]] || len(c.fs.class[e[2]]) > 0 {
				continue
			}
			done[e[2]] = true
			d := c.classOf(e[2])
			if d == nil {
				continue
			}
			sel := "@" + n + "/" + lmulNames[e[0]]
			if e[1] != 0 {
				sel += fmt.Sprintf(",e%d", e[1])
			}
			add(0, c.cost(d, f), sel)
		}
	}
}

// vectorsByForm does the same as vectors if the classes of incore's tables are those of another version of LLVM: if all forms of a class have the same cost, it writes one row for the class.
func (c *converter) vectorsByForm(names []string, add func(int, string, string)) {
	const typedLevel = 500 // overrides the rows that name forms without a type
	type typed struct{ body, form, vtype string }
	classes := map[int][]typed{}
	var order []int
	for _, n := range names {
		f := c.fs.name[n]
		if f == nil {
			continue
		}
		for _, e := range c.fs.tables.RVV[n] {
			if e[1] == 0 && slices.ContainsFunc(c.fs.RVV[n], func(x [3]int) bool { return x[0] == e[0] && x[1] != 0 }) {
				c.vectorBySize(f, e[0], func(body, sel string) { add(typedLevel, body, sel) })
				continue
			}
			d := c.classOf(vectorClass(c.fs.RVV[n], f.SC, e[0], e[1]))
			if d == nil {
				continue
			}
			vt := lmulNames[e[0]]
			if e[1] != 0 {
				vt += fmt.Sprintf(",e%d", e[1])
			}
			if classes[e[2]] == nil {
				order = append(order, e[2])
			}
			classes[e[2]] = append(classes[e[2]], typed{c.cost(d, f), n, vt})
		}
	}
	for _, k := range order {
		same := len(c.fs.tables.class[k]) == 0
		for _, t := range classes[k] {
			same = same && t.body == classes[k][0].body
		}
		for _, t := range classes[k] {
			if same {
				add(typedLevel, t.body, "@"+t.form+"/"+t.vtype)
				break
			}
			add(typedLevel, t.body, t.form+"/"+t.vtype)
		}
	}
}

// vectorBySize adds the costs of a form under an LMUL for each SEW, which the classes of incore's tables don't distinguish.
func (c *converter) vectorBySize(f *form, lmul int, add func(body, sel string)) {
	for _, e := range c.fs.RVV[f.N] {
		if d := c.classOf(e[2]); d != nil && e[0] == lmul && e[1] != 0 {
			add(c.cost(d, f), fmt.Sprintf("%s/%s,e%d", f.N, lmulNames[lmul], e[1]))
		}
	}
}

// vectorClass returns the class of a vector form under an LMUL and an SEW (tools/llvmextract/README.md): the pair's class, otherwise the LMUL's, otherwise the form's own.
func vectorClass(rvv [][3]int, own, lmul, sew int) int {
	for _, e := range rvv {
		if e[0] == lmul && e[1] == sew {
			return e[2]
		}
	}
	for _, e := range rvv {
		if e[0] == lmul && e[1] == 0 {
			return e[2]
		}
	}
	return own
}

// idioms adds the flags that LLVM states in separate predicates.
func (c *converter) idioms(add func(int, string, string)) error {
	const last = 1000
	for i, x := range []struct{ llvm, flag string }{{"isDependencyBreaking", "dep-break"}, {"isZeroIdiom", "zero-idiom"}, {"isOptimizableRegisterMove", "move-elim"}} {
		for _, e := range c.s.Idioms[x.llvm] {
			ops, ok := e[0].([]any)
			if !ok {
				return fmt.Errorf("%s: unexpected %v", x.llvm, e[0])
			}
			for _, o := range ops {
				name, _ := o.(string)
				f := c.fs.name[name]
				if f == nil || c.fs.is(f, "Pseudo") {
					continue
				}
				when, err := c.s.predicate(e[1], name)
				if err != nil {
					return err
				}
				body := "= | = | " + x.flag
				if when == exprFalse {
					continue
				}
				if when != exprTrue {
					body += " when=" + when
				}
				add(last+i, body, name)
			}
		}
	}
	return nil
}

const width = 150

// writeRow writes a row, its forms wrapped.
func writeRow(b *strings.Builder, l *line) {
	wrapped(b, "", strings.Join(l.forms, " ")+" | "+l.body)
}

func wrapped(b *strings.Builder, head, text string) {
	n := len(head)
	b.WriteString(head)
	for i, w := range strings.Split(text, " ") {
		if i > 0 {
			if n+1+len(w) > width {
				b.WriteString("\n ")
				n = 1
			}
			b.WriteByte(' ')
			n++
		}
		b.WriteString(w)
		n += len(w)
	}
	b.WriteByte('\n')
}
