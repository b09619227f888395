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
	Dir                   string   // working directory of the program, "": the current one
	Stdin, Stdout, Stderr *os.File
	Addresses             bool          // record the address of each access; else only masks and repetition counts are recorded, which is faster
	Filter                *Filter       // with Addresses: only accesses that pass the filter are reported, as events
	Limit                 time.Duration // the program is killed after this time; 0: no limit
	// Consume receives the records in the order of execution; see Result.Walk. The result has the blocks, the thread and the modules that are known at this time. Consume
	// runs concurrently with the program, and must not keep the record.
	Consume func(r *Result, record []byte)
}

// Result is the result of a program's run.
type Result struct {
	Blocks  []*Block
	Counts  []uint64 // executions of the blocks without a record
	Crossed []uint64 // by number of a filtered access: executions that reached two lines; Uncount says so if a program has accesses without a count
	Thread  uint64   // base of the thread's own area (segment fs), to which addresses with Reference.Thread are relative
	Modules []Module
	Known   int // lines of a list (Filter.Known)

	Exit     int    // status
	Signal   string // signal that ended the program, "" without one
	Ended    string // reason why the tracer killed the program, "" if it did not
	Uncount  []string
	Elapsed  time.Duration
	Switches int // number of switches to the tracer
}

// Module is a file from which the program mapped code.
type Module struct {
	Path   string
	Lo, Hi uint64 // in memory
	Offset uint64 // offset of Lo in the file
}

// EventWords returns the number of words of an event, given the complement of its first word.
func (r *Result) EventWords(k uint64) int {
	switch {
	case k&Listed != 0:
		return EventWords + r.Known
	case k&Replaces != 0:
		return EventWords + 1
	}
	return EventWords
}

// Walk calls do for each block of a record, with its words; it skips events.
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

// Run runs a program. The end of the context kills the program, and the result holds the counts until then. An error means that there is no result.
func Run(ctx context.Context, a *isa.ISA, o Options) (*Result, error) { return run(ctx, a, o) }

// newTranslator returns a Translator; the caller sets its functions for the program's memory and the cache.
func newTranslator(a *isa.ISA, addresses bool, f *Filter) *Translator {
	t := &Translator{isa: a, regs: newRegisters(a.Regs), addresses: addresses, filter: newFilter(f), at: map[uint64]*Block{}, exits: map[uint64]exit{},
		special: map[isa.FormID]bool{}, ahead: map[uint64]bool{}, variants: map[uint64][]*Block{}, onPage: map[uint64][]*Block{}}
	for _, name := range []string{"SYSCALL", "SYSENTER", "INT"} {
		if f := a.Forms.Named(name); f != isa.NoForm {
			t.special[f] = true
		}
	}
	return t
}
