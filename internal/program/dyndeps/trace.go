package dyndeps

import (
	"cmp"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"syscall"
	"time"

	"incore/internal/program/tracee"
)

// Trace holds the observations of a run. Addresses of the program are those of its file; all others are
// addresses in memory.
type Trace struct {
	Program                     *Program
	Emulator                    string
	Instructions, Loads, Stores uint64   // executions; each repetition of a rep instruction counts; Loads counts only the picked code
	Pairs                       []Pair   // by count, the most frequent first
	Blocks, Loops               []uint64 // executions of each
	Lifetime                    uint64   // Options.Lifetime, 0 if there is no limit

	Interrupted bool
	Limit       time.Duration // time limit that interrupted it (Options.Limit); 0: the user interrupted it
	Exit        string        // the end of the program; "": successful exit
	Signal      string        // the signal that ended the program, "" without one
	Crashed     bool          // a signal ended the program, so that the rest of its execution was not observed
	Illegal     uint64        // address of an instruction that QEMU doesn't know and that ended the program; 0: none
	Rewritten   uint64        // address of code that the program wrote through another mapping of its memory, which QEMU does not see, and that ended it; 0: none
	Replaced    bool          // the program replaced itself by another one (exec), which was not observed
	Threads     uint64
	Forks       uint64 // child processes, which were not observed
	Evicted     uint64 // dropped pages of shadow memory, whose writers are lost
	Lost        uint64 // occurrences of dependences that did not fit into the table
	Hidden      uint64 // executions of SVE's loads and stores that QEMU before 8.1 doesn't report
	Unseen      uint64 // Hidden executions that the plugin could not reconstruct: they are missing
	VectorBits  int    // length of SVE's vectors, if Hidden is not 0 and the plugin knows it
	regions     []region
	cpu         string // Options.CPU
}

// Pair is a store instruction and a load instruction that read bytes of that store.
type Pair struct {
	From, To    uint64
	Count       uint64   // executions of the load that read bytes that the store wrote
	Within      []uint64 // for each of Windows, the executions with fewer instructions between store and load
	Least, Most uint64   // instructions executed between store and load
	Mean        float64
	Distances   []Distance // the most frequent first
}

// Distance is a distance between store and load in iterations.
type Distance struct {
	Loop       int // the loop that carries the dependence, in Program.Loops; -1: no loop contains both
	Iterations int // iterations begun since the store; -1: store and load were in different calls or functions; MaxDistance: that or more
	Count      uint64
	Within     []uint64 // as in Pair
}

// MaxDistance is the largest distance that is counted separately.
const MaxDistance = 255

// rawHeader, rawPair and rawDist are the structures of the plugin's file.
type rawHeader struct {
	Magic, Ended, Bias, Insns, Loads, Stores, Pairs, Dists, Lost uint64
	Pages, Evicted, VCPUs, Forks, SVE, SVESeen, Last             uint64
	Blocks, Loops, Funcs, Sites, LastN, GuestBase, VectorBytes   uint64
	Rewritten                                                    uint64
	Spare                                                        [8]uint64
}

type rawPair struct {
	From, To, Count, Within0, Within1, Least, Most, Sum, Stamp, Life uint64
}

type rawDist struct {
	Pair           uint32
	Loop, Distance int32
	_              uint32
	Count          uint64
	Within0        uint64
	Within1        uint64
	Stamp          uint64
}

const (
	magic    = 0x31304d4953504544 // "DEPSIM01"
	maxPairs = 1 << 20            // MAXPAIRS of the plugin
)

func readHeader(f io.Reader) (h rawHeader, err error) {
	if err := binary.Read(f, binary.LittleEndian, &h); err != nil || h.Magic != magic {
		return h, errors.New("the plugin did not start")
	}
	return h, nil
}

// section reads n structures at an offset of a file of so many bytes.
func section[T any](f io.ReaderAt, size, at int64, n uint64) ([]T, error) {
	if n == 0 {
		return nil, nil
	}
	var one T
	if at > size || n > uint64(size-at)/uint64(binary.Size(one)) {
		return nil, io.ErrUnexpectedEOF // before room is made for them
	}
	out := make([]T, n)
	return out, binary.Read(io.NewSectionReader(f, at, size-at), binary.LittleEndian, out)
}

// readTrace reads the plugin's file.
func (p *Program) readTrace(name string) (*Trace, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, errors.New("the plugin did not start")
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	t, base, err := p.traceOf(f, info.Size())
	if err != nil {
		return nil, err
	}
	if maps, err := os.Open(name + ".maps"); err == nil {
		t.regions = readRegions(maps, base)
		maps.Close()
	}
	return t, nil
}

// traceOf reads the plugin's results, and where it says that the program's memory begins.
func (p *Program) traceOf(f io.ReaderAt, size int64) (t *Trace, guestBase uint64, err error) {
	h, err := readHeader(io.NewSectionReader(f, 0, size))
	if err != nil {
		return nil, 0, err
	}
	if h.Blocks != uint64(len(p.Blocks)) || h.Loops != uint64(len(p.Loops)) || h.Pairs > maxPairs || h.Funcs > uint64(size) {
		return nil, 0, errors.New("damaged results: they are of another program")
	}
	at := int64(binary.Size(h))
	counts, err := section[uint64](f, size, at, h.Blocks+h.Loops+h.Funcs)
	if err != nil {
		return nil, 0, fmt.Errorf("damaged results: %w", err)
	}
	at += int64(len(counts)) * 8
	dists, err := section[rawDist](f, size, at+int64(maxPairs*binary.Size(rawPair{})), h.Dists) // before the pairs, as each has one
	if err != nil {
		return nil, 0, fmt.Errorf("damaged results: %w", err)
	}
	pairs, err := section[rawPair](f, size, at, h.Pairs)
	if err != nil {
		return nil, 0, fmt.Errorf("damaged results: %w", err)
	}
	t = &Trace{Program: p, Instructions: h.Insns, Loads: h.Loads, Stores: h.Stores, Threads: h.VCPUs, Forks: h.Forks, Evicted: h.Evicted, Lost: h.Lost,
		Hidden: h.SVE, Unseen: h.SVE - min(h.SVE, h.SVESeen), VectorBits: int(8 * h.VectorBytes), Replaced: h.Ended == 0,
		Blocks: counts[:h.Blocks], Loops: counts[h.Blocks:][:h.Loops]}
	t.pairs(&h, pairs, dists)
	t.Rewritten = p.fileAddr(h.Rewritten, h.Bias)
	t.Illegal = h.Last // see end
	if h.LastN > 0 {
		t.Illegal = p.nth(p.fileAddr(h.Last, h.Bias), int(min(h.LastN, 1<<31)))
	}
	return t, h.GuestBase, nil
}

// fileAddr makes an address of the running program one of its file.
func (p *Program) fileAddr(a, bias uint64) uint64 {
	if a-bias >= p.lo && a-bias < p.hi {
		return a - bias
	}
	return a
}

// nth returns the address of the nth instruction from an address on, as far as it can be read.
func (p *Program) nth(a uint64, n int) uint64 {
	if b := p.blockAt(a); b >= 0 {
		for _, l := range p.Blocks[b].Graph.Insts(p.Blocks[b].Index) {
			if l.Addr >= a {
				if n--; n == 0 {
					return l.Addr
				}
			}
		}
	}
	return a
}

func (t *Trace) pairs(h *rawHeader, pairs []rawPair, dists []rawDist) {
	t.Pairs = make([]Pair, len(pairs))
	for i, r := range pairs {
		t.Pairs[i] = Pair{From: t.Program.fileAddr(r.From, h.Bias), To: t.Program.fileAddr(r.To, h.Bias), Count: r.Count,
			Within: []uint64{r.Within0, r.Within1}, Least: r.Least, Most: r.Most}
		if r.Count > 0 {
			t.Pairs[i].Mean = float64(r.Sum) / float64(r.Count)
		}
	}
	for _, d := range dists {
		if int(d.Pair) < len(t.Pairs) && int(d.Loop) < len(t.Loops) {
			p := &t.Pairs[d.Pair]
			p.Distances = append(p.Distances, Distance{int(d.Loop), int(d.Distance), d.Count, []uint64{d.Within0, d.Within1}})
		}
	}
	t.Pairs = slices.DeleteFunc(t.Pairs, func(p Pair) bool { return p.Count == 0 })
	for i := range t.Pairs {
		slices.SortStableFunc(t.Pairs[i].Distances, func(a, b Distance) int {
			return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.Iterations, b.Iterations))
		})
	}
	slices.SortStableFunc(t.Pairs, func(a, b Pair) int {
		return cmp.Or(cmp.Compare(b.Count, a.Count), cmp.Compare(a.To, b.To), cmp.Compare(a.From, b.From))
	})
}

// ErrRewritten is the error of a program that ended because it executes code that it wrote through another mapping
// (Trace.Rewritten).
var ErrRewritten = errors.New("it executes code that it wrote through another mapping of its memory, which QEMU does not see")

// end notes how the program ended.
func (t *Trace) end(s *os.ProcessState) {
	t.Exit = ending(s)
	t.Signal, _ = tracee.Ending(s)
	w, ok := s.Sys().(syscall.WaitStatus)
	t.Crashed = ok && w.Signaled() && !t.Interrupted
	if !ok || !w.Signaled() || w.Signal() != syscall.SIGILL {
		t.Illegal = 0
	}
	if ok && w.Signaled() || t.Interrupted || t.Rewritten != 0 {
		t.Replaced = false
	}
}
