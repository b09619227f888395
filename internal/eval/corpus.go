// Package eval compares predictions with measurements: it reads corpora of
// measured blocks, predicts each block, and summarizes the errors.
package eval

import (
	"bufio"
	"compress/gzip"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"incore/internal/analyze/predict"
	"incore/internal/base/finite"
	"incore/internal/isa"
	"incore/internal/object"
)

// Block is one measured piece of code.
type Block struct {
	Kernel *isa.Kernel
	Text   string  // the text in the corpus
	Cycles float64 // measured cycles per iteration
	Note   string  // the corpus's column "note"; "": none
}

// Load reads a corpus: tab-separated lines, gzipped or not, with a header line that names the columns cycles and
// hex or block (machine code; HEX@OFFSET for loops at a known offset), asm or att (statements separated by ';'). Package predict parses the code.
// Load returns lines whose code does not resolve as errors, with their line numbers.
//
// A second file, if its name is not "", gives the addresses of the loops: its column offset has the value of HEX@OFFSET, and the columns that both files
// have identify the loop.
func Load(path, offsets string, a *isa.ISA) (blocks []Block, bad []error, err error) {
	var where *places
	if offsets != "" {
		if where, err = readPlaces(offsets); err != nil {
			return nil, nil, fmt.Errorf("reading the places of loops: %w", err)
		}
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the corpus: %w", err)
	}
	defer f.Close()
	var r io.Reader = bufio.NewReader(f)
	if strings.HasSuffix(path, ".gz") {
		if r, err = gzip.NewReader(r); err != nil {
			return nil, nil, fmt.Errorf("reading the corpus %s: %w", path, err)
		}
	}
	blocks, bad, err = read(r, where, a)
	if err != nil {
		err = fmt.Errorf("reading the corpus %s: %w", path, err)
	}
	return blocks, bad, err
}

// maxLine bounds the length of a corpus line.
const maxLine = 4 << 20

// places holds the offsets of the loops of a corpus.
type places struct {
	columns []string // the columns that the corpus also has
	offset  map[string]uint64
}

// readPlaces reads a file of offsets.
func readPlaces(path string) (*places, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(strings.TrimRight(string(text), "\n"), "\n")
	names := strings.Split(lines[0], "\t")
	last := len(names) - 1
	if last < 1 || names[last] != "offset" {
		return nil, fmt.Errorf("%s: its first line does not end in a column 'offset'", path)
	}
	p := &places{names[:last], map[string]uint64{}}
	for i, l := range lines[1:] {
		key, text := cutLast(l)
		offset, err := strconv.ParseUint(text, 16, 12)
		if err != nil {
			return nil, fmt.Errorf("%s:%d: bad offset '%s'", path, i+2, text)
		}
		p.offset[key] = offset
	}
	return p, nil
}

// cutLast cuts the last column off.
func cutLast(line string) (before, last string) {
	i := strings.LastIndexByte(line, '\t')
	return line[:max(0, i)], line[i+1:]
}

// of returns the offset of the loop in a line of the corpus; 0 if it is not known.
func (p *places) of(fields []string, col map[string]int) uint64 {
	if p == nil {
		return 0
	}
	var key []string
	for _, name := range p.columns {
		i, ok := col[name]
		if !ok {
			return 0
		}
		key = append(key, fields[i])
	}
	if offset, ok := p.offset[strings.Join(key, "\t")]; ok {
		return object.PlacedBase + offset
	}
	return 0
}

func read(r io.Reader, where *places, a *isa.ISA) (blocks []Block, bad []error, err error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	if !sc.Scan() {
		return nil, nil, fmt.Errorf("it is empty")
	}
	col, names := map[string]int{}, strings.Split(sc.Text(), "\t")
	for i, name := range names {
		if before, ok := col[name]; ok {
			return nil, nil, fmt.Errorf("its columns %d and %d are both called '%s'", before+1, i+1, name)
		}
		col[name] = i
	}
	if i, ok := col["block"]; ok && col["hex"] == 0 && names[0] != "hex" { // as incore measure writes it
		col["hex"] = i
		delete(col, "block")
	}
	cycles, ok := col["cycles"]
	if !ok {
		return nil, nil, fmt.Errorf("its first line names no column 'cycles'")
	}
	for no := 2; sc.Scan(); no++ {
		fields := strings.Split(sc.Text(), "\t")
		if len(fields) < len(col) {
			bad = append(bad, fmt.Errorf("line %d has %d of %d columns", no, len(fields), len(col)))
			continue
		}
		c, err := strconv.ParseFloat(fields[cycles], 64)
		if err != nil || !finite.Positive(c) {
			bad = append(bad, fmt.Errorf("line %d: bad number of cycles '%s'", no, fields[cycles]))
			continue
		}
		b := Block{Cycles: c}
		if i, ok := col["note"]; ok {
			b.Note = fields[i]
		}
		if err := b.code(fields, col, where.of(fields, col), a); err != nil {
			bad = append(bad, fmt.Errorf("line %d: %w", no, err))
			continue
		}
		blocks = append(blocks, b)
	}
	return blocks, bad, sc.Err()
}

// code makes the kernel of a line from the best of its columns; addr is the address of the code, 0 if it is not known.
func (b *Block) code(fields []string, col map[string]int, addr uint64, a *isa.ISA) (err error) {
	r := predict.Reader{ISA: a, Addr: addr}
	for _, name := range []string{"asm", "att", "hex"} {
		if i, ok := col[name]; ok && b.Text == "" {
			b.Text = fields[i]
		}
	}
	if i, ok := col["hex"]; ok {
		b.Kernel, err = r.Hex(fields[i])
		return err
	}
	if b.Kernel, err = r.Text(b.Text); err != nil {
		return err
	}
	for i := range b.Kernel.Lines {
		if l := &b.Kernel.Lines[i]; l.Err != nil || l.Inst.Form == isa.NoForm {
			return fmt.Errorf("'%s' is not known: %v", l.Text, l.Err)
		}
	}
	return nil
}
