// Package probe times a region of a running program: a function, or the code from one address to another. It does not change the program's file. It stops the process
// before its first instruction and writes a jump at the region's beginning into memory. The jump leads to a probe (code.go), which takes a time stamp, executes the instructions
// that the jump replaced, and jumps back; a replaced return address of the function leads to a second probe. The process neither stops nor switches between the two time stamps.
//
// The time stamp counter has its own rate. Chains of dependent additions, timed before and after calls but not within them, give the core cycles per tick.
package probe

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// Region is a part of a program's code, given by addresses of its file.
type Region struct {
	Entry uint64 // its first instruction
	Exit  uint64 // the instruction before which it ends; 0: it ends with the return of the function at Entry
}

// Options configures Run.
type Options struct {
	Path   string
	Args   []string // including the program's name
	Dir    string   // working directory; "": the current one
	Region Region
	// First and Last are the timed calls, counted from 1. The program is stopped after Last; Last 0: it runs to its end. A call within a call is a part of the outer one.
	First, Last           uint64
	CPU                   int           // the CPU of the program while it has one thread, −1: any
	Limit                 time.Duration // time limit of the program, 0: none
	Stdin, Stdout, Stderr *os.File      // nil: /dev/null
}

// Call is an execution of the region.
type Call struct {
	Ticks  float64 // ticks of the time stamp counter, without the probe's own time
	Cycles float64 // core cycles; 0 if the clock rates before and after the call differ or are not known
	Width  float64 // cycles of the width probe before or after it
	Room   float64 // cycles of an iteration of the room probe before or after it
}

// Result holds the measurements of a program's run.
type Result struct {
	Entered  uint64 // number of entries into the region from outside
	Calls    []Call // the calls from First on
	Overhead float64
	Left     uint64 // calls without a return, as after longjmp; they have no time
	Others   uint64 // calls by another thread during a call, which are not timed
	Apart    bool   // the last timed call was made by another thread than the first
	Threads  bool   // the program started threads
	Forks    bool   // the program started processes, which are not observed
	Exit     int    // exit status
	Signal   string // the signal that ended the program, "" if none
	Ended    string // the reason for which the probe stopped the program, "" if it ended by itself
	Elapsed  time.Duration
}

// The reasons of Result.Ended.
const (
	EndedBehind = "its last call is over"
	EndedLimit  = "it takes too long"
)

// ErrPlace is the error for code without room for the jump to a probe.
var ErrPlace = errors.New("a probe has no room there")

// Parameters of the probe's clocks.
const (
	chainShort, chainLong = 20, 320 // rounds of a hundred additions
	chainCycles           = 100 * (chainLong - chainShort)
	roomRounds            = 13 * (chainLong - chainShort)
	drift                 = 0.01 // greatest relative difference of the clock rates before and after a call
)

// clock is one reading of the core's clock: the ticks of a chain of chainCycles, of the same number of independent instructions, and of roomRounds rounds of a short loop.
type clock struct{ chain, width, room float64 }

// valid reports whether the clock was read without an interruption that falsified one of its figures.
func (c clock) valid() bool {
	const most = 1e9
	return c.chain > 0 && c.chain < most && c.width < most && c.room < most
}

// reduce makes calls from a record of pairs of words: the time stamps before and after a call or, marked by the highest bit, a clock reading.
func reduce(words []uint64, overhead float64) (calls []Call) {
	const isClock = 1 << 63
	var before clock
	open := 0 // calls from this index on have no clock reading after them yet
	settle := func(after clock) {
		for i := open; i < len(calls); i++ {
			a, b := before, after
			if !a.valid() || a.chain-b.chain > drift*a.chain || b.chain-a.chain > drift*a.chain {
				continue
			}
			ratio := chainCycles / ((a.chain + b.chain) / 2)
			calls[i].Cycles, calls[i].Width = calls[i].Ticks*ratio, max(a.width, b.width)*ratio
			calls[i].Room = max(a.room, b.room) * ratio / roomRounds
		}
		open = len(calls)
	}
	for i := 0; i+1 < len(words); i += 2 {
		if a, b := words[i], words[i+1]; a&isClock != 0 {
			c := clock{chain: float64(b), width: float64(a &^ isClock)}
			if i += 2; i < len(words) {
				c.room = float64(words[i] &^ isClock)
			}
			settle(c)
			before = c
		} else {
			calls = append(calls, Call{Ticks: max(0, float64(b-a)-overhead)})
		}
	}
	settle(clock{})
	return calls
}

// overheadOf returns the time between the time stamps of an empty call.
func overheadOf(words []uint64) float64 {
	var all []float64
	for i := 0; i+1 < len(words); i += 2 {
		all = append(all, float64(words[i+1]-words[i]))
	}
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

func (r Region) String() string {
	if r.Exit == 0 {
		return fmt.Sprintf("the function at %#x", r.Entry)
	}
	return fmt.Sprintf("the code from %#x to %#x", r.Entry, r.Exit)
}
