//go:build linux && amd64

package advice_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/bench/feature"
	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// This file runs straight machine code on given registers and memory: as an ELF program of its own, which loads all registers, runs the code, and
// writes registers and memory to its output.

// The addresses of the program. Each general register may point to a region of its own; symbols have further regions.
const (
	codeBase    = 0x400000
	regionBase  = 0x10000000
	regionBytes = 0x2000
	regions     = 32
	dumpBase    = 0x20000000
	vectorsAt   = 16 * 8
	condAt      = vectorsAt + 32*64
	dumpBytes   = condAt + 8
)

// state is the content of registers and memory.
type state struct {
	gpr  [16]uint64 // in hardware order
	vec  [32][64]byte
	mem  []byte // all regions
	cond byte   // whether the loop's closing branch would be taken
}

var gprNames = strings.Fields("rax rcx rdx rbx rsp rbp rsi rdi r8 r9 r10 r11 r12 r13 r14 r15")

// region returns the middle of a region.
func region(i int) uint64 { return regionBase + uint64(i)*regionBytes + regionBytes/2 }

// runner runs code of one test in a folder of its own.
type runner struct {
	set     *isa.ISA
	dir     string
	vectors int // vector registers that are loaded and stored
	reg     string
}

func newRunner(t *testing.T) *runner {
	r := &runner{set: x86.ISA(), dir: t.TempDir(), vectors: 16, reg: "ymm"}
	switch has := feature.Here(); {
	case has["avx512f"]:
		r.vectors, r.reg = 32, "zmm"
	case !has["avx2"]:
		t.Skip("needs AVX2")
	}
	return r
}

// assemble encodes statements; symbols are addresses of regions, by name.
func (r *runner) assemble(code []byte, symbols map[string]uint64, statements ...string) ([]byte, error) {
	for _, s := range statements {
		insts, err := r.set.Parse(nil, s, "att")
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s, err)
		}
		for i := range insts {
			r.place(&insts[i], symbols)
			if code, err = r.set.Encode(code, &insts[i], 0); err != nil {
				return nil, fmt.Errorf("%s: %w", s, err)
			}
		}
	}
	return code, nil
}

// place replaces symbols by addresses.
func (r *runner) place(in *isa.Inst, symbols map[string]uint64) {
	for i := range in.Ops[:in.NOps] {
		if o := &in.Ops[i]; o.Kind == isa.OpExpr {
			*o = isa.Operand{Kind: isa.OpImm, Imm: int64(symbols[o.Expr.Sym]) + o.Expr.Add}
			if m := r.set.Forms.MemOp(in.Form); m >= 0 && i == m+3 && in.Reg(m) != isa.NoReg && r.set.Constant(in.Reg(m)) {
				in.Ops[m].Reg = isa.NoReg
			}
		}
	}
}

// run runs code from a state and returns the state afterwards. cond is the condition of the loop's branch ("ne"), "" for none.
func (r *runner) run(from *state, code []byte, cond string) (*state, error) {
	var pre, post []string
	move := map[string]string{"zmm": "vmovdqu64", "ymm": "vmovdqu"}[r.reg]
	for i := range r.vectors {
		at := dumpBase + vectorsAt + 64*i
		pre = append(pre, fmt.Sprintf("%s %d, %%%s%d", move, at, r.reg, i))
		post = append(post, fmt.Sprintf("%s %%%s%d, %d", move, r.reg, i, at))
	}
	for i, n := range gprNames {
		pre = append(pre, fmt.Sprintf("movq %d, %%%s", dumpBase+8*i, n))
	}
	var store []string
	for i, n := range gprNames {
		store = append(store, fmt.Sprintf("movq %%%s, %d", n, dumpBase+8*i))
	}
	if cond != "" {
		store = append(store, fmt.Sprintf("set%s %d", cond, dumpBase+condAt))
	}
	for _, part := range [][2]int{{dumpBase, dumpBytes}, {regionBase, regions * regionBytes}} {
		post = append(post, "movl $1, %eax", "movl $1, %edi", fmt.Sprintf("movl $%d, %%esi", part[0]), fmt.Sprintf("movl $%d, %%edx", part[1]), "syscall")
	}
	post = append(post, "movl $60, %eax", "xorl %edi, %edi", "syscall")
	all, err := r.assemble(nil, nil, pre...)
	if err != nil {
		return nil, err
	}
	if all, err = r.assemble(append(all, code...), nil, append(store, post...)...); err != nil {
		return nil, err
	}
	name := filepath.Join(r.dir, "program")
	if err := os.WriteFile(name, program(all, from), 0o700); err != nil {
		return nil, err
	}
	out, err := exec.Command(name).Output()
	if err != nil {
		return nil, err
	}
	return from.after(out), nil
}

// after reads the state that a program wrote.
func (s *state) after(out []byte) *state {
	to := &state{mem: out[dumpBytes:], cond: out[condAt]}
	for i := range to.gpr {
		to.gpr[i] = binary.LittleEndian.Uint64(out[8*i:])
	}
	for i := range to.vec {
		copy(to.vec[i][:], out[vectorsAt+64*i:])
	}
	return to
}

// program returns an ELF program of machine code with the state as its data.
func program(code []byte, s *state) []byte {
	dump := make([]byte, dumpBytes)
	for i, v := range s.gpr {
		binary.LittleEndian.PutUint64(dump[8*i:], v)
	}
	for i := range s.vec {
		copy(dump[vectorsAt+64*i:], s.vec[i][:])
	}
	const page = 4096
	var b bytes.Buffer
	le := binary.LittleEndian
	parts := []struct {
		at    uint64
		bytes []byte
		flags uint32
	}{{codeBase, code, 5}, {regionBase, s.mem, 6}, {dumpBase, dump, 6}}
	b.WriteString("\x7fELF\x02\x01\x01" + strings.Repeat("\x00", 9))
	head := []any{uint16(2), uint16(62), uint32(1), uint64(codeBase), uint64(64), uint64(0), uint32(0), uint16(64), uint16(56), uint16(len(parts)), uint16(0), uint16(0), uint16(0)}
	for _, v := range head {
		binary.Write(&b, le, v)
	}
	offset := uint64(page)
	for _, p := range parts {
		for _, v := range []any{uint32(1), p.flags, offset, p.at, p.at, uint64(len(p.bytes)), uint64(len(p.bytes)), uint64(page)} {
			binary.Write(&b, le, v)
		}
		offset += (uint64(len(p.bytes)) + page - 1) / page * page
	}
	for _, p := range parts {
		b.Write(make([]byte, (page-b.Len()%page)%page))
		b.Write(p.bytes)
	}
	return b.Bytes()
}

// fill is a kind of random content.
type fill int

// Doubles and floats are powers of two near 1, so that sums and products of a few are exact in any order.
const (
	anything fill = iota
	small         // small positive integers of 8 bytes
	doubles
	floats
	fills
)

// next returns 8 random bytes.
func (f fill) next(r *rand.Rand) uint64 {
	power := func() float64 { return []float64{0.5, 1, 2, -0.5, -1, -2}[r.IntN(6)] }
	switch f {
	case small:
		return 1 + r.Uint64N(15)
	case doubles:
		return math.Float64bits(power())
	case floats:
		return uint64(math.Float32bits(float32(power())))<<32 | uint64(math.Float32bits(float32(power())))
	}
	return r.Uint64()
}

// random returns a random state. Registers that are bases point to their regions; indices are small multiples of a line.
func random(r *rand.Rand, f fill, bases, indices [16]bool) *state {
	s := &state{mem: make([]byte, regions*regionBytes)}
	for i := 0; i < len(s.mem); i += 8 {
		binary.LittleEndian.PutUint64(s.mem[i:], f.next(r))
	}
	for i := range s.vec {
		for k := 0; k < 64; k += 8 {
			binary.LittleEndian.PutUint64(s.vec[i][k:], f.next(r))
		}
	}
	for i := range s.gpr {
		switch {
		case bases[i]:
			s.gpr[i] = region(i)
		case indices[i]:
			s.gpr[i] = 16 * r.Uint64N(4)
		case f == anything:
			s.gpr[i] = r.Uint64()
		default:
			s.gpr[i] = 1 + r.Uint64N(30)
		}
	}
	return s
}

func (s *state) clone() *state {
	c := *s
	c.mem = bytes.Clone(s.mem)
	return &c
}
