package x86

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"io"
	"os"
	"strings"
	"testing"

	"incore/internal/isa"
)

// TestBlocks decodes corpora of hexadecimal machine code (first field of each
// line; a field after the last tab may hold the AT&T text) and checks that the
// printed text, and the corpus' own, parse to the decoded forms. INCORE_BLOCKS
// names the files, separated by colons; some blocks are always tried.
func TestBlocks(t *testing.T) {
	b := &blockTest{t: t}
	b.read(strings.NewReader(strings.Join([]string{
		"4881fdffff0000\tcmpq $65535, %rbp",
		"4d85ed48896b2048896b1848896b08\ttestq %r13, %r13;movq %rbp, 32(%rbx);movq %rbp, 24(%rbx);movq %rbp, 8(%rbx)",
		"62f1ed1f58cbc5e858cb\tvaddpd {rn-sae}, %zmm3, %zmm2, %zmm1 {%k7};vaddps %xmm3, %xmm2, %xmm1",
	}, "\n")))
	if s := os.Getenv("INCORE_BLOCKS"); s != "" {
		for _, name := range strings.Split(s, ":") {
			b.file(name)
		}
	}
	t.Logf("%d blocks, %d instructions: %d not decoded; printed text parses to another form: %d, the corpus' text: %d",
		b.blocks, b.insts, b.bad, b.printed, b.given)
	if b.bad+b.printed+b.given > 0 {
		t.Errorf("differences")
	}
}

type blockTest struct {
	t                                  *testing.T
	blocks, insts, bad, printed, given int
}

func (b *blockTest) file(name string) {
	f, err := os.Open(name)
	if err != nil {
		b.t.Fatal(err)
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			b.t.Fatal(err)
		}
	}
	b.read(r)
}

func (b *blockTest) read(r io.Reader) {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		f := strings.Split(sc.Text(), "\t")
		if code, err := hex.DecodeString(f[0]); err == nil && len(code) > 0 {
			b.block(code, f[len(f)-1])
		}
	}
}

func (b *blockTest) block(code []byte, text string) {
	b.blocks++
	stmts := strings.Split(strings.ReplaceAll(text, "lock;", "lock "), ";")
	for i := 0; len(code) > 0; i++ {
		var in isa.Inst
		n, err := decode(code, 0, &in)
		if err != nil {
			b.bad++
			b.t.Logf("%x: %v", code, err)
			return
		}
		b.insts++
		if s := string(printInst(nil, &in, "att")); !b.parses(&in, s) {
			b.printed++
		}
		if i < len(stmts) && strings.Contains(text, " ") && !b.parses(&in, strings.TrimSpace(stmts[i])) {
			b.given++
		}
		code = code[n:]
	}
}

func (b *blockTest) parses(in *isa.Inst, stmt string) bool {
	got, err := parse(nil, stmt, "att")
	name := "?"
	if len(got) > 0 { // a prefix may count as an instruction of its own
		last := got[len(got)-1].Form
		if last == in.Form || sameButEncoding(last, in.Form) {
			return true
		}
		name = codes().table.Name(last)
	}
	if b.bad+b.printed+b.given < 30 {
		b.t.Logf("%s: decoded %s, parsed %s %v", stmt, codes().table.Name(in.Form), name, err)
	}
	return false
}

// sameButEncoding reports whether two forms are encodings of one text
// (mov %rax, %rbx as 89 and 8b, push $1 with a byte or four).
func sameButEncoding(a, b isa.FormID) bool {
	t := codes().table
	m, _ := t.AsmParts(a, 0)
	n, _ := t.AsmParts(b, 0)
	return m == n && t.NumOps(a) == t.NumOps(b)
}
