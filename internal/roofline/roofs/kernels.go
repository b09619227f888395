package roofs

import "fmt"

// width is a vector width.
type width struct {
	bits int // 0: scalar, in vector registers
	reg  string
	avx  bool // three operands
	need string
}

// widths are the vector widths, narrowest first.
var widths = []width{{0, "xmm", false, "sse2"}, {128, "xmm", false, "sse2"}, {256, "ymm", true, "avx2"}, {512, "zmm", true, "avx512f"}}

// element is a floating-point precision.
type element struct {
	bits            int
	packed, single  string // endings of mnemonics
	name, broadcast string
	constant        int64 // address of the constant 3.0
}

var elements = []element{{64, "pd", "sd", "double", "vbroadcastsd", dataBase}, {32, "ps", "ss", "single", "vbroadcastss", dataBase + 8}}

// unroll is the number of vectors per iteration of a loop over memory.
const unroll = 4

// Operations on memory, with the bytes that they load and store per element of doubles.
var operations = []struct {
	name          string
	loads, stores int
}{{"triad", 2, 1}, {"copy", 1, 1}, {"load", 1, 0}, {"store", 0, 1}, {"nontemporal", 0, 1}}

func (w width) bytes() int64 {
	if w.bits == 0 {
		return 8
	}
	return int64(w.bits / 8)
}

// stream returns the loop of an operation over arrays of n bytes each, whose starts are a stride apart.
func (w width) stream(op string, n, stride int64) func(*program) {
	step := w.bytes() * unroll
	a, b, c := int64(arrayBase), int64(arrayBase)+stride, int64(arrayBase)+2*stride
	mov, add, mul := "movapd", "addpd", "mulpd"
	if w.bits == 0 {
		mov, add, mul = "movsd", "addsd", "mulsd"
	}
	return func(p *program) {
		p.line("movq $%d, %%rcx", -n)
		p.label("stream")
		for i := range int64(unroll) {
			r, off := fmt.Sprintf("%%%s%d", w.reg, i), i*w.bytes()
			at := func(base int64) string { return fmt.Sprintf("%d(%%rcx)", base+n+off) }
			switch {
			case op == "triad" && w.avx:
				p.line("vmovapd %s, %s", at(c), r)
				p.line("vfmadd213pd %s, %%%s15, %s", at(b), w.reg, r)
				p.line("vmovapd %s, %s", r, at(a))
			case op == "triad":
				p.line("%s %s, %s", mov, at(c), r)
				p.line("%s %%xmm15, %s", mul, r)
				p.line("%s %s, %s", add, at(b), r)
				p.line("%s %s, %s", mov, r, at(a))
			case op == "copy":
				p.line("%s %s, %s", w.v(mov), at(b), r)
				p.line("%s %s, %s", w.v(mov), r, at(a))
			case op == "load":
				p.line("%s %s, %s", w.v(mov), at(a), r)
			case op == "store":
				p.line("%s %%%s15, %s", w.v(mov), w.reg, at(a))
			case op == "nontemporal" && w.bits > 0:
				p.line("%s %%%s15, %s", w.v("movntpd"), w.reg, at(a))
			}
		}
		p.line("addq $%d, %%rcx", step)
		p.unless("stream")
		if op == "nontemporal" {
			p.line("sfence")
		}
	}
}

// v returns a mnemonic for this width.
func (w width) v(mnemonic string) string {
	if w.avx {
		return "v" + mnemonic
	}
	return mnemonic
}

// constants sets the register that holds the factor.
func (w width) constants(e element) func(*program) {
	return func(p *program) {
		if w.avx {
			p.line("%s %d, %%%s15", e.broadcast, e.constant, w.reg)
			return
		}
		p.line("movs%c %d, %%xmm15", e.single[1], e.constant)
		p.line("shufp%c $0, %%xmm15, %%xmm15", e.single[1])
	}
}

// Peak loops: this number of accumulators hides the latency of a multiply-add on all current cores, 5 cycles on two ports.
const (
	accumulators = 12
	peakRounds   = 4
	peakTrips    = 2000
)

// peak returns a loop of independent multiply-adds, or, without multiply-adds, of alternating multiplications and additions; and its operations per
// pass.
func (w width) peak(e element, fma bool) (body func(*program), flops float64) {
	lanes := float64(1)
	suffix := e.single
	if w.bits > 0 {
		lanes, suffix = float64(w.bits/e.bits), e.packed
	}
	per := 1.0
	if fma {
		per = 2
	}
	return func(p *program) {
		p.line("movl $%d, %%ecx", peakTrips)
		p.label("peak")
		for range peakRounds {
			for i := range accumulators {
				r := fmt.Sprintf("%%%s%d", w.reg, i)
				switch {
				case fma:
					p.line("vfmadd231%s %%%s15, %%%s15, %s", suffix, w.reg, w.reg, r)
				case i%2 == 0:
					p.line("mul%s %%xmm15, %s", suffix, r)
				default:
					p.line("add%s %%xmm15, %s", suffix, r)
				}
			}
		}
		p.line("decl %%ecx")
		p.unless("peak")
	}, per * lanes * accumulators * peakRounds * peakTrips
}

// zero clears the accumulators, so that they do not overflow soon: ones would, but only after a far longer time.
func (w width) zero(p *program) {
	for i := range accumulators {
		if w.avx {
			p.line("vxorpd %%xmm%d, %%xmm%d, %%xmm%d", i, i, i)
		} else {
			p.line("xorpd %%xmm%d, %%xmm%d", i, i)
		}
	}
}

// chase returns a loop that follows a chain of pointers.
func chase(loads int64) func(*program) {
	const each = 16
	return func(p *program) {
		p.line("movl $%d, %%ecx", max(1, loads/each))
		p.label("chase")
		for range each {
			p.line("movq (%%rbp), %%rbp")
		}
		p.line("decl %%ecx")
		p.unless("chase")
	}
}
