package lsp

import (
	"context"
	"crypto/sha256"
	"hash"
	"io"
	"sync"

	"incore/internal/isa"
	"incore/internal/report"
)

// memory holds the results for the kernels of a document, so that after a change only the changed kernels are analysed.
type memory struct {
	mu      sync.Mutex
	results map[place]*result
}

// place names a result: the code, and whether changes were searched that make it faster.
type place struct {
	key
	advice bool
}

// result is made by one goroutine at a time.
type result struct {
	making chan struct{} // holds one element while it is made
	mu     sync.Mutex
	doc    *report.Document
	err    error
}

func (m *memory) at(p place) *result {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.results == nil {
		m.results = map[place]*result{}
	}
	r := m.results[p]
	if r == nil {
		r = &result{making: make(chan struct{}, 1)}
		m.results[p] = r
	}
	return r
}

// have returns a result that is there, else nil.
func (m *memory) have(p place) *report.Document {
	m.mu.Lock()
	r := m.results[p]
	m.mu.Unlock()
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.doc
}

// get returns a result, and makes it if it is not there. What is given up because ctx has ended is not kept.
func (m *memory) get(ctx context.Context, p place, do func() (*report.Document, error)) (*report.Document, error) {
	r := m.at(p)
	select {
	case r.making <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-r.making }()
	r.mu.Lock()
	doc, err := r.doc, r.err
	r.mu.Unlock()
	if doc != nil || err != nil {
		return doc, err
	}
	doc, err = do()
	if ctx.Err() != nil {
		return nil, ctx.Err()
	}
	r.mu.Lock()
	r.doc, r.err = doc, err
	r.mu.Unlock()
	return doc, err
}

// keep forgets all results but those of some kernels.
func (m *memory) keep(keys map[key]bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for p := range m.results {
		if !keys[p.key] {
			delete(m.results, p)
		}
	}
}

// forget forgets all results.
func (m *memory) forget() { m.keep(nil) }

// hasher makes keys.
type hasher struct{ hash.Hash }

func newHash() hasher { return hasher{sha256.New()} }

func (h hasher) add(parts ...string) {
	for _, s := range parts {
		_, _ = io.WriteString(h, s)
		_, _ = h.Write([]byte{0})
	}
}

// lines adds what the results depend on: not the numbers of the lines.
func (h hasher) lines(l []isa.Line) {
	for i := range l {
		join := "-"
		if l[i].Join {
			join = "+"
		}
		h.add(l[i].Text, join)
		if len(l[i].Between) > 0 {
			h.add("(")
			h.lines(l[i].Between)
			h.add(")")
		}
	}
}

func (h hasher) sum() (k key) {
	h.Sum(k[:0])
	return k
}
