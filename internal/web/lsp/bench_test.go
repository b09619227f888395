package lsp

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// manyLoops returns a text of about 5,000 lines: 300 loops of different code.
func manyLoops() string {
	var b strings.Builder
	for i := range 300 {
		fmt.Fprintf(&b, "f%d:\n\txorl\t%%eax, %%eax\n.L%d:\n", i, i)
		for n := range 2 + i%10 {
			fmt.Fprintf(&b, "\tvmovsd\t%d(%%rdi,%%rax,8), %%xmm%d\n\tvaddsd\t%%xmm%d, %%xmm15, %%xmm15\n", 8*(i+n), n, n)
		}
		fmt.Fprintf(&b, "\taddq\t$1, %%rax\n\tcmpq\t%%rax, %%rdx\n\tjne\t.L%d\n\tret\n", i)
	}
	return b.String()
}

// TestFast: in a file of 5,000 lines an answer after a change takes less than a quarter of the first one, which
// analyses the whole file: a tenth to a thirtieth on a quiet machine. It takes the best of several tries, for other
// work of the machine; BenchmarkHints has the time itself.
func TestFast(t *testing.T) {
	text := manyLoops()
	if n := strings.Count(text, "\n"); n < 5000 {
		t.Fatalf("only %d lines", n)
	}
	e := start(t, utf8Client)
	e.open(dotURI, "asm", text)
	begin := time.Now()
	e.call("textDocument/codeLens", at(dotURI, 0, 0), nil)
	first := time.Since(begin)
	t.Logf("the first code lenses: %v", first)
	e.diagnosed("advice", func(p publishParams) bool { return len(p.Diagnostics) > 0 })
	for _, method := range []string{"hover", "inlayHint", "codeLens", "completion", "definition", "documentSymbol"} {
		best := time.Hour
		for i := range 10 {
			e.change(dotURI, 2+i, change{Range: &Range{Position{7, 0}, Position{7, 0}}, Text: "\tincl %ecx\n"})
			start := time.Now()
			e.call("textDocument/"+method, documentParams{documentID{dotURI}, Position{9, 3}, Range{End: Position{60, 0}}}, nil)
			best = min(best, time.Since(start))
		}
		t.Logf("%s after a change: %v", method, best)
		if best > first/4 {
			t.Errorf("%s takes %v after a change, the first answer %v", method, best, first)
		}
	}
}

func BenchmarkHints(b *testing.B) {
	e := start(b, utf8Client)
	e.open(dotURI, "asm", manyLoops())
	e.call("textDocument/codeLens", at(dotURI, 0, 0), nil)
	for i := 0; b.Loop(); i++ {
		e.change(dotURI, 2+i, change{Range: &Range{Position{7, 0}, Position{7, 5}}, Text: "\tincl"})
		e.call("textDocument/inlayHint", in(dotURI, 0, 60), nil)
	}
}
