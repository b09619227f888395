// Package winic reads the measurements of WINIC (T. Rühl, "Platform-independent Micro-Benchmarking Suite", FAU 2025): a YAML list
// of one shape, with an entry for each form, named as LLVM's opcodes.
package winic

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
)

// Form is what was measured of an instruction form.
type Form struct {
	Name  string // LLVM's
	Pairs []Pair
	RThru Range // reciprocal throughput, in cycles
}

// Latency is that between two operands, NaN if it was not measured.
func (f *Form) Latency(from, to string) Range {
	for _, p := range f.Pairs {
		if p.From == from && p.To == to {
			return p.Cycles
		}
	}
	return none
}

// Pair is the latency from a source to a target operand, in cycles. Operands are numbers, from the results on (a tied source is its target's
// number, and not counted), or names of implicit registers.
type Pair struct {
	From, To string
	Cycles   Range
}

// Range holds a measurement; NaN where there is none.
type Range struct{ Min, Max float64 }

// Exact is the value of a range of one, NaN for others.
func (r Range) Exact() float64 {
	if r.Min != r.Max {
		return math.NaN()
	}
	return r.Min
}

// Nearest is the value of a range that is nearest to another, NaN if nothing was measured.
func (r Range) Nearest(v float64) float64 { return math.Max(r.Min, math.Min(v, r.Max)) }

var none = Range{math.NaN(), math.NaN()}

// Read reads a file of measurements, which may be compressed by gzip.
func Read(r io.Reader) (out []Form, err error) {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); bytes.Equal(magic, []byte{0x1f, 0x8b}) {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, err
		}
		b = bufio.NewReader(z)
	}
	s := bufio.NewScanner(b)
	for no := 1; s.Scan(); no++ {
		key, text, ok := strings.Cut(strings.TrimLeft(s.Text(), " -"), ":")
		text = strings.Trim(strings.TrimSpace(text), "'")
		if ok && key == "llvmName" {
			out = append(out, Form{Name: text, RThru: none})
		} else if ok && len(out) > 0 {
			if err := out[len(out)-1].set(key, text); err != nil {
				return nil, fmt.Errorf("line %d: %w", no, err)
			}
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("is no file of WINIC's: no entry has a llvmName")
	}
	return out, nil
}

// set takes a value of a form's entry.
func (f *Form) set(key, text string) (err error) {
	last := len(f.Pairs) - 1
	number := func(to *float64) {
		if text == "null" {
			return
		}
		if *to, err = strconv.ParseFloat(text, 64); err != nil {
			err = fmt.Errorf("%s of %s: %q is no number", key, f.Name, text)
		}
		if *to < 0 { // what the rest of a chain takes was more than the whole
			*to = math.NaN()
		}
	}
	switch {
	case key == "sourceOperand":
		f.Pairs = append(f.Pairs, Pair{From: text, Cycles: none})
	case key == "throughputMin":
		number(&f.RThru.Min)
	case key == "throughputMax":
		number(&f.RThru.Max)
	case last < 0:
	case key == "targetOperand":
		f.Pairs[last].To = text
	case key == "latencyMin":
		number(&f.Pairs[last].Cycles.Min)
	case key == "latencyMax":
		number(&f.Pairs[last].Cycles.Max)
	}
	return err
}
