// Package probe times a region of a program as it runs: a function, or the code from one address to another. The program's file stays as it is. In the memory of the process,
// which is stopped before its first instruction, a jump at the region's beginning leads to a probe (code.go) that takes time stamps, executes the instructions that the jump
// replaced, and goes back; a function's return address leads to another. No stop of the process and no switch to another one lies between the time stamps.
//
// Time stamps count at a rate of their own. Chains of dependent additions, timed before and behind calls but not within, say how many core cycles a tick is.
package probe

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"time"
)

// Region is a part of a program's code, by addresses of its file.
type Region struct {
	Entry uint64 // where it begins
	Exit  uint64 // the instruction before which it ends; 0: it ends when the function that begins at Entry returns
}

// Options of Run.
type Options struct {
	Path   string
	Args   []string // with the program's name
	Dir    string   // "": the current one
	Region Region
	// First and Last are the calls that are timed, counted from 1; Last 0: to the end of the program, which is ended behind Last otherwise. A call within a call is a part of that.
	First, Last           uint64
	CPU                   int           // that the program runs on while it has one thread, −1: any
	Limit                 time.Duration // after which it is ended, 0: none
	Stdin, Stdout, Stderr *os.File      // nil: /dev/null
}

// Call is an execution of the region.
type Call struct {
	Ticks  float64 // of the time stamp, without what the probe itself takes
	Cycles float64 // of the core, 0 where the clock rates before and behind it differ, or are not known
	Width  float64 // cycles of the probe of the core's width around it
	Room   float64 // … and of an iteration of the probe of its room
}

// Result is what was seen of a program.
type Result struct {
	Entered  uint64 // how often the region was entered from outside
	Calls    []Call // from First on
	Overhead float64
	Left     uint64 // calls that were left without a return, as by longjmp: they have no time
	Others   uint64 // calls by another thread during a call, which are not timed
	Apart    bool   // the last call that is timed came from another thread than the first
	Threads  bool   // the program started threads
	Forks    bool   // … or processes, which are not followed
	Exit     int    // status
	Signal   string // that ended the program, "" if none
	Ended    string // why it was ended, "" if it ended by itself
	Elapsed  time.Duration
}

// The reasons of Result.Ended.
const (
	EndedBehind = "its last call is over"
	EndedLimit  = "it takes too long"
)

// ErrPlace is code in which a probe has no room.
var ErrPlace = errors.New("a probe has no room there")

// What the probe's clocks are made of.
const (
	chainShort, chainLong = 20, 320 // rounds of a hundred additions
	chainCycles           = 100 * (chainLong - chainShort)
	roomRounds            = 13 * (chainLong - chainShort)
	drift                 = 0.01 // by which the clock rates before and behind a call may differ
)

// clock is one look at the core's clock: ticks of a chain of chainCycles, of as many instructions that depend on nothing, and of roomRounds of a short loop.
type clock struct{ chain, width, room float64 }

// valid reports whether the clock was looked at, and no interruption made one of its figures nonsense.
func (c clock) valid() bool {
	const most = 1e9
	return c.chain > 0 && c.chain < most && c.width < most && c.room < most
}

// reduce makes calls of a record: pairs of words, either the time stamps around a call, or, marked by the highest bit, a clock's.
func reduce(words []uint64, overhead float64) (calls []Call) {
	const isClock = 1 << 63
	var before clock
	open := 0 // calls from here on have no clock behind them yet
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

// overheadOf is the time between the stamps of calls of nothing.
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
