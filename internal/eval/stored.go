package eval

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"incore/internal/accuracy"
	"incore/internal/bench/block"
	"incore/internal/catalog"
	"incore/internal/machine"
	"incore/internal/predict"
)

// HeldOut begins the names of corpora that nobody looks into block by block: only the sums of their errors are shown, so that no rule can be fitted on them.
const HeldOut = "heldout-"

// IsHeldOut reports whether a corpus, a file or a name of internal/accuracy, is held out.
func IsHeldOut(corpus string) bool { return strings.HasPrefix(filepath.Base(corpus), HeldOut) }

// Stored is a corpus that internal/accuracy has figures of.
type Stored struct {
	Model      *machine.Model
	Blocks     []Block
	Conditions predict.Conditions // under which they were measured
}

// ErrNotHere says that the file of a corpus is not at hand: the repository has only some of them.
var ErrNotHere = errors.New("not here")

// OpenStored reads the corpus of a row of internal/accuracy. It looks for the file, and for the places of loops and the blocks that OSACA answers, in
// testdata and in the directory that the environment variable INCORE_CORPORA names.
func OpenStored(row accuracy.Row, testdata string) (*Stored, error) {
	name, osaca := strings.CutSuffix(row.Corpus, accuracy.OSACA)
	name, _ = strings.CutSuffix(name, accuracy.Profiler) // its notion is another
	name, placed := strings.CutSuffix(name, "+places")
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
	if osaca {
		keys, err := Answered(filepath.Join(testdata, "osaca.tsv"), name)
		if err != nil {
			return nil, err
		}
		s.Blocks = Only(s.Blocks, keys)
	}
	pages := 1
	if row.Registers == "measured" { // over several; what counts is whether pages are shared
		pages, s.Conditions.Start = 2, block.Start
	}
	return s, s.Conditions.Measure(row.Notion, row.Registers, pages)
}

// find looks for a corpus in directories; "" if it is in none.
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
