package riscv

import (
	"fmt"
	"math/bits"
	"math/rand"
	"testing"
)

// TestConstantsLLVM compares the sequences for constants of many shapes with llvm-mc,
// for every combination of the extensions that matter.
func TestConstantsLLVM(t *testing.T) {
	tool(t, "llvm-mc-19", "llvm-mc")
	rng := rand.New(rand.NewSource(1))
	var stmts []string
	for range 1500 {
		stmts = append(stmts, fmt.Sprintf("li a0, %d", shapedConstant(rng)))
	}
	for _, attr := range []string{"+m", "+zba", "+zbb", "+zbs", "+zba,+zbs", "+zba,+zbb,+zbs"} {
		var sum tally
		sum.compare(t, attr, stmts)
		if sum.same != sum.taken || sum.taken != len(stmts) {
			t.Errorf("%s: %d of %d sequences as llvm-mc's", attr, sum.same, sum.taken)
		}
	}
}

// shapedConstant returns constants with the structure that makes short sequences possible.
func shapedConstant(rng *rand.Rand) int64 {
	u := rng.Uint64()
	switch rng.Intn(10) {
	case 0:
		u >>= rng.Intn(64)
	case 1:
		u = uint64(int64(u) >> rng.Intn(64))
	case 2:
		u <<= rng.Intn(64)
	case 3: // a run of ones somewhere
		u = bits.RotateLeft64(1<<rng.Intn(64)-1, rng.Intn(64))
	case 4: // two short pieces
		u = u&0xfff<<rng.Intn(52) | u>>52<<rng.Intn(52)
	case 5:
		u = bits.RotateLeft64(uint64(int64(u)>>53), rng.Intn(64))
	case 6: // multiples of 3, 5, 9
		u = uint64(int64(int32(u))*[]int64{3, 5, 9}[rng.Intn(3)] + []int64{0, int64(u>>40&0xfff) - 2048}[rng.Intn(2)])
	case 7: // 32 bits and a few more
		u = uint64(int64(int32(u))) ^ 1<<(32+rng.Intn(32)) ^ 1<<(32+rng.Intn(32))
	case 8:
		u = ^(u & 0xffffffff << rng.Intn(20) >> rng.Intn(12))
	}
	return int64(u)
}

// TestConstants runs the sequences and compares the results with the constants.
func TestConstants(t *testing.T) {
	rng := rand.New(rand.NewSource(2))
	for range 20000 {
		v := shapedConstant(rng)
		for set := range 8 {
			m := liMaker{zba: set&1 != 0, zbb: set&2 != 0, zbs: set&4 != 0}
			if got := runSteps(m.sequence(v)); got != v {
				t.Fatalf("li %#x with %+v: the sequence makes %#x", v, m, got)
			}
		}
	}
}

func runSteps(steps []liStep) (v int64) {
	for _, s := range steps {
		switch s.op {
		case liLUI:
			v = signExtend(s.arg<<12, 32)
		case liADDI:
			v += s.arg
		case liADDIW:
			v = signExtend(v+s.arg, 32)
		case liXORI:
			v ^= s.arg
		case liSLLI:
			v <<= s.arg
		case liSLLIUW:
			v = int64(uint64(uint32(v)) << s.arg)
		case liSRLI:
			v = int64(uint64(v) >> s.arg)
		case liZEXTW:
			v = int64(uint32(v))
		case liSH1ADD, liSH2ADD, liSH3ADD:
			v += v << (s.op - liSH1ADD + 1)
		case liBSETI:
			v |= 1 << s.arg
		case liBCLRI:
			v &^= 1 << s.arg
		case liRORI:
			v = int64(bits.RotateLeft64(uint64(v), -int(s.arg)))
		}
	}
	return v
}
