package riscv

import (
	"bytes"
	"fmt"
	"math/rand"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"incore/internal/isa"
)

// decodeAttr switches on everything that does not exclude other extensions.
const decodeAttr = "+m,+a,+f,+d,+c,+v,+zba,+zbb,+zbc,+zbs,+zbkb,+zbkc,+zbkx,+zknd,+zkne,+zknh,+zksed,+zksh,+zfh,+zfa,+zicond,+zicbom,+zicbop,+zicboz," +
	"+zihintntl,+zihintpause,+zawrs,+zimop,+zcb,+zcmop,+zabha,+experimental-zalasr,+zvbb,+zvbc,+zvkg,+zvkned,+zvknha,+zvknhb,+zvksed,+zvksh,+zvfh," +
	"+experimental-zvfbfmin,+experimental-zvfbfwma,+zfbfmin,+zvfbfmin,+zvfbfwma,+experimental-zacas,+zacas,+h,+svinval,+experimental-zicfiss,+experimental-zicfilp," +
	"+xtheadba,+xtheadbb,+xtheadbs,+xtheadcmo,+xtheadcondmov,+xtheadfmemidx,+xtheadmac,+xtheadmemidx,+xtheadmempair,+xtheadsync,+xtheadvdot," +
	"+xventanacondops,+xsfvcp,+xsfvqmaccdod,+xsfvqmaccqoq,+xsfvfwmaccqqq,+xsfvfnrclipxfqf,+xsfcease,+xsifivecdiscarddlone,+xsifivecflushdlone"

var encodingRE = regexp.MustCompile(`encoding: \[([^\]]*)\]`)

// llvmDisassemble returns llvm-mc's instruction and text for each word, nothing for those it rejects.
func llvmDisassemble(t testing.TB, attr string, words [][]byte) (map[string]mcInst, map[string]string) {
	t.Helper()
	mc := tool(t, "llvm-mc-19", "llvm-mc")
	var src bytes.Buffer
	for _, w := range words {
		for _, b := range w {
			fmt.Fprintf(&src, "%#02x ", b)
		}
		src.WriteByte('\n')
	}
	cmd := exec.Command(mc, "-triple=riscv64", "-mattr="+attr, "--disassemble", "-show-inst", "-show-encoding", "-")
	cmd.Stdin = &src
	var stdout bytes.Buffer
	cmd.Stdout = &stdout
	_ = cmd.Run()
	insts, texts := map[string]mcInst{}, map[string]string{}
	key := ""
	for _, line := range strings.Split(stdout.String(), "\n") {
		if m := encodingRE.FindStringSubmatch(line); m != nil {
			key = string(hexBytes(m[1]))
			text, _, _ := strings.Cut(line, "#")
			texts[key] = strings.TrimSpace(strings.ReplaceAll(text, "\t", " "))
		}
		if m := mcInstRE.FindStringSubmatch(line); m != nil {
			insts[key] = mcInst{form: m[1]}
		} else if m := mcOpRE.FindStringSubmatch(strings.TrimRight(line, " ")); m != nil {
			in := insts[key]
			in.ops = append(in.ops, m[1])
			insts[key] = in
		}
	}
	return insts, texts
}

// hexBytes reads "0x13,0x05".
func hexBytes(s string) (b []byte) {
	for _, h := range strings.Split(s, ",") {
		v, _ := strconv.ParseUint(h, 0, 8)
		b = append(b, byte(v))
	}
	return b
}

// compareDecode decodes words and compares with llvm-mc.
func compareDecode(t *testing.T, words [][]byte) {
	a := ISA()
	want, _ := llvmDisassemble(t, decodeAttr, words)
	var in isa.Inst
	legal, bad := 0, 0
	for _, w := range words {
		n, err := a.Decode(w, 0, &in)
		got := ""
		if err == nil {
			got = ourInst(a, &in)
			if n != len(w) {
				t.Errorf("% x: %d bytes", w, n)
			}
		}
		m, ok := want[string(w)]
		exp := ""
		if ok {
			legal++
			exp = m.String()
			if in.Form != isa.NoForm && maskedByName.MatchString(m.form) && len(m.ops) == 3 {
				exp += " Reg:11"
			}
		}
		if got != exp && knownDifference(got, exp) == "" {
			if bad++; bad < 40 {
				t.Errorf("% x: got %q, llvm-mc has %q", w, got, exp)
			}
		}
	}
	t.Logf("%d words, %d legal, %d differ", len(words), legal, bad)
}

// knownDifference returns why an instruction differs from what llvm-mc 19 decodes, "" if it should not.
func knownDifference(got, want string) string {
	form, _, _ := strings.Cut(want, " ")
	switch {
	case strings.HasPrefix(form, "C_LUI") && strings.HasSuffix(want, " Imm:0") && got == "":
		return "c.lui with a zero immediate is reserved"
	case form == "C_LUI_HINT" && strings.Contains(want, "Imm:-"):
		return "the hint's immediate is decoded like c.lui's, as the text path has it"
	case (form == "C_SSPUSH" || form == "C_SSPOPCHK") && strings.HasPrefix(got, "C_MOP"):
		return "Zicfiss is a meaning of Zcmop's instructions that must be asked for"
	case form == "AES64KS1I" && got == "":
		return "round numbers above 10 are reserved"
	case form == "FCVTMOD_W_D" && got == "":
		return "rounding modes other than rtz are reserved"
	case strings.HasPrefix(got, "MOPR") && want == "":
		return "with Zicfiss llvm-mc rejects the other instructions of the same Zimop group"
	case strings.HasPrefix(form, "AMOCAS_Q") && strings.HasPrefix(got, form):
		return "llvm-mc's disassembler names single registers where its assembler has pairs"
	case strings.HasPrefix(got, form+" Imm:0 Imm:0") && got == want+" Imm:0 Imm:0":
		return "llvm-mc's assembler gives mret and the like two zero operands, its disassembler none"
	}
	return ""
}

// TestDecodeCompressed compares all 16-bit instructions with llvm-mc.
func TestDecodeCompressed(t *testing.T) {
	var words [][]byte
	for w := range 1 << 16 {
		if w&3 != 3 {
			words = append(words, []byte{byte(w), byte(w >> 8)})
		}
	}
	compareDecode(t, words)
}

// TestDecodeRandom compares random fillings of every 32-bit encoding, and random words, with llvm-mc.
func TestDecodeRandom(t *testing.T) {
	rng := rand.New(rand.NewSource(1))
	e := isa.LoadFixedEnc(tables)
	var words [][]byte
	add := func(w uint32) { words = append(words, []byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)}) }
	for i := range e.Len() {
		if e.Size(i) == 4 {
			for range 12 {
				add(rng.Uint32()&^e.Mask(i) | e.Value(i))
			}
		}
	}
	for range 20000 {
		if w := rng.Uint32() | 3; w&0x1c != 0x1c {
			add(w)
		}
	}
	compareDecode(t, words)
}

// FuzzDecodeLLVM: the decoder and llvm-mc make the same of any instruction. One llvm-mc disassembles many variants of each input: the
// word with some of its bits changed, and encodings with the word's bits where theirs are free.
func FuzzDecodeLLVM(f *testing.F) {
	tool(f, "llvm-mc-19", "llvm-mc")
	e := isa.LoadFixedEnc(tables)
	for i := range 16 {
		f.Add(e.Value(i*e.Len()/16), int64(i))
	}
	f.Fuzz(func(t *testing.T, w uint32, seed int64) {
		rng := rand.New(rand.NewSource(seed))
		var words [][]byte
		add := func(w uint32) {
			switch {
			case w&3 != 3:
				words = append(words, []byte{byte(w), byte(w >> 8)})
			case w&0x1c != 0x1c:
				words = append(words, []byte{byte(w), byte(w >> 8), byte(w >> 16), byte(w >> 24)})
			}
		}
		add(w)
		for range 200 {
			i := rng.Intn(e.Len())
			add(w ^ 1<<rng.Intn(32) ^ 1<<rng.Intn(32) ^ 1<<rng.Intn(32))
			add(e.Value(i) | (w^rng.Uint32()&rng.Uint32())&^e.Mask(i))
			add(rng.Uint32())
		}
		compareDecode(t, words)
	})
}

func BenchmarkDecode(b *testing.B) {
	a := ISA()
	rng := rand.New(rand.NewSource(1))
	e := isa.LoadFixedEnc(tables)
	var code []byte
	for range 4096 {
		i := rng.Intn(e.Len())
		w := rng.Uint32()&^e.Mask(i) | e.Value(i)
		if e.Size(i) == 2 {
			code = append(code, byte(w), byte(w>>8))
		} else {
			code = append(code, byte(w), byte(w>>8), byte(w>>16), byte(w>>24))
		}
	}
	var in isa.Inst
	b.ReportAllocs()
	at := 0
	for b.Loop() {
		n, _ := a.Decode(code[at:], 0, &in)
		if at += n; n == 0 || at >= len(code) {
			at = 0
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Minst/s")
}
