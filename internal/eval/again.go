package eval

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
)

// Again returns the blocks of a corpus that were measured again, with the cycles of that measurement: a file of lines "key<TAB>cycles" (Key). So the figures
// can be stored apart from code that may not be.
func Again(blocks []Block, path string) ([]Block, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	cycles := map[string]float64{}
	s := bufio.NewScanner(f)
	for n := 1; s.Scan(); n++ {
		key, figure, _ := strings.Cut(s.Text(), "\t")
		v, err := strconv.ParseFloat(figure, 64)
		if err != nil || !(v > 0) {
			return nil, fmt.Errorf("%s:%d: a line is a block's key, a tab and its cycles ('go run ./tools/blocks -agree FILE,FILE -keys')", path, n)
		}
		cycles[key] = v
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	var out []Block
	for _, b := range blocks {
		if v := cycles[Key(b.Text)]; v > 0 {
			b.Cycles = v
			out = append(out, b)
		}
	}
	return out, nil
}
