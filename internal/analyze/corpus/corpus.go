// Package corpus reads what incore predict takes: a corpus of blocks, one a line, an object file or executable, bare machine code, or assembly text as
// compilers write it; compressed or not.
package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"incore/internal/analyze"
	"incore/internal/analyze/predict"
	"incore/internal/base/regex"
	"incore/internal/base/source"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// Input is an opened input and its name.
type Input struct {
	*bufio.Reader
	Name  string
	close func() error
}

// Close closes the input.
func (c *Input) Close() { _ = c.close() }

// bufferSize is the size in bytes of the input buffer.
const bufferSize = 1 << 16

// Open opens a file, or stdin for "-", and decompresses it.
func Open(name string, stdin io.Reader) (*Input, error) {
	in := &Input{Name: name, close: func() error { return nil }}
	r := stdin
	if name == "-" {
		in.Name = "<stdin>"
	} else {
		file, err := os.Open(name)
		if err != nil {
			return nil, source.Unreadable(err)
		}
		r, in.close = file, file.Close
		if info, err := file.Stat(); err == nil && (info.IsDir() || info.Mode()&fs.ModeDevice != 0) { // a device may never end
			file.Close()
			data, err := source.ReadBytes(name)
			if err != nil {
				return nil, err
			}
			r, in.close = bytes.NewReader(data), func() error { return nil }
		}
	}
	in.Reader = bufio.NewReaderSize(r, bufferSize)
	if head, _ := in.Peek(2); bytes.Equal(head, []byte("\x1f\x8b")) {
		z, err := gzip.NewReader(in.Reader)
		if err != nil {
			in.Close()
			return nil, fmt.Errorf("%s: %w", in.Name, err)
		}
		in.Reader = bufio.NewReaderSize(&unzipped{z, in.Reader, in.Name}, bufferSize)
	}
	return in, nil
}

// wrong names the input in an error, unless it is one of its decompression, which names it.
func (in *Input) wrong(doing string, err error) error {
	if strings.HasPrefix(err.Error(), in.Name+": ") {
		return err
	}
	return fmt.Errorf("%s%s: %w", doing, in.Name, err)
}

// all reads the whole input.
func (in *Input) all() ([]byte, error) {
	data, err := source.Stream(in.Name, in)
	if cause := errors.Unwrap(err); cause != nil {
		err = in.wrong("reading ", cause)
	}
	return data, err
}

// IsBinary reports whether the beginning of a file is not text.
func IsBinary(head []byte) bool {
	if !isText(head) {
		return true
	}
	if bytes.IndexByte(head, 0) < 0 {
		return false
	}
	lines, printable := 0, 0 // a text may have a damaged line
	for l := range bytes.Lines(head) {
		lines++
		if bytes.IndexFunc(l, func(r rune) bool { return r < ' ' && r != '\t' && r != '\n' && r != '\r' }) < 0 {
			printable++
		}
	}
	return 2*printable <= lines
}

// isText reports whether almost all bytes are printable or white space.
func isText(b []byte) bool {
	odd := 0
	for _, c := range b {
		if c < 0x20 && c != '\t' && c != '\n' && c != '\r' || c == 0x7f || c >= 0xf5 {
			odd++
		}
	}
	return odd*20 <= len(b)
}

// Job detects the kind of the input and makes the job for it. block is the column of the blocks in a corpus of lines ("": it is found), workers the number of
// blocks that are predicted at a time.
func (in *Input) Job(block string, workers int, o *analyze.Options) (*predict.Job, error) {
	head, err := in.Peek(1)
	if err == nil {
		head, err = in.Peek(in.Buffered())
	}
	if err != nil && err != io.EOF {
		return nil, in.wrong("reading ", err)
	}
	if len(head) > headBytes {
		head = whole(head[:headBytes])
	}
	if object.IsObject(head) || IsBinary(head) {
		return in.binary(workers, o)
	}
	if source.Spans(head) {
		in.Reader = bufio.NewReaderSize(source.JoinQuoted(in.Reader), bufferSize)
	} else if isAssembly(head) {
		return in.assembly(workers, o)
	}
	targets, a, err := analyze.Targets(o, nil)
	if err != nil {
		return nil, err
	}
	j := &predict.Job{ISA: a, Syntax: o.Syntax, Workers: workers, Targets: predictors(targets)}
	if j.Format, err = predict.Detect(in.Reader, a, block); err != nil {
		return nil, in.wrong("", err)
	}
	j.Source = predict.NewLines(in.Reader, &j.Format)
	return j, nil
}

func predictors(targets []analyze.Target) []predict.Predictor {
	out := make([]predict.Predictor, len(targets))
	for i, t := range targets {
		out[i].Model = t.Model
	}
	return out
}

// headBytes is how much of the beginning of a file tells its kind.
const headBytes = 4096

// whole returns the lines of the beginning of a file without the last one, which may be cut off, if there are others.
func whole(head []byte) []byte {
	if at := bytes.LastIndexByte(head, '\n'); at > 0 {
		return head[:at+1]
	}
	return head
}

// isAssembly reports whether the beginning of a file is assembly text as compilers write it, not a corpus of blocks: some line is a directive or only
// a label.
func isAssembly(head []byte) bool {
	for line := range bytes.Lines(head) {
		line = bytes.TrimSpace(line)
		if directive().Match(line) || listing().Match(line) || len(line) > 1 && line[len(line)-1] == ':' && !bytes.ContainsAny(line, " \t,;") {
			return true
		}
	}
	return false
}

var directive = regex.Lazy(`^\.(text|file|globa?l|section|type|p2align|intel_syntax|att_syntax|arch|cpu|attribute|option|build_version)\b`)

// listing matches a line that only disassemblers write.
var listing = regex.Lazy(`^Disassembly of section |:\s+file format |^TEXT .*\(SB\)`)

// assembly predicts the kernels of assembly text that 'incore analyze' finds: marked regions, otherwise innermost loops.
func (in *Input) assembly(workers int, o *analyze.Options) (*predict.Job, error) {
	data, err := in.all()
	if err != nil {
		return nil, err
	}
	src, err := source.New(in.Name, data)
	if err != nil {
		return nil, err
	}
	kernels, targets, err := analyze.Kernels(src, o)
	if err != nil {
		return nil, err
	}
	var blocks predict.Blocks
	for _, k := range kernels {
		for i := range k.Lines {
			k.Lines[i].Err = nil // counted as an instruction without cost data
		}
		blocks = append(blocks, predict.Block{Name: k.Name, Code: k.Lines, Loop: k.Loop})
	}
	return &predict.Job{ISA: kernels[0].ISA, Workers: workers, Targets: predictors(targets), Source: &blocks}, nil
}

// binary predicts the code of an object file, or bare machine code.
func (in *Input) binary(workers int, o *analyze.Options) (*predict.Job, error) {
	data, err := in.all()
	if err != nil {
		return nil, err
	}
	obj, err := object.Read(data, catalog.ISAs()...)
	var known *isa.ISA
	if err == nil {
		known = obj.ISA
	} else if !errors.Is(err, object.ErrFormat) {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	if obj == nil {
		if err := source.NoCode(in.Name, data); err != nil {
			return nil, err
		}
	}
	targets, a, err := analyze.Targets(o, known)
	if err != nil {
		return nil, err
	}
	if obj == nil {
		if obj, err = object.Raw(data, 0, a); err != nil {
			return nil, err
		}
	}
	blocks, err := codeOf(obj, known == nil, filepath.Base(in.Name), data)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", in.Name, err)
	}
	return &predict.Job{ISA: a, Workers: workers, Targets: predictors(targets), Source: &blocks}, nil
}

// codeOf lists the code to predict: marked regions, otherwise innermost loops, otherwise the whole of bare code.
func codeOf(obj *object.File, bare bool, name string, data []byte) (predict.Blocks, error) {
	var blocks predict.Blocks
	marked, err := obj.Marked()
	if err != nil {
		return nil, err
	}
	for _, k := range marked {
		blocks = append(blocks, predict.Block{Name: k.Name, Code: k.Lines, Loop: k.Loop})
	}
	if len(blocks) > 0 {
		return blocks, nil
	}
	for _, fn := range obj.Functions() {
		for _, l := range obj.Loops(fn) {
			if !l.Innermost {
				continue
			}
			if k, err := l.Kernel(object.KernelOptions{}); err == nil {
				blocks = append(blocks, predict.Block{Name: k.Name, Code: k.Lines, Loop: true})
			}
		}
	}
	if len(blocks) == 0 && bare {
		r := predict.Reader{ISA: obj.ISA}
		k, err := r.Code(data, 0)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, predict.Block{Name: name, Code: k.Lines, Loop: k.Loop})
	}
	if len(blocks) == 0 {
		return nil, errors.New("no markers and no loops in its code")
	}
	return blocks, nil
}
