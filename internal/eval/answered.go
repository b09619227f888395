package eval

import (
	"bufio"
	"fmt"
	"hash/fnv"
	"os"
	"strings"
)

// A peer takes minutes for a corpus and hours for some, and what it answers does not change as the models here do: testdata/osaca.tsv holds for each corpus
// which blocks it answered in full, so that the engines' figures on exactly these can be made again without it.

// Key names a block of a corpus by its text.
func Key(text string) string {
	h := fnv.New32a()
	h.Write([]byte(text))
	return fmt.Sprintf("%08x", h.Sum32())
}

// Answered reads of a file of lines "corpus, keys" (separated by tab and blanks) the keys of a corpus.
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

// Only keeps the blocks with some keys.
func Only(blocks []Block, keys map[string]bool) []Block {
	var out []Block
	for _, b := range blocks {
		if keys[Key(b.Text)] {
			out = append(out, b)
		}
	}
	return out
}
