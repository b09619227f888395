package lsp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"

	"incore/internal/analyze"
	"incore/internal/base/parallel"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/report"
)

// maxText is the number of bytes beyond which a document is not analysed.
const maxText = 16 << 20

// document is an open document.
type document struct {
	uri, path string
	language  string // the editor's name of it
	memory    *memory
	// cancel stops the work on diagnostics of the last version.
	cancel context.CancelFunc
	now    *snapshot
}

// snapshot is one version of a document under the settings of its time. It doesn't change; requests that came before a change are answered from it.
type snapshot struct {
	*document
	version  int
	text     *text
	settings Settings
	server   *server
	parse    sync.Once
	code     *code
	err      error
}

// assembly reports whether a document is assembly text, by its language or the ending of its name.
func (d *document) assembly() bool {
	if _, ok := sourceLanguages[d.language]; ok {
		return false
	}
	switch strings.ToLower(filepath.Ext(d.path)) {
	case ".s", ".asm", ".nasm", ".gas", ".sx":
		return true
	}
	l := strings.ToLower(d.language)
	for _, part := range []string{"asm", "assembly", "gas", "nasm", "masm", "gnu assembler", "arm", "riscv"} {
		if strings.Contains(l, part) {
			return true
		}
	}
	return false
}

// pathOf returns the path of a file's URI, "" for other URIs.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	p := u.Path
	if runtime.GOOS == "windows" {
		p = strings.TrimPrefix(p, "/")
	}
	return filepath.Clean(filepath.FromSlash(p))
}

// uriOf is the reverse of pathOf.
func uriOf(path string) string {
	p := filepath.ToSlash(path)
	if !strings.HasPrefix(p, "/") {
		p = "/" + p
	}
	return (&url.URL{Scheme: "file", Path: p}).String()
}

// code is assembly text, read, with what is known of its kernels.
type code struct {
	*analyze.Text
	memory *memory
	built  []builtKernel
}

// builtKernel holds what is worked out of a kernel on first use.
type builtKernel struct {
	once  sync.Once
	lines []int // of each instruction, from 1; none if the kernel is refused
	key   key
}

// read parses the text once. The error says why it cannot be analysed.
func (s *snapshot) read() (*code, error) {
	s.parse.Do(func() {
		if len(s.text.string) > maxText {
			s.err = fmt.Errorf("%d bytes are too many for an editor: 'incore analyze' takes them", len(s.text.string))
			return
		}
		defer func() {
			if p := recover(); p != nil {
				s.server.panicked(p)
				s.err = errors.New("the text cannot be analysed; this is a mistake in incore")
			}
		}()
		f, err := source.New(filepath.Base(s.path), []byte(s.text.string))
		if err == nil {
			var t *analyze.Text
			if t, err = analyze.ReadText(f, s.options()); err == nil {
				s.code = &code{Text: t, memory: s.memory, built: make([]builtKernel, len(t.Kernels))}
			}
		}
		s.err = err
	})
	return s.code, s.err
}

// options returns the options of analyses: the machine by comment, by setting, or by the compilation of the file.
func (s *snapshot) options() analyze.Options {
	o := analyze.Options{ISA: s.settings.ISA, Syntax: s.settings.Syntax, Version: report.Version}
	if o.Archs = commented(s.text.string); len(o.Archs) > 0 && s.document.assembly() {
		return o
	}
	if o.Archs = s.settings.machines(); len(o.Archs) > 0 {
		return o
	}
	if c := s.server.databases.find(s.path); s.path != "" && c != nil {
		for _, name := range c.machines() {
			_ = analyze.CompilerName(&o, name) // names that incore does not know leave the default
		}
	}
	return o
}

// key identifies the code of a kernel: kernels of equal keys have equal results, but for line numbers.
type key [32]byte

// of returns what is worked out of kernel i.
func (c *code) of(i int) *builtKernel {
	b := &c.built[i]
	b.once.Do(func() {
		h := newHash()
		if err := c.Readable(i); err != nil {
			h.add("refused", err.Error())
			b.key = h.sum()
			return
		}
		k := c.Build(i)
		h.add(k.Name, k.ISA.Name, k.Syntax, c.Target.Model.Name, fmt.Sprint(k.Loop, k.Path, k.Latch, c.Kernels[i].Depth))
		h.lines(k.Lines)
		h.add("entry")
		h.lines(k.Entry)
		b.key = h.sum()
		for n := range k.Lines {
			b.lines = append(b.lines, k.Lines[n].No)
		}
	})
	return b
}

// work works all kernels out, on all cores.
func (c *code) work() { parallel.For(len(c.Kernels), func(i int) { c.of(i) }) }

// holding returns the kernel that contains a line (from 1), and the index of its first instruction there; -1 if there is none.
func (c *code) holding(line int) (kernel, instruction int) {
	for i := range c.Kernels {
		if c.Program.LineNumbers(&c.Kernels[i]).Contains(line) {
			return i, slices.Index(c.of(i).lines, line)
		}
	}
	return -1, -1
}

// head returns the line (from 1) at which a kernel begins: that of its label, else that of its first instruction.
func (c *code) head(i int) int {
	for _, l := range c.Program.LabelsIn(&c.Kernels[i]) {
		if !l.Source && l.Statement == 0 && l.Line > 0 {
			return l.Line
		}
	}
	return c.Program.LineNumbers(&c.Kernels[i])[0].First
}

// instructionOn returns the first instruction on a line (from 1), "" if there is none.
func (c *code) instructionOn(line int) string {
	first, end := c.Program.OnLine(line)
	if first == end {
		return ""
	}
	var l []isa.Line
	if l = c.Program.Lines(l, first); len(l) == 0 {
		return ""
	}
	return isa.Brief(l[0].Text)
}

// result returns the analysis of kernel i, from memory if its code has been analysed before.
func (c *code) result(ctx context.Context, i int, advice bool) (*report.Document, error) {
	k := c.of(i).key
	return c.memory.get(ctx, place{k, advice}, func() (*report.Document, error) {
		return c.Describe(analyze.Options{Context: ctx, Version: report.Version}, i, advice)
	})
}

// best returns the analysis with advice if it is there, else the one without.
func (c *code) best(ctx context.Context, i int) (*report.Document, error) {
	if d := c.memory.have(place{c.of(i).key, true}); d != nil {
		return d, nil
	}
	return c.result(ctx, i, false)
}
