package dbi

import (
	"context"
	"encoding/binary"
	"os"
	"time"

	"incore/internal/isa"
)

// Options of a run.
type Options struct {
	Args                  []string // the program and its arguments
	Dir                   string   // in which it runs, "": the current one
	Stdin, Stdout, Stderr *os.File
	Addresses             bool          // record the address of each access; else only what masks and repetitions need, which is faster
	Filter                *Filter       // with Addresses: only accesses that it passes are reported, as events
	Limit                 time.Duration // after which the program is ended; 0: none
	// Consume gets the records in the order of execution; see Result.Walk. The result has the blocks, the thread and the modules that are known by then. It runs beside
	// the program, and must not keep the record.
	Consume func(r *Result, record []byte)
}

// Result is what was seen of a program.
type Result struct {
	Blocks  []*Block
	Counts  []uint64 // executions of the blocks that have no record
	Crossed []uint64 // by number of an access that goes through the filter: executions that reached two lines; those of the first 65,536 alone are counted
	Thread  uint64   // base of the thread's own area (segment fs), which addresses count from that are marked so
	Modules []Module
	Known   int // lines of a list (Filter.Known)

	Exit     int    // status
	Signal   string // that ended the program, "" if none
	Ended    string // why it was ended before its end, "" if it was not
	Uncount  []string
	Elapsed  time.Duration
	Switches int // how often the tracer was called
}

// Module is a file that the program mapped code from.
type Module struct {
	Path   string
	Lo, Hi uint64 // in memory
	Offset uint64 // of Lo in the file
}

// EventWords is how many words an event has, by the complement of its first.
func (r *Result) EventWords(k uint64) int {
	switch {
	case k&Listed != 0:
		return EventWords + r.Known
	case k&Replaces != 0:
		return EventWords + 1
	}
	return EventWords
}

// Walk calls do for each block of a record, with its words; it passes over events.
func (r *Result) Walk(record []byte, blocks []*Block, do func(id int, words []byte)) {
	for at := 0; at+8 <= len(record); {
		id := int(binary.LittleEndian.Uint64(record[at:]))
		if id < 0 {
			at += 8 * r.EventWords(^uint64(id))
			continue
		}
		if id >= len(blocks) {
			return
		}
		end := at + 8 + 8*blocks[id].Words
		if end > len(record) {
			return
		}
		do(id, record[at+8:end])
		at = end
	}
}

// Run runs a program. The context's end ends the program, and what was seen until then is the result. An error says why nothing was seen.
func Run(ctx context.Context, a *isa.ISA, o Options) (*Result, error) { return run(ctx, a, o) }

// NewTranslator copies blocks of a program whose memory read reads into a cache that write writes; see Translator.
func newTranslator(a *isa.ISA, addresses bool, f *Filter) *Translator {
	t := &Translator{isa: a, regs: newRegisters(a.Regs), addresses: addresses, filter: newFilter(f), at: map[uint64]*Block{}, exits: map[uint64]exit{},
		special: map[isa.FormID]bool{}, ahead: map[uint64]bool{}}
	for _, name := range []string{"SYSCALL", "SYSENTER", "INT"} {
		if f := a.Forms.Named(name); f != isa.NoForm {
			t.special[f] = true
		}
	}
	return t
}
