package api

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"
)

// TestGuard: beyond the limit the request that has run longest is stopped, with the reason, and the others go on.
func TestGuard(t *testing.T) {
	g := NewGuard(0) // every heap is beyond it
	o := Options{Guard: g}
	long := `{"text": "1:\n` + strings.Repeat(`vfmadd231pd (%rdi), %ymm1, %ymm2\n add %rax, %rbx\n`, 1000) + ` dec %rcx\n jnz 1b\n", "arch": ["zen4", "skx", "spr"], "sensitivity": true}`
	begin := time.Now()
	if _, err := o.Answer(context.Background(), "analyze", nil, []byte(long)); !errors.Is(err, errMemory) {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	first, leave := g.enter(context.Background())
	second, leaveSecond := g.enter(context.Background())
	<-first.Done()
	if second.Err() != nil || !errors.Is(context.Cause(first), errMemory) {
		t.Errorf("%v, %v", second.Err(), context.Cause(first))
	}
	leave()
	<-second.Done() // its turn
	leaveSecond()
}

// TestMaxWork: requests beyond the bound of work are refused before the work, and those of many loops are cut.
func TestMaxWork(t *testing.T) {
	var o Options
	ask := func(path, body string) (any, error) { return o.Answer(context.Background(), path, nil, []byte(body)) }
	for _, x := range []struct{ path, body string }{
		{"analyze", `{"text": "1:\n.rept 29000\n add %rax, %rbx\n.endr\n dec %rcx\n jnz 1b\n", "arch": ["zen1", "zen2", "zen3"]}`},
		{"compare", `{"texts": ["1:\n.rept 7000\n add %rax, %rbx\n.endr\n jnz 1b\n", "1: nop; jnz 1b"], "arch": ["zen1", "zen2", "zen3", "zen4"]}`},
		{"predict", `{"blocks": ["nop", "` + strings.Repeat("nop;", maxStatements) + `nop"], "arch": ["zen4"]}`},
	} {
		begin := time.Now()
		_, err := ask(x.path, x.body)
		if err == nil || !strings.Contains(err.Error(), "at most") || time.Since(begin) > 5*time.Second {
			t.Errorf("%s: %v after %v", x.path, err, time.Since(begin))
		}
	}
	v, err := ask("analyze", `{"text": "1:\n.rept 400\n add %rax, %rbx\n.endr\n dec %rcx\n jnz 1b\n", "arch": ["zen4"], "timeline": 20}`)
	if err != nil {
		t.Fatal(err)
	}
	if text, _ := json.Marshal(v); len(text) > 16<<20 {
		t.Errorf("a document of %d bytes", len(text))
	}
}
