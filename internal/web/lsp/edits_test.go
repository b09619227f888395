package lsp

import (
	"context"
	"errors"
	"math/rand/v2"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"github.com/sourcegraph/jsonrpc2"

	"incore/internal/base/source"
)

// placeOf returns the position of an offset in a text, worked out from the start: the reference for text.at.
func placeOf(s string, offset int, units bool) Position {
	before := source.Lines(s)[:offset]
	line := strings.Count(before, "\n")
	tail := before[strings.LastIndexByte(before, '\n')+1:]
	if units {
		return Position{line, len(utf16.Encode([]rune(tail)))}
	}
	return Position{line, len(tail)}
}

// TestEdits: after random changes at character boundaries the text is what the changes make of it, in both encodings; positions beyond lines are their ends.
func TestEdits(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	pieces := []string{"a", "\n", "\r", "b\r", "é", "😀", "\tadd %rax, %rbx\n", "", "\r\n", "# 漢字\n"}
	for _, units := range []bool{false, true} {
		for range 300 {
			s := ""
			x := newText("", units)
			for range 40 {
				runes := []rune(s)
				lo := r.IntN(len(runes) + 1)
				hi := lo + r.IntN(len(runes)-lo+1)
				a, b := len(string(runes[:lo])), len(string(runes[:hi]))
				inCRLF := func(at int) bool { return at > 0 && at < len(s) && s[at] == '\n' && s[at-1] == '\r' }
				if inCRLF(a) || inCRLF(b) { // no position lies between the two
					continue
				}
				put := pieces[r.IntN(len(pieces))]
				next, err := x.apply(&change{Range: &Range{placeOf(s, a, units), placeOf(s, b, units)}, Text: put})
				if err != nil {
					t.Fatal(err)
				}
				s = s[:a] + put + s[b:]
				if next.raw != s || next.string != source.Lines(s) {
					t.Fatalf("the text is %q (%q), want %q", next.raw, next.string, s)
				}
				x = next
			}
			if next, err := x.apply(&change{Range: &Range{Position{0, 1 << 20}, Position{0, 1 << 20}}, Text: "end"}); err != nil || !strings.HasPrefix(next.string, x.line(0)+"end") {
				t.Fatalf("a character beyond the line: %v", err)
			}
		}
	}
	for _, bad := range []Range{{Position{5, 0}, Position{6, 0}}, {Position{-1, 0}, Position{0, 0}}, {Position{0, 3}, Position{0, 1}}} {
		if _, err := newText("abcd\n", false).apply(&change{Range: &bad}); err == nil {
			t.Errorf("%v is applied", bad)
		}
	}
}

// TestCancel: a request that is cancelled is answered at once, with the protocol's error; the next one is answered in full.
func TestCancel(t *testing.T) {
	e := start(t, utf8Client)
	e.open(dotURI, "asm", manyLoops())
	id := jsonrpc2.ID{Num: 4711}
	failed := make(chan error, 1)
	begin := time.Now()
	go func() {
		failed <- e.conn.Call(context.Background(), "textDocument/codeLens", at(dotURI, 0, 0), nil, jsonrpc2.PickID(id))
	}()
	time.Sleep(20 * time.Millisecond)
	e.notify("$/cancelRequest", map[string]any{"id": 4711})
	var own *jsonrpc2.Error
	if err := <-failed; err != nil && (!errors.As(err, &own) || own.Code != codeCancelled) {
		t.Errorf("cancelled: %v", err)
	} else if err == nil {
		t.Logf("answered in %v, before the cancellation came", time.Since(begin))
	}
	var lenses []codeLens
	e.call("textDocument/codeLens", at(dotURI, 0, 0), &lenses)
	if len(lenses) != 300 {
		t.Errorf("%d lenses", len(lenses))
	}
}
