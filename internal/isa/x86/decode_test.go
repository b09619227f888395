package x86

import (
	"encoding/hex"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"

	"incore/internal/base/long"
	"incore/internal/isa"
	"incore/internal/isa/x86/enc"
)

// FuzzDecode: any bytes give an instruction or an error, never a panic; an
// instruction encodes again to one that decodes to the same form and operands.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{"", "90", "0f", "62f1ed1f58cb", "62", "c4e2", "8fe878c0", "666666666666666666666666666666", "f0480fb10f",
		"d50850", "67488d0425ffffffff", "c8ffffff", "9bdbe3"} {
		b, _ := hex.DecodeString(s)
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, code []byte) { checkDecode(t, code) })
}

func checkDecode(t *testing.T, code []byte) {
	t.Helper()
	const addr = 0x401000
	var in isa.Inst
	n, err := decode(code, addr, &in)
	if n < 0 || n > len(code) || n == 0 && len(code) > 0 || n > maxSize {
		t.Fatalf("%x: size %d of %d", code, n, len(code))
	}
	if err != nil {
		return
	}
	for _, syntax := range []string{"att", "intel"} {
		if len(printInst(nil, &in, syntax)) == 0 {
			t.Errorf("%x: prints as nothing", code[:n])
		}
	}
	again, err := encode(nil, &in, addr)
	if err != nil {
		if errors.Is(err, errDistance) || n == maxSize { // a target beyond the reach of the shorter encoding; superfluous prefixes moved
			return
		}
		t.Errorf("%x: %s: %v", code[:n], show(&in), err)
		return
	}
	var back isa.Inst
	m, err := decode(again, addr, &back)
	far := shorterForms()
	branch := relOperand(&in) >= 0 && (m > n || back.Form == far.jmp4 || back.Form == far.jcc4) // without superfluous prefixes it begins farther from its target
	if err != nil || m != len(again) || (back.Form != in.Form || m > n) && !branch {
		t.Errorf("%x: %s encodes to %x, %s", code[:n], show(&in), again, show(&back))
	}
}

// TestPrefixedBranches: a short jump with superfluous prefixes, at the end of its reach, encodes to one that decodes.
func TestPrefixedBranches(t *testing.T) {
	for _, prefixes := range []string{"", "66", "4166", "6641", "f2", "2e66", "6666"} {
		for op := 0x70; op <= 0x7f; op++ {
			for _, code := range [][]byte{{byte(op), 0x7f}, {byte(op), 0x80}, {0xeb, 0x7f}, {0xeb, 0x80}} {
				head, _ := hex.DecodeString(prefixes)
				checkDecode(t, append(head, code...))
			}
		}
	}
}

// TestDecodeRandom compares random bytes with llvm-mc: the processor's rules and LLVM's differ only where no compiler goes (known).
func TestDecodeRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 6))
	var random [][]byte
	for len(random) < long.Count(40000, 10000) {
		code := make([]byte, maxSize)
		for i := range code {
			code[i] = byte(rng.Uint32())
		}
		switch rng.IntN(4) { // more of the interesting spaces
		case 0:
			code[0] = 0x0f
		case 1:
			code[0] = []byte{0xc4, 0xc5, 0x62, 0x8f}[rng.IntN(4)]
		case 2:
			code[0] = []byte{0x66, 0xf2, 0xf3, 0x48}[rng.IntN(4)]
			code[1] = 0x0f
		}
		checkDecode(t, code)
		random = append(random, code)
	}
	compareWithLLVM(t, random)
}

// FuzzDecodeLLVM: the decoder and llvm-mc make the same of any bytes. One llvm-mc disassembles many variants of each input: the
// same bytes with some of them changed.
func FuzzDecodeLLVM(f *testing.F) {
	llvmMC(f)
	for _, s := range []string{"4801c8", "0f58c1", "62f1ed1f58cb", "c4e2f1b8c2", "8fe878c08001", "f0480fb10f", "d50850c1", "67488d0425ffffffff",
		"c8ffffff", "d9c1", "660f3a0fc101", "62f47c0801c0", "e9ffffff7f", "f3a4", "48b80102030405060708"} {
		b, _ := hex.DecodeString(s)
		f.Add(b, uint64(1))
	}
	f.Fuzz(func(t *testing.T, code []byte, seed uint64) {
		rng := rand.New(rand.NewPCG(seed, 1))
		var codes [][]byte
		for range 200 {
			c := make([]byte, maxSize)
			for i := copy(c, code); i < maxSize; i++ {
				c[i] = byte(rng.Uint32())
			}
			for range rng.IntN(4) {
				c[rng.IntN(6)] = byte(rng.Uint32())
			}
			codes = append(codes, c)
		}
		compareWithLLVM(t, codes)
	})
}

// anyMod reports whether the processor ignores the mod field of a form.
func anyMod(f isa.FormID) bool { return codes().sigs[codes().forms[f].sig].ModRM == enc.ModRMAny }

// compareWithLLVM decodes the instruction that each piece of code begins with, and compares with llvm-mc.
func compareWithLLVM(t *testing.T, codes [][]byte) {
	t.Helper()
	decoded, rows, registers := make([]string, len(codes)), make([][]byte, len(codes)), make([]bool, len(codes))
	for i, c := range codes {
		var in isa.Inst
		rows[i] = c
		if n, err := decode(c, 0, &in); err == nil {
			_, _ = decode(c, -uint64(n), &in) // llvm-mc shows the distances of branches
			decoded[i], rows[i] = show(&in), c[:n]
			registers[i] = anyMod(in.Form)
		}
	}
	valid, differ, causes := 0, 0, map[string]int{}
	for i, row := range mcRows(t, rows) {
		want := ""
		if len(row.insts) > 0 && !row.rejects && (decoded[i] == "" || !row.invalid) {
			want = row.insts[0]
		}
		if decoded[i] != "" {
			valid++
		}
		if decoded[i] == want || want == "" && registers[i] { // moves from and to control registers, of which processors ignore mod
			continue
		}
		if c := known(rows[i], want); c != "" {
			causes[c]++
		} else if differ++; differ < 40 {
			t.Errorf("%x: %q, llvm-mc has %q", rows[i], decoded[i], want)
		}
	}
	t.Logf("%d pieces of code, %d instructions, %d differ; for known causes: %v", len(codes), valid, differ, causes)
}

// TestDecodeErrors checks truncated and undefined code.
func TestDecodeErrors(t *testing.T) {
	for _, c := range []struct {
		code string
		skip int
		err  error
	}{
		{"", 0, errTruncated}, {"48", 1, errTruncated}, {"e80000", 3, errTruncated}, {"62f1ed", 3, errTruncated},
		{"06", 1, errUndefined}, {"0f0b", 2, nil}, {"c5f858", 3, errTruncated}, {"c5f8ff", 1, errUndefined},
		{strings.Repeat("66", 16) + "90", 1, errUndefined}, {"62f17c880001", 1, errUndefined},
	} {
		b, _ := hex.DecodeString(c.code)
		var in isa.Inst
		if n, err := decode(b, 0, &in); n != c.skip || err != c.err {
			t.Errorf("%s: skip %d, %v; want %d, %v", c.code, n, err, c.skip, c.err)
		}
	}
}

// TestEncodeErrors checks operands that no encoding exists for.
func TestEncodeErrors(t *testing.T) {
	form := func(name string) isa.FormID { return ISA().Forms.Named(name) }
	reg := func(name string, regs ...isa.Reg) *isa.Inst {
		in := &isa.Inst{Form: form(name)}
		for _, r := range regs {
			in.AddReg(r)
		}
		return in
	}
	imm := func(in *isa.Inst, v int64) *isa.Inst { in.AddImm(v); return in }
	for _, c := range []struct {
		in  *isa.Inst
		err error
	}{
		{reg("ADD64rr", RAX, RBX, RCX), errOperands},    // tied operands differ
		{reg("ADD64rr", RAX, RAX), errOperands},         // too few
		{reg("ADD64rr", EAX, EAX, ECX), errOperands},    // class
		{reg("ADD8rr", AH, AH, R8B), errHighByte},       // REX and ah
		{imm(reg("ADD64ri8", RAX, RAX), 200), errRange}, // immediate
		{imm(reg("LOOP"), 1000), errDistance},           // distance
		{imm(reg("JMP_1"), 1<<40), errDistance},
		{reg("PSHUFBrr", XMM16, XMM16, XMM1), errExtended}, // xmm16 without EVEX
		{reg("VADDPSrr", XMM16, XMM16, XMM1), errExtended},
		{&isa.Inst{}, errNoCode},
		{reg("VADDPSZ128rrk", XMM1, XMM1, K0, XMM2, XMM3), errOperands},
	} {
		if code, err := encode(nil, c.in, 0); !errors.Is(err, c.err) {
			t.Errorf("%s: %x, %v; want %v", show(c.in), code, err, c.err)
		}
	}
}

// TestFarJumps: a short jump whose target is too far becomes the long one, as assemblers do.
func TestFarJumps(t *testing.T) {
	for text, want := range map[string]string{"jmp 0x1010": "eb0e", "jmp 0x2000": "e9fb0f0000", "jne 0x2000": "0f85fa0f0000", "jne 0x1000": "75fe", "jmp 0xf00": "e9fbfeffff"} {
		l, err := ISA().Parse(nil, text, "att")
		if err != nil {
			t.Fatal(err)
		}
		if code, err := encode(nil, &l[0], 0x1000); err != nil || hex.EncodeToString(code) != want {
			t.Errorf("%s: %x, %v; want %s", text, code, err, want)
		}
	}
}

// BenchmarkDecode decodes machine code of compiled programs.
func BenchmarkDecode(b *testing.B) {
	var code []byte
	for _, s := range []string{"4881fdffff0000", "4d85ed48896b2048896b1848896b08", "4c8b4008488b78084d89c44c89c24d85c94a8d3407",
		"4183ff0119c083e00885c98945c4b8010000000f4fc139c2", "488b542458488b4c24504839ca", "c5fb1005f80f0000c5fb5904c1c5fb1104c2",
		"62f1ed5858480162f2f548b8d1", "0f84e0fdffff", "e8d96ffeff", "f20f5844c808f20f1144ca08"} {
		x, _ := hex.DecodeString(s)
		code = append(code, x...)
	}
	var in isa.Inst
	n := 0
	b.ReportAllocs()
	for b.Loop() {
		for p := 0; p < len(code); {
			k, err := decode(code[p:], 0, &in)
			if err != nil {
				b.Fatal(err)
			}
			p += k
			n++
		}
	}
	b.ReportMetric(float64(n)/b.Elapsed().Seconds()/1e6, "Minst/s")
}
