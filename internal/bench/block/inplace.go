package block

import (
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"slices"
	"strings"

	"incore/internal/bench/host"
	"incore/internal/isa"
	"incore/internal/object"
)

// Placed is a loop of machine code as in its file: its own bytes with its own closing branch, at its own page offset.
type Placed struct {
	code     []byte
	Offset   uint64 // within a page of 4 KiB
	N        int    // instructions
	Relative int    // addresses relative to the instruction pointer, which lead elsewhere than in the file
	trips    *trips
}

// pageBytes is the size of a page of addresses.
const pageBytes = 4096

// Place prepares a contiguous loop with one branch back at its end, which lies a number of bytes behind its own page
// offset. bytes returns the file's bytes at an address. The error gives the reason why a loop cannot be run in place.
func (a *Arch) Place(k *isa.Kernel, by int, bytes func(addr uint64, n int) []byte) (*Placed, error) {
	switch {
	case host.Arch != "amd64" || k.ISA != a.ISA || k.ISA.Semantics == nil:
		return nil, fmt.Errorf("only on x86-64")
	case !k.Latch || k.Lines[0].Addr == 0:
		return nil, fmt.Errorf("its last instruction is no conditional branch to the first")
	}
	last := len(k.Lines) - 1
	lo, hi := k.Lines[0].Addr, k.Lines[last].Addr+uint64(k.Lines[last].Inst.Size)
	p := &Placed{Offset: (lo + uint64(by)) % pageBytes, N: len(k.Lines)}
	for i := range k.Lines[:last] {
		l := &k.Lines[i]
		if l.Addr+uint64(l.Inst.Size) != k.Lines[i+1].Addr {
			return nil, fmt.Errorf("its instructions do not follow each other: other code is between")
		}
		if err := stays(a.ISA.Flow(&l.Inst), lo, hi); err != nil {
			return nil, err
		}
	}
	p.code = slices.Clone(bytes(lo, int(hi-lo)))
	if uint64(len(p.code)) != hi-lo {
		return nil, fmt.Errorf("its bytes are not in one section")
	}
	moved := *k
	moved.Lines = slices.Clone(k.Lines)
	for i := range moved.Lines {
		if err := p.move(a.ISA, &moved.Lines[i], lo); err != nil {
			return nil, err
		}
	}
	p.trips = a.newTrips(&moved)
	return p, nil
}

// stays returns an error if an instruction inside a loop changes the flow of control, except for a conditional branch
// to a near address outside the loop.
func stays(f isa.Flow, lo, hi uint64) error {
	switch f.Kind {
	case isa.FlowNext:
		return nil
	case isa.FlowCond:
		to := uint64(f.Target.Imm)
		if f.Target.Kind == isa.OpImm && (to < lo && lo-to < host.LoopReach/2 || to >= hi && to-hi < host.LoopReach/2) {
			return nil
		}
		return fmt.Errorf("branches inside decide which way it takes")
	}
	return fmt.Errorf("calls and jumps inside lead out of it")
}

// dataBelow is the distance below the driver's code of the data that loops in place address relative to the instruction
// pointer.
const dataBelow = 0x30000000

// move relocates an instruction to its new address, and the data that it addresses relative to the instruction pointer
// to a separate area, at the same page offset.
func (p *Placed) move(set *isa.ISA, l *isa.Line, lo uint64) error {
	in, at, from := &l.Inst, l.Addr-lo, l.Addr
	l.Addr = host.LoopBase + p.Offset + at
	m := set.Forms.MemOp(in.Form)
	if m < 0 || set.Constant == nil || in.Reg(m) == isa.NoReg || !set.Constant(in.Reg(m)) {
		return nil
	}
	disp := &in.Ops[m+3]
	if disp.Kind != isa.OpImm {
		return fmt.Errorf("the address of %s is not known", quoted(l.Text))
	}
	target := from + uint64(in.Size) + uint64(disp.Imm)
	*disp = isa.Operand{Kind: isa.OpImm, Imm: int64(host.LoopBase - dataBelow + target%codeData - l.Addr - uint64(in.Size))}
	code, err := set.Encode(nil, in, 0)
	if err != nil || len(code) != int(in.Size) {
		return fmt.Errorf("the address of %s cannot be changed within its bytes", quoted(l.Text))
	}
	copy(p.code[at:], code)
	p.Relative++
	return nil
}

// Loop measures a loop in place. It chooses the end by the initial value of one register, which Ended names, and
// compares the registers at the end with the computed ones. An error that is not a *host.Reason says why the loop
// cannot be run in place. A short loop is measured several times, because its time varies between processes.
func (p *Placed) Loop(ctx context.Context, s Setup) (*Figure, *Ended, error) {
	f, end, err := p.once(ctx, s)
	if err != nil || f.Cycles >= briefLoop {
		return f, end, err
	}
	all := []*Figure{f}
	for range repeats - 1 {
		if again, _, err := p.once(ctx, s); err == nil {
			all = append(all, again)
		} else if ctx.Err() != nil {
			return nil, nil, err
		}
	}
	return together(all), end, nil
}

// once measures a loop once.
func (p *Placed) once(ctx context.Context, s Setup) (*Figure, *Ended, error) {
	regs := s.Registers()
	way, err := p.trips.find(regs)
	if err != nil {
		return nil, nil, err
	}
	rough, err := p.rough(ctx, p.start(s), way, regs)
	if err != nil {
		return nil, nil, err
	}
	return p.settled(ctx, way, regs, s, rough)
}

// settled measures a loop whose iterations take roughly that many cycles. It repeats the measurement if the estimate
// was so far off that the runs became too short.
func (p *Placed) settled(ctx context.Context, w ending, regs [32]uint64, s Setup, rough float64) (f *Figure, end *Ended, err error) {
	const off = 1.5 // the largest ratio of the estimate to the figure
	end = &Ended{register: w.set}
	for range 3 {
		if f, err = p.long(ctx, &starts{p.start(s), w, regs, s, end}, rough); err != nil {
			return nil, nil, err
		}
		if rough <= off*f.Cycles {
			break
		}
		rough = f.Cycles
	}
	f.bound(1)
	f.Physical = max(1, s.Pages)
	return f, end, nil
}

// start returns the loop as code that is measured, before its runs are chosen.
func (p *Placed) start(s Setup) *host.Code {
	c := newCode(p.code, s)
	c.InPlace = &host.InPlace{Offset: p.Offset}
	return c
}

// long measures a loop whose iterations take roughly that many cycles, with runs as long as its registers and pages
// allow.
func (p *Placed) long(ctx context.Context, r *starts, rough float64) (*Figure, error) {
	c, way, regs, s, end := r.c, r.w, r.regs, r.s, r.end
	n := int(targetCycles/rough) + 4
	if float64(n)*rough > maxRunCycles {
		n = 4
	}
	for ; ; n /= 2 { // the loop's constants may limit the iterations
		if n < 4 {
			return nil, fmt.Errorf("it can be made to go round a few times only")
		}
		if p.choose(c, way, regs, n) == nil {
			break
		}
	}
	err := within(ctx, c, s.Pages, func(fraction float64) bool {
		before := *c
		long := *c.InPlace
		fewer := int(fraction * float64(n))
		if fewer < 4 || p.choose(c, way, regs, fewer) != nil || c.Long.Trips >= before.Long.Trips {
			*c, *c.InPlace = before, long
			return false
		}
		n = fewer
		return true
	})
	if err != nil {
		return nil, err
	}
	if c.Rounds > 1 {
		most := 3 * n / 2 // the rounds touch at most half of the pages
		if most < enoughRound {
			return p.several(ctx, r, min(most, predicted), rough)
		}
		return p.twice(ctx, r, max(2, int(float64(min(most, longestRound))/3/(1+variation))), rough)
	}
	end.Short, end.Long, end.Values = c.Short.Trips, c.Long.Trips, [2]uint64{c.Regs[way.set], c.InPlace.Long[way.set]}
	return agree(ctx, c, 1, s, func(r *host.Result) error { return p.check(c, r) })
}

// Rounds of a loop that restarts. A branch predictor may or may not predict the end of a loop with a constant number of
// iterations, and this varies with the number and between processes (Zen 4: up to 100 iterations mostly, 144 and 300
// often, 120, 160, 256, 400 seldom; a miss takes up to 37 cycles, so that the difference between 48 and 144 iterations
// of one cycle was 0.94 to 1.05). So long rounds have random lengths, whose end is never predicted. In shorter rounds,
// a miss does not always cost the same: if many iterations still wait for execution when the closing branch executes,
// they hide a part of it (four loads, shuffles and stores of 32 bytes took 3.1 to 3.6 cycles with random lengths of
// about 20 and 60 iterations, 4.1 with predicted ends). These rounds have several fixed lengths and follow each other
// without a fence: the closing branch executes long before the rest of the round, which hides the miss, as in a
// function that is called repeatedly. Rounds touch half of the pages: code that walks through the whole cache has
// occasional misses (a loop of 1.0 cycles that walks through 28 KiB of 32 took 1.16).
const (
	longestRound = 3000 // iterations; the time of a round's start and end varies by 35 cycles between processes (Zen 5)
	enoughRound  = 600  // least number of iterations for random lengths
	predicted    = 144  // largest number of iterations whose end is usually predicted
	variation    = 0.25 // of the iterations, up and down
)

// rounds sets the rounds of a loop that restarts, with about trips iterations on average, each of roughly that many
// cycles. It returns the exact mean.
func (p *Placed) rounds(c *host.Code, w ending, regs [32]uint64, trips int, rough float64) (mean float64, err error) {
	l := c.InPlace
	l.Start, l.Starts, l.Counts, l.Each = w.set, nil, nil, rough
	for k := range host.MostStarts {
		at := (2*float64(k)+1)/host.MostStarts - 1
		start, exact, ok := p.trips.after(w, regs, trips+int(math.Round(at*variation*float64(trips))))
		if !ok {
			return 0, fmt.Errorf("it does not end after %d iterations", trips)
		}
		l.Starts, l.Counts = append(l.Starts, start[w.set]), append(l.Counts, uint64(exact))
		mean += float64(exact) / host.MostStarts
	}
	c.Regs, l.Long = regs, regs
	c.Short = host.Run{Copies: 1, Trips: trips}
	c.Long = c.Short
	c.Rounds = max(leastRounds, int(targetCycles/(rough*mean)))
	c.LongRounds = 3 * c.Rounds
	return mean, nil
}

// starts is a loop that restarts in each round, with the conditions of its measurement and a record of its
// ends.
type starts struct {
	c    *host.Code
	w    ending
	regs [32]uint64
	s    Setup
	end  *Ended
}

// twice measures a loop that restarts in each round with two lengths of a round, trips iterations and three times as
// many, each in its own process. It repeats the measurement if the estimated time per iteration was far off.
func (p *Placed) twice(ctx context.Context, r *starts, trips int, rough float64) (f *Figure, err error) {
	c, s, end := r.c, r.s, r.end
	const off = 0.05
	for range 3 {
		var figures [2]*Figure
		var mean [2]float64
		var ends [2]int
		for i, n := range [2]int{trips, 3 * trips} {
			if mean[i], err = p.rounds(c, r.w, r.regs, n, rough); err != nil {
				return nil, err
			}
			end.Values[i], ends[i] = c.InPlace.Starts[host.MostStarts/2], int(c.InPlace.Counts[host.MostStarts/2])
			check := func(r *host.Result) error { return p.checkAny(c, r) }
			if figures[i], err = agree(ctx, c, 1, s, check); err != nil {
				return nil, err
			}
		}
		end.Short, end.Long = ends[0], ends[1]
		if f, err = slope(figures, mean); err != nil {
			return nil, err
		}
		if math.Abs(f.Cycles-rough) < off*f.Cycles && f.Crowded == 1 {
			break
		}
		rough = f.Cycles
	}
	return f, nil
}

// several measures a loop that restarts with fixed lengths of a round, from a third of most iterations up to most,
// each in its own process. The figure is the median slope between two lengths that are far enough apart (H. Theil,
// 1950; P. K. Sen, 1968), because a few lengths may end in a misprediction. If the uncertainty is too large, it
// measures as many lengths between these.
func (p *Placed) several(ctx context.Context, r *starts, most int, rough float64) (f *Figure, err error) {
	c, w, s, end := r.c, r.w, r.s, r.end
	const lengths, enough = 13, 0.01
	c.InPlace.Joined = p.trips.carried
	var trips, cycles, crowded []float64 // per round
	end.Short, end.Long = most, 0
	for k := range 2*lengths - 1 {
		at := 2 * k
		if k >= lengths { // the additional lengths
			at = 2*(k-lengths) + 1
		}
		start, exact, ok := p.trips.after(w, r.regs, most/3+(most-most/3)*at/(2*lengths-2))
		if !ok || slices.Contains(trips, float64(exact)) {
			continue
		}
		c.Regs, c.InPlace.Long = start, start
		c.Short = host.Run{Copies: 1, Trips: exact}
		c.Long = c.Short
		c.Rounds = max(leastRounds, int(targetCycles/(rough*float64(exact))))
		c.LongRounds = 3 * c.Rounds
		if f, err = agree(ctx, c, 1, s, func(r *host.Result) error { return p.check(c, r) }); err != nil {
			return nil, err
		}
		if exact > end.Long {
			end.Long, end.Values[1] = exact, start[w.set]
		}
		if exact <= end.Short {
			end.Short, end.Values[0] = exact, start[w.set]
		}
		trips, cycles, crowded = append(trips, float64(exact)), append(cycles, f.Cycles*float64(exact)), append(crowded, f.Crowded)
		if k == lengths-1 {
			if _, u := slopes(trips, cycles); u <= enough*rough {
				break
			}
		}
	}
	if len(trips) == 0 {
		return nil, fmt.Errorf("it does not end after %d iterations", most)
	}
	trips, cycles, f.Crowded = leastContended(trips, cycles, crowded)
	f.lengths(trips, cycles)
	if !(f.Cycles > 0) {
		return nil, noMore()
	}
	return f, nil
}

// checkAny compares the registers at the end of a round with those computed for any of its initial values.
func (p *Placed) checkAny(c *host.Code, r *host.Result) (err error) {
	for k, start := range c.InPlace.Starts {
		one := *c
		one.InPlace = &host.InPlace{Long: c.Regs}
		one.InPlace.Long[c.InPlace.Start], one.Long.Trips = start, int(c.InPlace.Counts[k])
		if err = p.check(&one, r); err == nil {
			return nil
		}
	}
	return err
}

// PlaceHex prepares a loop of a corpus, HEX@OFFSET: its machine code in hexadecimal with its own closing branch, and
// its page offset (in hexadecimal). ok is false for other texts.
func (a *Arch) PlaceHex(text string) (p *Placed, ok bool, err error) {
	digits, lo, ok, err := object.Placed(text)
	if !ok || !IsHex(digits) {
		return nil, false, nil
	} else if err != nil {
		return nil, true, err
	}
	code, err := hex.DecodeString(digits)
	if err != nil {
		return nil, true, err
	}
	k := &isa.Kernel{ISA: a.ISA, Loop: true}
	for n := 0; n < len(code); {
		l := isa.Line{Addr: lo + uint64(n)}
		size, err := a.ISA.Decode(code[n:], l.Addr, &l.Inst)
		if err != nil {
			return nil, true, fmt.Errorf("the bytes at offset %d are no instruction: %w", n, err)
		}
		l.Text = string(a.ISA.Print(nil, &l.Inst, a.ISA.Syntaxes[0]))
		k.Lines = append(k.Lines, l)
		n += size
	}
	last := a.ISA.Flow(&k.Lines[len(k.Lines)-1].Inst)
	k.Latch = last.Kind == isa.FlowCond && last.Target.Kind == isa.OpImm && uint64(last.Target.Imm) == lo
	p, err = a.Place(k, 0, func(addr uint64, n int) []byte { return code[addr-lo:][:n] })
	return p, true, err
}

// PlaceText prepares a loop of assembly text, which was assembled without its closing branch, at an offset of a page.
// The error gives the reason why it cannot be run in place.
func (a *Arch) PlaceText(k *isa.Kernel, body *Assembled, offset int) (*Placed, error) {
	switch last := len(k.Lines) - 1; {
	case !k.Latch:
		return nil, fmt.Errorf("its last instruction is no conditional branch to the first")
	case body.Branches+body.Jumps > 0:
		return nil, fmt.Errorf("branches inside decide which way it takes")
	case len(body.Symbols)+body.Relative > 0:
		return nil, fmt.Errorf("addresses of symbols stand for others here")
	default:
		branch, forms := k.Lines[last].Inst, a.ISA.Forms
		branch.Ops[0] = isa.Operand{Kind: isa.OpImm}
		encode := func() ([]byte, error) {
			return a.ISA.Encode(slices.Clone(body.Code), &branch, uint64(len(body.Code)))
		}
		code, err := encode()
		if far := forms.Named(strings.TrimSuffix(forms.Name(branch.Form), "_1") + "_4"); err != nil && far != isa.NoForm { // with 32 bits of distance, not 8
			branch.Form = far
			code, err = encode()
		}
		if err != nil {
			return nil, fmt.Errorf("its closing branch cannot be encoded: %w", err)
		}
		p, _, err := a.PlaceHex(fmt.Sprintf("%x@%x", code, offset))
		return p, err
	}
}

// Ended describes how a loop in place was made to end.
type Ended struct {
	register    int       // register whose initial value determines the end
	Values      [2]uint64 // its values for a short and a long run
	Short, Long int       // iterations of these runs
}

// Register returns the register's name.
func (e *Ended) Register(a *Arch) string {
	for name, n := range a.Numbers() {
		if n == e.register {
			return name
		}
	}
	return fmt.Sprint(e.register)
}

// Number returns the register's encoding number.
func (e *Ended) Number() int { return e.register }

// choose sets the registers for runs of about n and 3n iterations.
func (p *Placed) choose(c *host.Code, w ending, regs [32]uint64, n int) error {
	short, a, ok := p.trips.after(w, regs, n)
	long, b, also := p.trips.after(w, regs, 3*n)
	if !ok || !also || b < 2*a {
		return fmt.Errorf("it does not end after %d iterations", 3*n)
	}
	c.Regs, c.InPlace.Long = short, long
	c.Short, c.Long = host.Run{Copies: 1, Trips: a}, host.Run{Copies: 1, Trips: b}
	return nil
}

// rough determines roughly how many cycles an iteration takes, and whether the loop ends as computed.
func (p *Placed) rough(ctx context.Context, c *host.Code, w ending, regs [32]uint64) (float64, error) {
	const few = 24
	if err := p.choose(c, w, regs, few); err != nil {
		return 0, err
	}
	var last error
	for range attempts {
		r, err := host.Measure(ctx, c, host.Options{Windows: 12})
		if err == nil {
			return math.Max(r.Cycles, 0.2), p.check(c, r)
		}
		if why, ok := err.(*host.Reason); ok && why.Kind == "trap" {
			return 0, fmt.Errorf("with these values a branch inside leaves it")
		}
		if last = err; !host.Unstable(err) {
			return 0, err
		}
	}
	return 0, last
}

// check compares the registers at the end of the long run with those computed.
func (p *Placed) check(c *host.Code, r *host.Result) error {
	s, _, _ := p.trips.run(&c.InPlace.Long, c.Long.Trips)
	for slot, i := range p.trips.numbers {
		if v, known := s.get(slot, 0); known && v != r.Final[i] {
			return fmt.Errorf("it ended otherwise than computed: register %d is %#x, not %#x", i, r.Final[i], v)
		}
	}
	return nil
}
