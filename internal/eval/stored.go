package eval

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"incore/internal/analyze/predict"
	"incore/internal/bench/block"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
	"incore/internal/machine/accuracy"
)

// HeldOut is the prefix of held-out corpora. The tools show only the summary of their errors and no single blocks, so that no rule can be fitted to them.
const HeldOut = "heldout-"

// IsHeldOut reports whether a corpus is held out; corpus is a file or a name in internal/machine/accuracy.
func IsHeldOut(corpus string) bool { return strings.HasPrefix(filepath.Base(corpus), HeldOut) }

// Stored is a corpus whose errors are in internal/machine/accuracy.
type Stored struct {
	Model      *machine.Model
	Blocks     []Block
	Conditions predict.Conditions // the conditions of the measurement
}

// ErrNotHere is the error for a corpus whose file is missing: the repository contains only some corpora.
var ErrNotHere = errors.New("not here")

// OpenStored reads the corpus of a row of internal/machine/accuracy. It looks for the corpus, the files of loop addresses and second measurements and the list of blocks that OSACA answers in
// testdata and in the directory of the environment variable INCORE_CORPORA.
func OpenStored(row accuracy.Row, testdata string) (*Stored, error) {
	name, osaca := strings.CutSuffix(row.Corpus, accuracy.OSACA)
	name, _ = strings.CutSuffix(name, accuracy.Profiler) // the same blocks with another notion
	name, placed := strings.CutSuffix(name, accuracy.Places)
	name, again := strings.CutSuffix(name, accuracy.Suited)
	path, places := find(name, testdata, os.Getenv("INCORE_CORPORA")), ""
	if path == "" {
		return nil, fmt.Errorf("no corpus %s.tsv or .tsv.gz in INCORE_CORPORA=%s: %w", name, os.Getenv("INCORE_CORPORA"), ErrNotHere)
	}
	if placed {
		places = filepath.Join(testdata, filepath.Dir(name)+"-places.tsv")
	}
	m, err := machine.Get(row.Model)
	if err != nil {
		return nil, err
	}
	s := &Stored{Model: m}
	if s.Blocks, _, err = Load(path, places, catalog.ISA(m.ISA)); err != nil {
		return nil, err
	}
	if again {
		if s.Blocks, err = Again(s.Blocks, filepath.Join(testdata, filepath.Dir(name)+"-suited.tsv")); err != nil {
			return nil, err
		}
	}
	if osaca {
		keys, err := Answered(filepath.Join(testdata, "osaca.tsv"), name)
		if err != nil {
			return nil, err
		}
		s.Blocks = Only(s.Blocks, keys)
	}
	pages := 1
	if start := block.Starts[row.Registers]; start != nil { // over several pages; only the difference between one page and several matters
		pages, s.Conditions.Start = 2, start
	}
	return s, s.Conditions.Measure(row.Notion, row.Registers, pages)
}

// find returns the path of a corpus in the first directory that contains it; "" if none does.
func find(corpus string, dirs ...string) string {
	for _, dir := range dirs {
		for _, ext := range []string{".tsv", ".tsv.gz"} {
			path := filepath.Join(dir, corpus+ext)
			if _, err := os.Stat(path); dir != "" && err == nil {
				return path
			}
		}
	}
	return ""
}
