package analyze

import (
	"bufio"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"incore/internal/base/finite"
	"incore/internal/base/regex"
	"incore/internal/foreign/perfdata"
	"incore/internal/foreign/pprof"
	"incore/internal/object"
	"incore/internal/report"
)

// Profile holds the time that a program spent at each place of its code, in samples or in costs.
type Profile struct {
	Kind   string // "perf.data", "perf script", "callgrind", "pprof"
	places map[place]float64
	total  float64
	// objects holds the cost in each executable and library that the profile names, by path.
	objects map[string]float64
	// ids holds the build ids of executables and libraries, by path.
	ids       map[string]string
	recording *recording // of perf.data; else nil
}

// place is a place of the code as profiles name it: an offset in a function, or a source line of a function.
type place struct {
	object   string // path of the executable or library, "" if the profile does not name it
	function string
	addr     uint64 // offset from the function's start if relative, else an address
	relative bool
	offset   bool // addr is an offset in the object's file
	line     int  // 0: addr is the place; -1: neither is known
}

// packed are the first bytes of compressed files.
var packed = map[string]string{"xz": "\xfd7zXZ", "zstd": "\x28\xb5\x2f\xfd", "bzip2": "BZh"}

// ReadProfile reads a file of perf record's, the output of perf script, an output file of callgrind, or a profile of pprof.
func ReadProfile(in io.Reader) (*Profile, error) {
	r := bufio.NewReaderSize(in, 1<<16)
	if _, err := r.Peek(1); err == io.EOF {
		return nil, errors.New("is empty: has the recording failed?")
	}
	if head, _ := r.Peek(len(perfdata.Magic)); perfdata.Is(head) {
		return readPerf(r)
	}
	if head, _ := r.Peek(pprof.HeadSize); pprof.Is(head) {
		return readPprof(r)
	}
	for name, magic := range packed {
		if head, _ := r.Peek(len(magic)); string(head) == magic {
			return nil, errors.New("is compressed by " + name + ": decompress it first")
		}
	}
	p := &Profile{places: map[place]float64{}, objects: map[string]float64{}}
	sc := bufio.NewScanner(r)
	sc.Buffer(make([]byte, 0, 1<<16), 1<<20)
	perf, grind := perfReader{p: p}, grindReader{p: p, names: map[string]string{}, objects: map[string]string{}}
	for sc.Scan() {
		line := sc.Text()
		if grind.seen(line) {
			grind.line(line)
		} else {
			perf.line(line)
		}
	}
	if err := sc.Err(); err != nil {
		return nil, err
	}
	if p.Kind = "perf script"; grind.on {
		p.Kind = "callgrind"
		grind.flush()
	}
	if p.total == 0 {
		return nil, errors.New("holds no samples: no profile of perf or pprof, nor a file of callgrind's (valgrind --tool=callgrind --dump-instr=yes writes one)")
	}
	return p, nil
}

// readPprof reads a profile of pprof.
func readPprof(in io.Reader) (*Profile, error) {
	x, err := pprof.Read(in)
	if err != nil {
		return nil, err
	}
	p := &Profile{Kind: "pprof", places: map[place]float64{}, objects: map[string]float64{}, ids: x.IDs}
	for at, n := range x.Places {
		switch {
		case at.Function == "":
			p.add(place{object: at.Object, addr: at.Offset, offset: true}, n)
		case at.Line > 0:
			p.add(place{object: at.Object, function: at.Function, line: at.Line}, n)
		default:
			p.add(place{object: at.Object, function: at.Function, line: -1}, n)
		}
	}
	p.total += x.Lost
	return p, nil
}

func (p *Profile) add(at place, n float64) {
	p.places[at] += n
	p.total += n
	if at.object != "" {
		p.objects[at.object] += n
	}
}

// perfReader reads the output of perf script. A sample is either one line with its address and symbol, or
// a header line followed by lines with the addresses of its call stack, the innermost first.
type perfReader struct {
	p     *Profile
	taken bool // the place of the current sample is known
}

var perfFrame = regex.Lazy(`^(?:.*\s)?([0-9a-f]{4,16})\s+(\S.*?)(?:\+0x([0-9a-f]+))?\s+\(([^()]*(?:\([^()]*\))?[^()]*)\)\s*$`)

func (r *perfReader) line(s string) {
	frame := perfFrame().FindStringSubmatch(s)
	switch {
	case strings.TrimSpace(s) == "", strings.HasPrefix(s, "#"):
		r.taken = false
		return
	case frame == nil:
		r.taken = false // the header line of a sample
		return
	case s[0] != ' ' && s[0] != '\t' || strings.Contains(s, ": "):
		r.taken = false // header and place in one line
	}
	if r.taken {
		return
	}
	r.taken = true
	at := place{function: frame[2], object: strings.TrimSuffix(frame[4], " (deleted)")}
	at.addr, _ = strconv.ParseUint(frame[1], 16, 64)
	if frame[3] != "" {
		at.addr, _ = strconv.ParseUint(frame[3], 16, 64)
		at.relative = true
	} else if i := strings.LastIndexByte(at.function, ' '); i >= 0 {
		at.function = at.function[i+1:]
	}
	r.p.add(at, 1)
}

// grindReader reads callgrind's output format (Valgrind manual, "Callgrind Format Specification").
type grindReader struct {
	p     *Profile
	on    bool
	names map[string]string // compressed names of functions
	// objects are the compressed names of executables and libraries, ob the current one.
	objects map[string]string
	ob      string
	fn      string
	instr   bool // costs are by instruction
	both    bool // costs are by instruction and line
	skip    bool // the next line is the cost of a call
	last    []int64
	costs   []grindCost
}

// grindCost is a cost at an address of the running program; the displacement from the address in the object file is not known yet.
type grindCost struct {
	ob, fn string
	addr   uint64
	cost   float64
}

// seen reports whether the lines so far belong to an output file of callgrind.
func (r *grindReader) seen(s string) bool {
	r.on = r.on || strings.HasPrefix(s, "positions:") || strings.HasPrefix(s, "# callgrind format") || strings.HasPrefix(s, "creator: callgrind")
	return r.on
}

func (r *grindReader) line(s string) {
	switch {
	case s == "":
	case strings.HasPrefix(s, "positions:"):
		r.instr, r.both = strings.Contains(s, "instr"), strings.Contains(s, "line")
	case strings.HasPrefix(s, "fn="):
		r.fn = expand(r.names, s[3:])
	case strings.HasPrefix(s, "cfn="):
		expand(r.names, s[4:]) // may be where the name is defined
	case strings.HasPrefix(s, "ob="):
		r.ob = expand(r.objects, s[3:])
	case strings.HasPrefix(s, "cob="):
		expand(r.objects, s[4:])
	case strings.HasPrefix(s, "calls="):
		r.skip = true
	case s[0] >= '0' && s[0] <= '9' || s[0] == '+' || s[0] == '-' || s[0] == '*':
		r.cost(strings.Fields(s))
	}
}

// expand expands a compressed name: "(3) main" defines, "(3)" refers.
func expand(names map[string]string, s string) string {
	if !strings.HasPrefix(s, "(") {
		return s
	}
	id, name, _ := strings.Cut(s, " ")
	if name != "" {
		names[id] = name
	}
	return names[id]
}

// cost reads a line of positions and costs. Positions may be relative to the positions of the previous line.
func (r *grindReader) cost(f []string) {
	n := 1
	if r.instr && r.both {
		n = 2
	}
	if len(f) < n {
		return
	}
	if len(r.last) < n {
		r.last = make([]int64, n)
	}
	for i := range n {
		v, err := strconv.ParseInt(strings.TrimLeft(f[i], "+*"), 0, 64)
		switch {
		case f[i] == "*":
		case err != nil:
			return
		case f[i][0] == '+' || f[i][0] == '-':
			r.last[i] += v
		default:
			r.last[i] = v
		}
	}
	if r.skip { // the cost of a call belongs to the called function
		r.skip = false
		return
	}
	if len(f) == n {
		return
	}
	cost, err := strconv.ParseFloat(f[n], 64)
	if err != nil || cost < 0 || !finite.Number(cost) {
		return
	}
	if r.instr {
		r.costs = append(r.costs, grindCost{r.ob, r.fn, uint64(r.last[0]), cost})
	} else {
		line := int(r.last[0])
		if line == 0 {
			line = -1
		}
		r.p.add(place{object: r.ob, function: r.fn, line: line}, cost)
	}
}

// flush adds the costs by address to the profile.
func (r *grindReader) flush() {
	for _, c := range r.costs {
		r.p.add(place{object: c.ob, function: c.fn, addr: c.addr}, c.cost)
	}
}

// share computes every loop's share of the profile: a place counts for the innermost loop that contains it.
func (p *Profile) share(find *loopFinder, found []*foundLoop) []report.Diagnostic {
	f := find.file
	byFunction := map[*object.Function][]*foundLoop{}
	for _, l := range found {
		byFunction[l.fn] = append(byFunction[l.fn], l)
	}
	for _, list := range byFunction { // inner loops first
		slices.SortStableFunc(list, func(a, b *foundLoop) int { return cmp.Compare(b.info.Depth, a.info.Depth) })
	}
	functions := map[string]*object.Function{}
	named := func(name string) *object.Function {
		if name == "" {
			return nil
		}
		fn, ok := functions[name]
		if !ok {
			fn = f.Function(name)
			functions[name] = fn
		}
		return fn
	}
	if others := p.others(f); others != nil {
		return []report.Diagnostic{{Kind: report.ProfileOfOthers, Severity: "warning", File: f.Path, Values: report.Values{Profile: p.Kind, Machines: others}}}
	}
	of := p.objectOf(f)
	moved := p.displacement(named, of)
	in, shared := 0.0, 0.0
	for at, n := range p.places {
		if of != "" && at.object != "" && at.object != of {
			continue // a function of the same name elsewhere
		}
		if at.offset {
			addr, ok := f.AddrOf(at.addr)
			if of == "" || !ok {
				continue
			}
			at.addr, at.function = addr+moved, ""
		}
		fn := named(at.function)
		addr := at.addr - moved
		if fn == nil && at.line == 0 && !at.relative {
			fn = f.At(addr)
		}
		if fn == nil {
			continue
		}
		if in += n; at.relative {
			addr = fn.Addr + at.addr
		}
		find.again(byFunction[fn])
		for _, l := range byFunction[fn] {
			if at.line > 0 && l.hasLine(f, at.line) || at.line == 0 && l.holds(addr) {
				l.info.Share += n / p.total
				shared += n
				break
			}
		}
	}
	if p.recording != nil {
		p.recording.tell(find, found, byFunction, of)
	}
	if in > 0 && shared == 0 && len(found) > 0 {
		return []report.Diagnostic{{Kind: report.ProfileNotInLoops, Severity: "warning", Values: report.Values{Profile: p.Kind, Share: in / p.total}}}
	}
	if in == 0 {
		return []report.Diagnostic{{Kind: report.ProfileElsewhere, Severity: "warning", Values: report.Values{Profile: p.Kind}}}
	}
	return nil
}

// objectOf returns the profile's name of a file: the path with the same last part, or that of the file which it links to. "" is returned if there is none, as for
// an object file that was linked into a program.
func (p *Profile) objectOf(f *object.File) string {
	best := ""
	if f.BuildID() != "" {
		for o, id := range p.ids {
			if id == f.BuildID() && (best == "" || p.objects[o] > p.objects[best]) {
				best = o
			}
		}
		if best != "" {
			return best
		}
	}
	names := []string{filepath.Base(f.Path)}
	if real, err := filepath.EvalSymlinks(f.Path); err == nil {
		names = append(names, filepath.Base(real))
	}
	for o := range p.objects {
		if slices.Contains(names, filepath.Base(o)) && (best == "" || p.objects[o] > p.objects[best]) {
			best = o
		}
	}
	return best
}

// maxOthers is the number of programs and libraries that the note of a profile of other files names.
const maxOthers = 3

// others returns the files that the profile is of, the most costly first, if a linked file is not among them.
func (p *Profile) others(f *object.File) (out []string) {
	if len(p.objects) == 0 || f.Path == "" || !f.Linked() || p.objectOf(f) != "" {
		return nil
	}
	for o := range p.objects {
		if !strings.HasPrefix(o, "[") { // the kernel, and what perf could not name
			out = append(out, o)
		}
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(p.objects[b], p.objects[a]), strings.Compare(a, b)) })
	for i := range out {
		out[i] = filepath.Base(out[i])
	}
	return out[:min(len(out), maxOthers)]
}

// displacement estimates the offset at which the program was loaded, a multiple of the page size. It compares the lowest
// address in the profile of each function, usually the function's first instruction, with the address in the object file.
func (p *Profile) displacement(named func(string) *object.Function, of string) uint64 {
	lowest := map[string]uint64{}
	for at := range p.places {
		if at.line == 0 && !at.relative && !at.offset && (of == "" || at.object == of) {
			if a, ok := lowest[at.function]; !ok || at.addr < a {
				lowest[at.function] = at.addr
			}
		}
	}
	votes := map[uint64]int{}
	best := uint64(0)
	for name, a := range lowest {
		if fn := named(name); fn != nil && (a-fn.Addr)%4096 == 0 {
			d := a - fn.Addr
			if votes[d]++; votes[d] > votes[best] || votes[d] == votes[best] && d < best {
				best = d
			}
		}
	}
	return best
}

// holds reports whether an address belongs to the loop's blocks.
func (x *foundLoop) holds(addr uint64) bool {
	for _, b := range x.loop.Blocks {
		if blk := &x.loop.Graph.Blocks[b]; blk.Addr <= addr && addr < blk.End {
			return true
		}
	}
	return false
}

// hasLine reports whether code of a source line is in the loop.
func (x *foundLoop) hasLine(f *object.File, line int) bool {
	if x.lines == nil {
		x.lines = map[int]bool{}
		for _, b := range x.loop.Blocks {
			for _, l := range x.loop.Graph.Insts(b) {
				_, n := f.CodeLine(l.Addr)
				x.lines[n] = true
			}
		}
	}
	return x.lines[line]
}

// Files returns the paths of the executables and libraries that a profile names, the most costly first.
func (p *Profile) Files() (out []string) {
	for o := range p.objects {
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b string) int { return cmp.Or(cmp.Compare(p.objects[b], p.objects[a]), strings.Compare(a, b)) })
	return out
}

// NewProfile returns an empty profile, for Sample.
func NewProfile(kind string) *Profile {
	return &Profile{Kind: kind, places: map[place]float64{}, objects: map[string]float64{}}
}

// Sample adds a sample at an offset in a file; path is "" where no file is mapped.
func (p *Profile) Sample(path string, offset uint64) {
	p.add(place{object: cmp.Or(path, "[unknown]"), addr: offset, offset: true}, 1)
}

// Samples names the profile of incore's own sampler.
func (p *Profile) Samples() string { return fmt.Sprintf("incore's own sampler, %.0f samples", p.total) }

// Total returns the number of samples, or the sum of their costs.
func (p *Profile) Total() float64 { return p.total }
