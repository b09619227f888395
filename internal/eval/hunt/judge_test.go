package hunt

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// TestCommand: a tool is asked by its command line, with files of the block's code and text.
func TestCommand(t *testing.T) {
	tool := filepath.Join(t.TempDir(), "tool")
	if err := os.WriteFile(tool, []byte("#!/bin/sh\nwc -c < $1\nwc -l < $2\n"), 0o777); err != nil {
		t.Fatal(err)
	}
	set := x86.ISA()
	var insts []isa.Inst
	for _, text := range []string{"addq %rax, %rbx", "nop"} {
		list, err := set.Parse(nil, text, set.Syntaxes[0])
		if err != nil {
			t.Fatal(err)
		}
		insts = append(insts, list...)
	}
	ask, err := NewJudge("lines="+tool+" {code} {asm}", nil, set)
	if err != nil {
		t.Skip(err) // no shell here
	}
	if got, err := ask(context.Background(), insts, []byte{0x48, 0x01, 0xc3, 0x90}); err != nil || got != float64(len(insts)) {
		t.Errorf("%g, %v; want %d", got, err, len(insts))
	}
	for _, bad := range []string{"no-such-predictor", "x=" + tool, "x=no-such-tool {code}", "=tool {code}"} {
		if _, err := NewJudge(bad, nil, set); err == nil || !strings.Contains(err.Error(), "predictor") && !strings.Contains(err.Error(), "installed") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}
