package block

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// FuzzReadCorpus reads corpora: each block is a part of a line, without blanks around it.
func FuzzReadCorpus(f *testing.F) {
	for _, s := range []string{"block\n4801c8\n", "4801c8,1.0\n90\t2\n", "\"addq $1, %rax; nop\",3\n", " 90 ,1\n90\x00\n", "# x\n\"", "hex\r\n90\r\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		blocks, err := ReadCorpus(strings.NewReader(text))
		if err != nil {
			return
		}
		if n := strings.Count(text, "\n") + 1; len(blocks) > n {
			t.Fatalf("%d blocks in %d lines", len(blocks), n)
		}
		for _, b := range blocks {
			if c := strings.TrimSpace(b); isCode(c) && c != b {
				t.Fatalf("block %q", b)
			}
		}
	})
}

// FuzzDone reads files of measurements that a run was stopped in: what is valid of them is valid again, with the same rows.
func FuzzDone(f *testing.F) {
	f.Add(Header + "\n90,1.000,0.1,3.6,\n")
	f.Add(Header + "\n90,,,,unstable: x\n4801c8,1.0")
	f.Add("block,cyc")
	f.Add(Header + "\n\"a\nb\",1,2,3,\n")
	f.Fuzz(func(t *testing.T, text string) {
		done, valid, err := Done(strings.NewReader(text))
		if err != nil {
			return
		}
		if valid < 0 || valid > int64(len(text)) {
			t.Fatalf("%d of %d bytes are valid", valid, len(text))
		}
		again, n, err := Done(strings.NewReader(text[:valid]))
		if err != nil || n != valid || len(again) != len(done) {
			t.Fatalf("the valid part: %d blocks in %d bytes, %v; before %d in %d", len(again), n, err, len(done), valid)
		}
	})
}

// FuzzReadRegs reads files of register values.
func FuzzReadRegs(f *testing.F) {
	a, err := Native()
	if err != nil {
		f.Skip(err)
	}
	f.Add("rax=1\nrbx 0x10 # x\n%rcx=-1\n")
	f.Add("=\n==\nrax=18446744073709551616")
	name := filepath.Join(f.TempDir(), "regs")
	f.Fuzz(func(t *testing.T, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		regs, err := ReadRegs(name, a)
		if err == nil && len(regs) > strings.Count(text, "\n")+1 {
			t.Fatalf("%d registers", len(regs))
		}
	})
}
