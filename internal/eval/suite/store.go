package suite

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"

	"incore/internal/base/filelock"
	"incore/internal/base/source"
)

// Row is a line of a directory's files. Exactly one of its fields is set.
type Row struct {
	Header     *Header     `json:"header,omitempty"`
	Benchmark  *Benchmark  `json:"benchmark,omitempty"`
	Dropped    *Dropped    `json:"dropped,omitempty"`
	Measured   *Measured   `json:"measured,omitempty"`
	Prediction *Prediction `json:"prediction,omitempty"`
	Coverage   *Coverage   `json:"coverage,omitempty"`
}

// Header begins each file.
type Header struct {
	Format  int    `json:"format"`
	Target  string `json:"target"`            // instruction set
	Machine string `json:"machine,omitempty"` // the machine of results: CPU, family, model, stepping, microcode
	Model   string `json:"model,omitempty"`   // the model of predictions
	Seed    uint64 `json:"seed"`
	Cross   string `json:"cross,omitempty"` // the cross compilers' triple
}

const format = 1

// Benchmark is an executable with distinct machine code and the correct result.
type Benchmark struct {
	ID             string   `json:"id"` // key of the machine code
	Key            string   `json:"key"`
	Kernel         string   `json:"kernel"`
	Family         string   `json:"family"`
	HeldOut        bool     `json:"held_out"`
	Source         string   `json:"source"`
	Language       string   `json:"language"`
	Compiler       string   `json:"compiler"`
	Version        int      `json:"version"`
	Level          string   `json:"level"`
	Vectors        string   `json:"vectors"`
	Transformation string   `json:"transformation"`
	Type           string   `json:"type,omitempty"`
	Arrays         string   `json:"arrays,omitempty"` // "pointers": compilers do not know which arrays are distinct
	Flags          []string `json:"flags"`
	Check          float64  `json:"check"`
	Program        *Program `json:"program,omitempty"` // nil: a kernel in our harness
}

// Dropped is a variant or a benchmark that does not count, with the reason.
type Dropped struct {
	Key    string `json:"key,omitempty"` // key of a variant
	ID     string `json:"id,omitempty"`  // ID of a benchmark
	Kernel string `json:"kernel"`
	Reason string `json:"reason"` // one of few
	Detail string `json:"detail,omitempty"`
}

// Measured holds the measurements of a benchmark.
type Measured struct {
	ID           string  `json:"id"`
	Cycles       float64 `json:"cycles"`      // cycles of one call of the kernel
	Uncertainty  float64 `json:"uncertainty"` // relative difference of the fastest pass to the next; not known for a single pass
	Windows      int     `json:"windows"`
	Width        float64 `json:"width"`          // cycles of the width probe in these windows
	Room         float64 `json:"room,omitempty"` // cycles of an iteration of the room probe in these windows: above Roomy short loops take longer; 0: not known
	Instructions uint64  `json:"instructions"`
	Blocks       int     `json:"blocks"` // number of executed blocks
	Accesses     uint64  `json:"accesses"`
	Misses       float64 `json:"misses"` // share of the accesses that miss a warm L1 data cache
	Hot          []Hot   `json:"hot,omitempty"`
}

// Hot is an executed block and the number of its executions.
type Hot struct {
	Addr  uint64 `json:"addr"`
	End   uint64 `json:"end"`
	Count uint64 `json:"count"`
	File  string `json:"file,omitempty"` // its file, if it is not the benchmark's
}

// Prediction is the prediction of a predictor for a benchmark.
type Prediction struct {
	ID        string             `json:"id"`
	Predictor string             `json:"predictor"`
	By        string             `json:"by,omitempty"`   // the build of incore that made it
	At        int64              `json:"at,omitempty"`   // its time, in seconds since 1970; the newest prediction counts
	Core      string             `json:"core,omitempty"` // the tool's name of the core for which it predicts, if it is asked by name
	Cycles    float64            `json:"cycles,omitempty"`
	Failure   string             `json:"failure,omitempty"`
	Seconds   float64            `json:"seconds"`          // CPU time
	Blocks    map[string]float64 `json:"blocks,omitempty"` // address → cycles of one execution
	Limits    map[string]float64 `json:"limits,omitempty"` // limit → cycles
}

// file is an append-only file of rows that one process writes.
type file struct {
	f *os.File
}

// ErrBusy is the error for a file that another run is writing.
var ErrBusy = errors.New("another run is writing it")

// open opens a file to append rows, and returns its rows. It cuts off an incomplete last line, which a killed run may leave.
func open(name string) (*file, []Row, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
	if err != nil {
		return nil, nil, err
	}
	if filelock.Held(f) {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, ErrBusy)
	}
	rows, whole, err := readRows(f)
	if err == nil {
		err = f.Truncate(whole)
	}
	if err == nil {
		_, err = f.Seek(whole, io.SeekStart)
	}
	if err != nil {
		f.Close()
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	return &file{f}, rows, nil
}

// readRows reads rows and returns the number of bytes of complete lines.
func readRows(r io.Reader) (rows []Row, whole int64, err error) {
	b := bufio.NewReaderSize(r, 1<<20)
	for no := 1; ; no++ {
		line, err := b.ReadBytes('\n')
		if err == io.EOF {
			return rows, whole, nil
		} else if err != nil {
			return nil, 0, err
		}
		if len(bytes.TrimSpace(line)) > 0 {
			var row Row
			if err := json.Unmarshal(line, &row); err != nil {
				if field, words, ok := source.WrongKind(err); ok {
					err = errors.New(cmp.Or(field, "the row") + " " + words)
				}
				return nil, 0, fmt.Errorf("line %d: %w; without that line, what it has is made again", no, err)
			}
			rows = append(rows, row)
		}
		whole += int64(len(line))
	}
}

// add appends rows in one write.
func (w *file) add(rows ...Row) error {
	var out []byte
	for i := range rows {
		line, err := json.Marshal(&rows[i])
		if err != nil {
			return err
		}
		out = append(append(out, line...), '\n')
	}
	at, err := w.f.Seek(0, io.SeekCurrent)
	if err != nil {
		return err
	}
	if _, err := w.f.Write(out); err != nil {
		_ = w.f.Truncate(at) // half a line
		if errors.Is(err, syscall.ENOSPC) {
			return errFull
		}
		return err
	}
	return nil
}

func (w *file) Close() error { return w.f.Close() }

// The files of a directory.
const (
	suiteFile     = "suite.jsonl"
	resultsPrefix = "results-"
	binaries      = "bin"
	sourceDir     = "src"
)

// Dir holds the content of a directory.
type Dir struct {
	Path        string
	Suite       Header
	Benchmarks  []*Benchmark
	Dropped     []Dropped
	Machines    []string                          // machines of the results
	Model       string                            // model of the predictions, "" if none
	Measured    map[string]*Measured              // the faster of the fastest two passes that agree, with their difference as uncertainty; the fastest pass if none agree
	Passes      map[string][]*Measured            // the passes of each benchmark
	Predictions map[string]map[string]*Prediction // benchmark → predictor
	Coverage    map[string]*Coverage
}

// Read reads a directory. It does not mix results of several machines: machine, a part of the name, selects one; "" selects the only one.
func Read(dir, machine string) (*Dir, error) {
	d := &Dir{Path: dir, Measured: map[string]*Measured{}, Passes: map[string][]*Measured{}, Predictions: map[string]map[string]*Prediction{}, Coverage: map[string]*Coverage{}}
	rows, err := readFile(filepath.Join(dir, suiteFile))
	if errors.Is(err, os.ErrNotExist) {
		return nil, fmt.Errorf("%s holds no benchmarks: 'incore eval make -o %s' makes some", dir, dir)
	} else if err != nil {
		return nil, err
	}
	d.take(rows)
	names, err := filepath.Glob(filepath.Join(dir, resultsPrefix+"*.jsonl"))
	if err != nil {
		return nil, err
	}
	var parts [][]Row
	for _, n := range names {
		rows, err := readFile(n)
		if err != nil {
			return nil, err
		}
		if len(rows) == 0 || rows[0].Header == nil {
			continue
		}
		h := rows[0].Header
		if !strings.Contains(h.Machine, machine) {
			continue
		}
		if !slices.Contains(d.Machines, h.Machine) {
			d.Machines = append(d.Machines, h.Machine)
		}
		if parts = append(parts, rows[1:]); h.Model != "" {
			d.Model = h.Model
		}
	}
	if len(d.Machines) > 1 {
		return nil, fmt.Errorf("%s has results of several machines; --machine chooses one by a part of its name: %s", dir, strings.Join(d.Machines, "; "))
	}
	for _, rows := range parts {
		d.take(rows)
	}
	return d, nil
}

// machines returns the machines of a directory's results.
func machines(dir string) (out []string) {
	names, _ := filepath.Glob(filepath.Join(dir, resultsPrefix+"*.jsonl"))
	for _, n := range names {
		if h := headerOf(n); h != nil && !slices.Contains(out, h.Machine) {
			out = append(out, h.Machine)
		}
	}
	return out
}

// headerOf reads the first line of a file; it returns nil if that is not a header.
func headerOf(name string) *Header {
	f, err := os.Open(name)
	if err != nil {
		return nil
	}
	defer f.Close()
	var row Row
	if json.NewDecoder(f).Decode(&row) != nil {
		return nil
	}
	return row.Header
}

// take adds rows.
func (d *Dir) take(rows []Row) {
	for _, r := range rows {
		switch {
		case r.Header != nil:
			d.Suite = *r.Header
		case r.Benchmark != nil:
			d.Benchmarks = append(d.Benchmarks, r.Benchmark)
		case r.Dropped != nil:
			d.Dropped = append(d.Dropped, *r.Dropped)
		case r.Measured != nil:
			d.passed(r.Measured)
		case r.Coverage != nil:
			d.Coverage[r.Coverage.ID] = r.Coverage
		case r.Prediction != nil:
			p := r.Prediction
			if d.Predictions[p.ID] == nil {
				d.Predictions[p.ID] = map[string]*Prediction{}
			}
			if old := d.Predictions[p.ID][p.Predictor]; old == nil || old.At <= p.At {
				d.Predictions[p.ID][p.Predictor] = p
			}
		}
	}
}

// passed adds a pass over a benchmark.
func (d *Dir) passed(m *Measured) {
	list := append(d.Passes[m.ID], m)
	d.Passes[m.ID] = list
	order := slices.SortedFunc(slices.Values(list), func(a, b *Measured) int { return cmp.Compare(a.Cycles, b.Cycles) })
	at := 0
	for i := range order[1:] { // two agreeing passes count even if a single pass is faster
		if apart(order[i], order[i+1]) <= Agree {
			at = i
			break
		}
	}
	best := *order[at]
	best.Uncertainty, best.Hot = 1, list[0].Hot // only the first has counts
	if len(order) > 1 {
		best.Uncertainty = apart(order[at], order[at+1])
	}
	d.Measured[m.ID] = &best
}

// apart returns the relative difference of two passes.
func apart(fast, slow *Measured) float64 { return (slow.Cycles - fast.Cycles) / fast.Cycles }

// settled reports whether two passes over a benchmark agree.
func (d *Dir) settled(id string) bool {
	m := d.Measured[id]
	return m != nil && m.Settled()
}

// crowded reports whether the core had too little room for short loops in the fastest of few passes over a benchmark, so that another may be faster.
func (d *Dir) crowded(id string) bool {
	m := d.Measured[id]
	return m != nil && m.Room > Roomy && len(d.Passes[id]) < roomPasses
}

// Settled reports whether another pass over the benchmark took the same time.
func (m *Measured) Settled() bool { return m.Uncertainty <= Agree }

func readFile(name string) ([]Row, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, _, err := readRows(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return rows, nil
}

// binary returns the path of a benchmark's executable.
func binaryFile(dir, id string) string { return filepath.Join(dir, binaries, id) }
