// Package eval holds predictors against measurements: it reads corpora of
// measured blocks, predicts each block, and sums up the errors.
package eval

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// Block is one measured piece of code.
type Block struct {
	Kernel *isa.Kernel
	Text   string  // as the corpus has it
	Cycles float64 // measured, per iteration
}

// Load reads a corpus: tab-separated, gzipped or not, a header line with the columns
// cycles and hex (machine code) or att or asm (statements separated by ';'). Code from an
// asm column is a loop that its last instruction closes, and so is HEX@OFFSET, which lies at that offset (hexadecimal) of a line of 64
// bytes; the others are straight code.
// Lines whose code does not resolve are returned as errors, with their line numbers.
//
// A second file, if it is not "", says where the loops lay: with a column offset, as behind HEX@, and further columns that both files have, which tell
// what it is the offset of.
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

// places says where loops of a corpus lay.
type places struct {
	columns []string // that a corpus has, too
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

// of is where the loop of a corpus' line lay; 0 if that is not known.
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
		return placedBase + offset
	}
	return 0
}

func read(r io.Reader, where *places, a *isa.ISA) (blocks []Block, bad []error, err error) {
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, maxLine)
	if !sc.Scan() {
		return nil, nil, fmt.Errorf("it is empty")
	}
	col := map[string]int{}
	for i, name := range strings.Split(sc.Text(), "\t") {
		col[name] = i
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
		if err != nil || c <= 0 {
			bad = append(bad, fmt.Errorf("line %d: bad number of cycles '%s'", no, fields[cycles]))
			continue
		}
		b := Block{Cycles: c}
		if err := b.code(fields, col, where.of(fields, col), a); err != nil {
			bad = append(bad, fmt.Errorf("line %d: %w", no, err))
			continue
		}
		blocks = append(blocks, b)
	}
	return blocks, bad, sc.Err()
}

// code makes the kernel of a line from the best of its columns; text lies at an address.
func (b *Block) code(fields []string, col map[string]int, base uint64, a *isa.ISA) (err error) {
	b.Kernel = &isa.Kernel{ISA: a}
	if i, ok := col["asm"]; ok {
		b.Text, b.Kernel.Loop = fields[i], true
		return b.parse(base, a)
	}
	if i, ok := col["att"]; ok {
		b.Text = fields[i]
	}
	i, ok := col["hex"]
	if !ok {
		return b.parse(0, a)
	}
	if b.Text == "" {
		b.Text = fields[i]
	}
	digits, offset, placed := strings.Cut(fields[i], "@")
	code, err := hex.DecodeString(digits)
	if err != nil {
		return err
	}
	base = 0
	if placed {
		if base, err = strconv.ParseUint(offset, 16, 12); err != nil {
			return fmt.Errorf("bad offset '%s'", offset)
		}
		base += placedBase
		b.Kernel.Loop, b.Kernel.Latch = true, true
	}
	if len(code) == 0 {
		return errors.New("no code")
	}
	return b.decode(code, base, a)
}

// placedBase is where loops are taken to lie of which the offset in a page is known.
const placedBase = 1 << 20

// decode makes the kernel from machine code that starts at an address.
func (b *Block) decode(code []byte, base uint64, a *isa.ISA) error {
	texts := strings.Split(b.Text, ";")
	for at := 0; at < len(code); {
		var l isa.Line
		n, err := a.Decode(code[at:], base+uint64(at), &l.Inst)
		if err != nil {
			return err
		}
		if a.Canonical != nil {
			l.Inst.Form = a.Canonical(l.Inst.Form)
		}
		l.Addr = base + uint64(at)
		if k := len(b.Kernel.Lines); k < len(texts) {
			l.Text = strings.TrimSpace(texts[k])
		}
		b.Kernel.Lines = append(b.Kernel.Lines, l)
		at += n
	}
	return nil
}

// parse makes the kernel from text, and gives its instructions addresses from one on, and sizes where they can be encoded.
func (b *Block) parse(addr uint64, a *isa.ISA) error {
	for _, s := range strings.Split(b.Text, ";") {
		if s = strings.TrimSpace(s); s == "" {
			continue
		}
		insts, err := a.Parse(nil, s, "")
		if err != nil {
			return err
		}
		for k := range insts {
			l := isa.Line{Inst: insts[k], Text: s, Part: k, Addr: addr}
			if a.Encode != nil {
				if code, err := a.Encode(nil, &l.Inst, addr); err == nil {
					l.Inst.Size = uint8(len(code))
					addr += uint64(len(code))
				}
			}
			b.Kernel.Lines = append(b.Kernel.Lines, l)
		}
	}
	return nil
}
