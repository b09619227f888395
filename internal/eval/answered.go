package eval

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
)

// A peer needs minutes to hours for a corpus, and its answers do not depend on our models. testdata/osaca.tsv therefore lists for each corpus the blocks that
// OSACA answered in full, so that the engines' errors on exactly these blocks can be computed without OSACA.

// Key names a block of a corpus by its text.
func Key(text string) string {
	h := fnv.New32a()
	h.Write([]byte(text))
	return fmt.Sprintf("%08x", h.Sum32())
}

// Answered reads the keys of a corpus from a file of lines "corpus<TAB>keys", where blanks separate the keys.
func Answered(path, corpus string) (map[string]bool, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<20)
	for s.Scan() {
		name, keys, ok := strings.Cut(s.Text(), "\t")
		if !ok || name != corpus {
			continue
		}
		out := map[string]bool{}
		for _, k := range strings.Fields(keys) {
			out[k] = true
		}
		return out, nil
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	return nil, fmt.Errorf("%s has no line of %s", path, corpus)
}

// Only returns the blocks whose keys are in a set.
func Only(blocks []Block, keys map[string]bool) []Block {
	var out []Block
	for _, b := range blocks {
		if keys[Key(b.Text)] {
			out = append(out, b)
		}
	}
	return out
}
