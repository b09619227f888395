package object

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"testing"

	"incore/internal/isa/x86"
)

// raw is hexadecimal machine code at 0x1000.
func raw(t *testing.T, code string) *File {
	t.Helper()
	b, err := hex.DecodeString(strings.Join(strings.Fields(code), ""))
	if err != nil {
		t.Fatal(err)
	}
	f, err := Raw(b, 0x1000, x86.ISA())
	if err != nil {
		t.Fatal(err)
	}
	return f
}

// TestRawLoops finds nests in hand-made code.
func TestRawLoops(t *testing.T) {
	for _, c := range []struct{ name, code, want string }{
		{"no loop", "31c0 c3", ""},
		{"one block", "48ffc9 75fb c3", "1i"},                                // dec %rcx; jne .-3
		{"nest", "ba05000000 b903000000 48ffc9 75fb 48ffca 75f1 c3", "1 2i"}, // mov $5; 1: mov $3; 2: dec; jne 2b; dec; jne 1b
		{"two", "48ffc9 75fb 48ffca 75fb c3", "1i 1i"},
		{"padding before the body", "eb02 6690 48ffc9 75fb c3", "1i"},
		{"bad bytes", "06 48ffc9 75fb c3", "1i"},
		{"jump into an instruction", "75ff c3", ""},
		{"empty", "", ""},
	} {
		f := raw(t, c.code)
		got := ""
		for _, fn := range f.Functions() {
			got += describeLoops(f.Loops(fn))
		}
		if got != c.want {
			t.Errorf("%s: loops %q, want %q", c.name, got, c.want)
		}
	}
}

// TestRawTable resolves a jump table of addresses and one of distances.
func TestRawTable(t *testing.T) {
	// cmp $2, %rdi; ja default; lea table(%rip), %rdx; movslq (%rdx,%rdi,4), %rax; add %rdx, %rax; jmp *%rax;
	// 3 cases and default: ret; nop padding; table: three distances
	f := raw(t, `4883ff02 7713 488d1511000000 486304ba 4801d0 ffe0
		c3 c3 c3 c3 90 90 90 90
		f8ffffff f9ffffff faffffff`)
	// the table lies behind the code in one section: cut the function there
	fn := f.Functions()[0]
	fn.Size = 0x1a
	g := fn.Graph()
	if g.Tables != 1 {
		t.Fatalf("%d tables, %d unknown, blocks %v", g.Tables, g.Unknown, g.Blocks)
	}
	for _, b := range g.Blocks {
		if b.Flow != 0 && len(b.Succ) == 3 {
			return
		}
	}
	t.Errorf("no block with three successors: %+v", g.Blocks)
}

func TestMarked(t *testing.T) {
	f := raw(t, "90 bb6f000000646790 48ffc9 75fb bbde000000646790 c3")
	k, err := f.Marked()
	if err != nil || len(k) != 1 || len(k[0].Lines) != 2 || !k[0].Loop {
		t.Fatalf("%v, %v", k, err)
	}
	if _, err := raw(t, "90 bbde000000646790 c3").Marked(); err == nil {
		t.Error("an end without a beginning is accepted")
	}
}

// TestDamaged reads truncated and mutated files: an error or a file, no panic, no
// memory without bound.
func TestDamaged(t *testing.T) {
	data, err := os.ReadFile(compile(t, "gcc", "-O1", "-g", "-DMAIN"))
	if err != nil {
		t.Fatal(err)
	}
	obj, err := os.ReadFile(compile(t, "gcc", "-O1", "-g", "-c"))
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 8))
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	const rounds = 300
	for i := 0; i < rounds; i++ {
		src := data
		if i%2 == 1 {
			src = obj
		}
		b := bytes.Clone(src)
		if i%3 == 0 {
			b = b[:rng.IntN(len(b))]
		}
		for k := 0; k < 1+i%20 && len(b) > 0; k++ {
			at := rng.IntN(len(b))
			if i%2 == 0 { // the headers
				at = rng.IntN(min(len(b), 0x400))
			}
			b[at] = byte(rng.Uint32())
		}
		exercise(b)
	}
	runtime.ReadMemStats(&after)
	if mb := (after.TotalAlloc - before.TotalAlloc) >> 20; mb > rounds*64 {
		t.Errorf("%d MB allocated for %d files", mb, rounds)
	}
}

// exercise uses everything of a file.
func exercise(b []byte) {
	f, err := Read(b, x86.ISA())
	if err != nil {
		return
	}
	for i, fn := range f.Functions() {
		if i == 200 {
			break
		}
		for _, l := range f.Loops(fn) {
			_, _ = l.Kernel(KernelOptions{})
		}
		f.SourceLine(fn.Addr)
	}
	_, _ = f.Marked()
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("\x7fELF\x02\x01\x01"))
	f.Add([]byte("MZ"))
	f.Add([]byte("\xcf\xfa\xed\xfe"))
	f.Fuzz(func(t *testing.T, b []byte) { exercise(b) })
}

func TestOpenErrors(t *testing.T) {
	if _, err := Open("/nonexistent", x86.ISA()); err == nil {
		t.Error("opened a file that doesn't exist")
	}
	if _, err := Open(t.TempDir(), x86.ISA()); err == nil {
		t.Error("opened a folder")
	}
	if _, err := Read([]byte("hello"), x86.ISA()); err != ErrFormat {
		t.Errorf("text: %v", err)
	}
}

// TestMachODamage: of a thin file it is not said that it is no universal one.
func TestMachODamage(t *testing.T) {
	for _, head := range []string{"cffaedfe 07000001 03000000 01000000 04000000 ffffffff 00200000 00000000", "cffaedfe 07000001", "cafebabe 00000002 01000007", "cffaedfe ffffffff ffffffff ffffffff"} {
		data, err := hex.DecodeString(strings.ReplaceAll(head, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if _, err = Read(data, x86.ISA()); err == nil || strings.Contains(err.Error(), "not a fat") || !strings.Contains(err.Error(), "Mach-O file") {
			t.Errorf("%s: %v", head, err)
		}
	}
}

// TestRelocatedFields: a distance whose bits are all ones fills the field of an instruction and no bit beside it.
func TestRelocatedFields(t *testing.T) {
	for kind, field := range map[elf.R_AARCH64]uint32{
		elf.R_AARCH64_CALL26:        0x03ffffff,
		elf.R_AARCH64_JUMP26:        0x03ffffff,
		elf.R_AARCH64_CONDBR19:      0x00ffffe0,
		elf.R_AARCH64_LD_PREL_LO19:  0x00ffffe0,
		elf.R_AARCH64_TSTBR14:       0x0007ffe0,
		elf.R_AARCH64_ADR_PREL_LO21: 0x60ffffe0,
	} {
		b := make([]byte, 4)
		relocateA64(kind, b, 1, 0)
		if got := binary.LittleEndian.Uint32(b); got != field {
			t.Errorf("%s: %#08x, want %#08x", kind, got, field)
		}
	}
}
