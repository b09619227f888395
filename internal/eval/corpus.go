// Package eval holds predictors against measurements: it reads corpora of
// measured blocks, predicts each block, and sums up the errors.
package eval

import (
	"bufio"
	"compress/gzip"
	"encoding/hex"
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
// asm column is a loop that its last instruction closes; the others are straight code.
// Lines whose code does not resolve are returned as errors, with their line numbers.
func Load(path string, a *isa.ISA) (blocks []Block, bad []error, err error) {
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
	blocks, bad, err = read(r, a)
	if err != nil {
		err = fmt.Errorf("reading the corpus %s: %w", path, err)
	}
	return blocks, bad, err
}

// maxLine bounds the length of a corpus line.
const maxLine = 4 << 20

func read(r io.Reader, a *isa.ISA) (blocks []Block, bad []error, err error) {
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
		if err := b.code(fields, col, a); err != nil {
			bad = append(bad, fmt.Errorf("line %d: %w", no, err))
			continue
		}
		blocks = append(blocks, b)
	}
	return blocks, bad, sc.Err()
}

// code makes the kernel of a line from the best of its columns.
func (b *Block) code(fields []string, col map[string]int, a *isa.ISA) (err error) {
	b.Kernel = &isa.Kernel{ISA: a}
	if i, ok := col["asm"]; ok {
		b.Text, b.Kernel.Loop = fields[i], true
		return b.parse(a)
	}
	if i, ok := col["att"]; ok {
		b.Text = fields[i]
	}
	i, ok := col["hex"]
	if !ok {
		return b.parse(a)
	}
	if b.Text == "" {
		b.Text = fields[i]
	}
	code, err := hex.DecodeString(fields[i])
	if err != nil {
		return err
	}
	return b.decode(code, a)
}

// decode makes the kernel from machine code that starts at address 0.
func (b *Block) decode(code []byte, a *isa.ISA) error {
	texts := strings.Split(b.Text, ";")
	for at := 0; at < len(code); {
		var l isa.Line
		n, err := a.Decode(code[at:], uint64(at), &l.Inst)
		if err != nil {
			return err
		}
		if a.Canonical != nil {
			l.Inst.Form = a.Canonical(l.Inst.Form)
		}
		l.Addr = uint64(at)
		if k := len(b.Kernel.Lines); k < len(texts) {
			l.Text = strings.TrimSpace(texts[k])
		}
		b.Kernel.Lines = append(b.Kernel.Lines, l)
		at += n
	}
	return nil
}

// parse makes the kernel from text, and gives its instructions addresses and sizes where they can be encoded.
func (b *Block) parse(a *isa.ISA) error {
	addr := uint64(0)
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
