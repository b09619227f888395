package predict

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"incore/internal/base/finite"
	"incore/internal/isa"
	"incore/internal/machine"
	"incore/internal/report"
)

// Row is the prediction of one block on one machine.
type Row struct {
	Block   string   // the block's text in the input
	Fields  []string // all fields of the input line
	Arch    string
	Figure  Figure
	Cycles  float64 // the requested figure, Figure.Loop or Figure.Unrolled
	Unknown int     // instructions without cost data, or whose cost is only a lower bound
	AtLeast bool    // Cycles is a lower bound: some instruction's cost has no upper bound, or the cycles of a called function are not counted
	Err     error   // the reason for a missing figure
}

// ForeignError is the reason for which a block has no figure on a machine that cannot execute it.
type ForeignError struct {
	Arch, Extension string
	Reserved        string // not of this machine alone: the instruction that the specification reserves, and why
}

func (e *ForeignError) Error() string {
	if e.Reserved != "" {
		return "the specification reserves " + e.Reserved
	}
	return fmt.Sprintf("%s cannot execute it: it has no %s", e.Arch, e.Extension)
}

// Source provides blocks: lines of a corpus, or code of an object file.
type Source interface {
	// Next returns the next block; ok is false at the end.
	Next() (b Block, ok bool, err error)
	// Ready reports whether Next returns without waiting.
	Ready() bool
}

// Block is a block to predict: text in a corpus's format, or machine code if that is set.
type Block struct {
	Line  string
	Whole bool   // Line has no other columns: it is text with ';' between statements, or machine code in hexadecimal
	Cut   bool   // Line was longer than maxLine and is cut
	Name  string // name of the code
	Code  []isa.Line
	Loop  bool
}

// Lines is the source of a corpus of lines.
type Lines struct {
	r      *bufio.Reader
	header bool // the next line is the header
	line   []byte
	cut    bool // the line was longer
}

// NewLines reads a corpus whose format has been detected.
func NewLines(r *bufio.Reader, f *Format) *Lines { return &Lines{r: r, header: f.Header != nil} }

// Ready reports whether the buffer already contains more input.
func (l *Lines) Ready() bool { return l.r.Buffered() > 0 }

// Blocks is a source of blocks in memory.
type Blocks []Block

// Next takes the first block.
func (b *Blocks) Next() (first Block, ok bool, err error) {
	if len(*b) == 0 {
		return first, false, nil
	}
	first, *b = (*b)[0], (*b)[1:]
	return first, true, nil
}

// Ready returns true.
func (b *Blocks) Ready() bool { return true }

const (
	maxLine = 4 << 20 // bounds the length of a line
	shown   = 80      // bytes of a longer line that a row repeats
)

// Next returns the next line that is not empty.
func (l *Lines) Next() (Block, bool, error) {
	for {
		line, err := l.read()
		s := strings.TrimRight(line, "\r\n")
		if !isComment(s) {
			if !l.header {
				return Block{Line: s, Cut: l.cut}, true, nil
			}
			l.header = false
		}
		if err == io.EOF {
			return Block{}, false, nil
		} else if err != nil {
			return Block{}, false, err
		}
	}
}

// read reads a line; it drops the part beyond maxLine and sets cut.
func (l *Lines) read() (string, error) {
	l.line, l.cut = l.line[:0], false
	for {
		part, err := l.r.ReadSlice('\n')
		l.line = append(l.line, part[:min(len(part), maxLine-len(l.line))]...)
		l.cut = l.cut || len(l.line) == maxLine
		if err != bufio.ErrBufferFull {
			return string(l.line), err
		}
	}
}

// Job is a corpus to predict.
type Job struct {
	Source  Source
	Format  Format
	ISA     *isa.ISA
	Syntax  string
	Targets []Predictor
	Workers int // 0: one for each core
}

// batch is a number of blocks that one worker predicts.
type batch struct {
	blocks []Block
	rows   []Row
	done   chan struct{}
}

const batchSize = 64

// Run predicts all blocks and calls emit with groups of rows in the order of the input: all machines
// of one block, then those of the next. It emits the pending rows as soon as the input pauses, and holds only a few batches per core in memory. When the
// context is cancelled, it emits the finished rows and returns the context's error.
func (j *Job) Run(ctx context.Context, emit func([]Row) error) error {
	workers := j.Workers
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	order, work := make(chan *batch, 4*workers), make(chan *batch)
	var failed error
	go func() {
		defer close(order)
		defer close(work)
		failed = j.read(ctx, order, work)
	}()
	var group sync.WaitGroup
	for range workers {
		group.Add(1)
		go func() {
			defer group.Done()
			w := worker{job: j, reader: Reader{ISA: j.ISA, Syntax: j.Syntax}}
			for b := range work {
				w.run(b)
			}
		}()
	}
	err := drain(ctx, order, emit)
	cancel()
	if err != nil {
		return err // without waiting for the reader, which may block on its input
	}
	group.Wait()
	return failed
}

// read makes batches from the source's blocks.
func (j *Job) read(ctx context.Context, order, work chan<- *batch) error {
	for {
		b := &batch{blocks: make([]Block, 0, batchSize), done: make(chan struct{})}
		var err error
		ok := true
		for len(b.blocks) < batchSize && ok && err == nil {
			var block Block
			if block, ok, err = j.Source.Next(); ok {
				b.blocks = append(b.blocks, block)
			}
			if ok && !j.Source.Ready() {
				break
			}
		}
		for _, ch := range []chan<- *batch{order, work} {
			select {
			case ch <- b:
			case <-ctx.Done():
				return nil
			}
		}
		if !ok || err != nil {
			return err
		}
	}
}

// drain emits the rows of the batches in order.
func drain(ctx context.Context, order <-chan *batch, emit func([]Row) error) error {
	for {
		var b *batch
		var ok bool
		select {
		case b, ok = <-order:
		case <-ctx.Done():
			return ctx.Err()
		}
		if !ok {
			return nil
		}
		select {
		case <-b.done:
		case <-ctx.Done():
			return ctx.Err()
		}
		if err := emit(b.rows); err != nil {
			return err
		}
	}
}

// worker predicts batches with memory of its own.
type worker struct {
	job    *Job
	reader Reader
}

func (w *worker) run(b *batch) {
	b.rows = make([]Row, 0, len(b.blocks)*len(w.job.Targets))
	for i := range b.blocks {
		b.rows = w.block(b.rows, &b.blocks[i])
	}
	close(b.done)
}

// block predicts one block on all machines. It recovers from a panic, so that a bug does not lose the rest of a long run.
func (w *worker) block(rows []Row, b *Block) (out []Row) {
	row := Row{Block: b.Name}
	defer func() {
		if r := recover(); r != nil {
			row.Err = fmt.Errorf("internal error: %v", r)
			out = append(rows, row)
		}
	}()
	k, err := w.kernel(b, &row)
	for i := range w.job.Targets {
		t := &w.job.Targets[i]
		x := row
		if x.Arch, x.Err = t.Model.Name, err; err == nil {
			var b *machine.Bound
			x.Figure, b = t.Predict(k)
			x.Unknown, x.AtLeast = b.Doubtful(), x.Figure.AtLeast
			x.Cycles = t.Cycles(&x.Figure)
			if name := b.Lacking(); name != "" {
				x.Err = &ForeignError{Arch: t.Model.Name, Extension: name}
			} else if l, why := b.Reserved(); l != nil {
				x.Err = &ForeignError{Arch: t.Model.Name, Reserved: report.ReservedText(l.Text, why)}
			}
		}
		rows = append(rows, x)
	}
	return rows
}

// kernel makes a block's kernel and records the parts of the input that the row repeats.
func (w *worker) kernel(b *Block, row *Row) (*isa.Kernel, error) {
	if b.Code != nil {
		k := &isa.Kernel{ISA: w.job.ISA, Syntax: w.job.ISA.Syntaxes[0], Lines: b.Code, Loop: b.Loop}
		for i := range b.Code {
			if b.Code[i].Err != nil {
				return nil, b.Code[i].Err
			}
		}
		return k, nil
	}
	if b.Cut {
		row.Block = b.Line[:shown] + "..."
		return nil, fmt.Errorf("the line has more than %d bytes", maxLine)
	}
	if b.Whole {
		row.Block = b.Line
		return w.reader.either(b.Line, isHex(b.Line))
	}
	f := &w.job.Format
	row.Fields = f.Split(b.Line, nil)
	if f.Block >= len(row.Fields) {
		return nil, fmt.Errorf("the line has %d columns, the block is in column %d", len(row.Fields), f.Block+1)
	}
	row.Block = bare(row.Fields[f.Block])
	return w.reader.either(row.Block, f.Hex)
}

// either parses a block as the corpus's usual kind, machine code or text; if it cannot be of this kind, as the other.
func (r *Reader) either(block string, asHex bool) (*isa.Kernel, error) {
	first, second := r.Text, r.Hex
	if asHex {
		first, second = r.Hex, r.Text
	}
	k, err := first(block)
	if err != nil && isHex(block) != asHex {
		if other, err := second(block); err == nil {
			return other, nil
		}
	}
	return k, err
}

// Header is the first line of the output; a column arch follows if there are several machines.
const Header = "block,cycles,tp_loop,tp_unrolled,bound,engine,unknown,at_least"

// Append writes a row as CSV, with the machine at its end if named is set. A layout that was not predicted is empty. Cycles have at most three
// decimals. The column unknown is Unknown, or why there are no figures.
func (r *Row) Append(dst []byte, named bool) []byte {
	dst = field(dst, r.Block)
	if r.Err != nil {
		dst = append(field(append(dst, ",,,,,,"...), oneLine(r.Err)), ',')
	} else {
		for _, v := range []float64{r.Cycles, r.Figure.Loop, r.Figure.Unrolled} {
			if dst = append(dst, ','); !math.IsNaN(v) {
				dst = strconv.AppendFloat(dst, Round(v), 'f', -1, 64)
			}
		}
		dst = append(append(dst, ','), r.Figure.Bound...)
		dst = append(append(dst, ','), r.Figure.Engine...)
		dst = strconv.AppendInt(append(dst, ','), int64(r.Unknown), 10)
		dst = strconv.AppendBool(append(dst, ','), r.AtLeast)
	}
	if named {
		dst = field(append(dst, ','), r.Arch)
	}
	return append(dst, '\n')
}

// AppendText writes a row as a line of text: the cycles, the limit, the machine if named is set, and the block.
func (r *Row) AppendText(dst []byte, named bool) []byte {
	arch := ""
	if named {
		arch = fmt.Sprintf("%-16s ", r.Arch)
	}
	if r.Err != nil {
		return fmt.Appendf(dst, "%9s %-12s %s%s: %s\n", "-", "-", arch, r.Block, oneLine(r.Err))
	}
	least := ""
	if r.AtLeast {
		least = "≥"
	}
	return fmt.Appendf(dst, "%9s %-12s %s%s\n", least+strconv.FormatFloat(Round(r.Cycles), 'f', -1, 64), r.Figure.Bound, arch, r.Block)
}

// Record is a row as an object of JSON.
type Record struct {
	Schema   string   `json:"schema,omitempty"` // of a row that is alone
	Block    string   `json:"block"`
	Arch     string   `json:"arch"`
	Cycles   *float64 `json:"cycles"` // null: there is no figure
	Loop     *float64 `json:"tp_loop"`
	Unrolled *float64 `json:"tp_unrolled"`
	Bound    string   `json:"bound,omitempty"`
	Engine   string   `json:"engine,omitempty"`
	Unknown  int      `json:"unknown"`
	AtLeast  bool     `json:"at_least"`
	Error    string   `json:"error,omitempty"`
}

// AppendJSON writes a row as an object of JSON and a line of its own, with the names of the columns, the machine,
// and the schema unless it is "".
func (r *Row) AppendJSON(dst []byte, schema string) []byte {
	x := Record{Schema: schema, Block: r.Block, Arch: r.Arch}
	if r.Err != nil {
		x.Error = oneLine(r.Err)
	} else {
		x.Cycles, x.Loop, x.Unrolled = known(r.Cycles), known(r.Figure.Loop), known(r.Figure.Unrolled)
		x.Bound, x.Engine, x.Unknown, x.AtLeast = r.Figure.Bound, r.Figure.Engine, r.Unknown, r.AtLeast
	}
	line, err := json.Marshal(&x)
	if err != nil { // of no figure: Round's are finite
		return dst
	}
	return append(append(dst, line...), '\n')
}

// known returns a rounded figure, nil where there is none.
func known(v float64) *float64 {
	if math.IsNaN(v) {
		return nil
	}
	v = Round(v)
	return &v
}

func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }

// field writes a field of CSV, in quotes where it needs them (RFC 4180).
func field(dst []byte, s string) []byte {
	if !strings.ContainsAny(s, ",\"\r\n") {
		return append(dst, s...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(s, `"`, `""`)...), '"')
}

// Measured returns the measured cycles of a row in a column from 0.
func (r *Row) Measured(column int) (float64, error) {
	if column >= len(r.Fields) {
		return 0, fmt.Errorf("no column %d", column+1)
	}
	v, err := strconv.ParseFloat(strings.TrimSpace(r.Fields[column]), 64)
	if err != nil || !finite.Positive(v) {
		return 0, errors.New("no positive number in " + strconv.Quote(r.Fields[column]))
	}
	return v, nil
}
