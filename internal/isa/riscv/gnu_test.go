package riscv

import (
	"bytes"
	"debug/elf"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"incore/internal/isa"
)

// TestPrintGNU assembles the printed text of a library's instructions with GNU as and
// compares the bytes. Branches are left out: their targets would become relocations.
func TestPrintGNU(t *testing.T) {
	as := tool(t, "riscv64-linux-gnu-as")
	a := ISA()
	seen := map[string]bool{}
	var want, src bytes.Buffer
	src.WriteString(".option arch, rv64gc\n")
	var in isa.Inst
	for _, file := range binaries(t) {
		f, err := elf.Open(file)
		if err != nil {
			t.Fatal(err)
		}
		code, err := f.Section(".text").Data()
		f.Close()
		if err != nil {
			t.Fatal(err)
		}
		for at := 0; at < len(code); {
			n, err := a.Decode(code[at:], 0, &in)
			w := code[at : at+n]
			at += n
			if err != nil || seen[string(w)] || a.Flow(&in).Target.Kind != isa.OpNone {
				continue
			}
			seen[string(w)] = true
			option := "rvc"
			if n == 4 {
				option = "norvc"
			}
			fmt.Fprintf(&src, ".option %s\n%s\n", option, a.Print(nil, &in, ""))
			want.Write(w)
		}
	}
	dir := t.TempDir()
	s, o := filepath.Join(dir, "a.s"), filepath.Join(dir, "a.o")
	if err := os.WriteFile(s, src.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	if out, err := exec.Command(as, "-o", o, s).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%.2000s", err, out)
	}
	f, err := elf.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	got, err := f.Section(".text").Data()
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%d different instructions", len(seen))
	for at := 0; at < len(got) && at < want.Len(); {
		n, _ := a.Decode(want.Bytes()[at:], 0, &in)
		if !bytes.Equal(got[at:min(len(got), at+n)], want.Bytes()[at:at+n]) {
			t.Fatalf("%s: GNU as has % x, was % x", a.Print(nil, &in, ""), got[at:min(len(got), at+n)], want.Bytes()[at:at+n])
		}
		at += n
	}
	if pad := len(got) - want.Len(); pad < 0 || pad > 3 { // the section's end is aligned
		t.Errorf("%d bytes, want %d", len(got), want.Len())
	}
}
