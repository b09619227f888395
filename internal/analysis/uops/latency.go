package uops

import (
	"math"
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file converts a row's latencies, which are of pairs of an input and an output, into the latencies of an instruction's µops.

// outLatency returns the cycles from the execution µop's issue to an output.
func outLatency(in *machine.Inst, out int) float64 {
	lat, any := 0.0, false
	for k := range in.Inputs() {
		c, ok := in.Pair(k, out)
		if !ok {
			continue
		}
		if k < len(in.Effects.Reads) && in.Effects.Reads[k].Role == isa.RoleAddr && in.Load > 0 {
			c -= in.Load
		}
		lat, any = max(lat, c), true
	}
	if !any && in.Flags&(machine.ZeroIdiom|machine.MoveElim) == 0 {
		return in.Latency - in.Load
	}
	return lat
}

// late returns the cycles after issue at which an input is needed (an FMA's addend).
func late(in *machine.Inst, input int) float64 {
	if input >= in.Inputs() {
		return 0
	}
	best := math.Inf(1)
	for o := range in.Outputs() {
		if c, ok := in.Pair(input, o); ok && outLatency(in, o) > 0 { // except outputs available at once, such as the cleared mask of a gather
			best = min(best, outLatency(in, o)-c)
		}
	}
	if math.IsInf(best, 1) || best < 0 {
		return 0
	}
	return best
}

// toStore returns the cycles from an input to the stored value; ok is false if the value does not depend on the input.
func toStore(in *machine.Inst, input int) (lat float64, ok bool) {
	for o := len(in.Effects.Writes); o < in.Outputs(); o++ {
		if c, dependent := in.Pair(input, o); dependent {
			lat, ok = max(lat, c), true
		}
	}
	return lat, ok
}

// dependsOnlyOnAddress reports whether a register output depends on address registers but on no other operand.
func dependsOnlyOnAddress(in *machine.Inst, o int) bool {
	any := false
	for k := range in.Inputs() {
		if _, ok := in.Pair(k, o); !ok {
			continue
		}
		if k >= len(in.Effects.Reads) || in.Effects.Reads[k].Role != isa.RoleAddr {
			return false
		}
		any = true
	}
	if !any {
		return false
	}
	// a plain load's result depends on its address alone, too: an update is an output that some load output is slower than
	return in.Effects.Writes[o].Role == isa.RoleUpdate || (in.Effects.Writes[o].Op < 0 && len(in.Effects.Mem) > 0 || gathers(in)) && !loads(in, o)
}

// gathers reports whether an instruction loads from the addresses of a vector. The mask that it leaves depends at most on the addresses.
func gathers(in *machine.Inst) bool {
	return slices.ContainsFunc(in.Effects.Mem, func(m isa.MemRef) bool { return m.Gather && m.Load })
}

// loads reports whether output o depends on loaded data.
func loads(in *machine.Inst, o int) bool {
	for k := range in.Effects.Mem {
		if _, ok := in.Pair(len(in.Effects.Reads)+k, o); ok {
			return true
		}
	}
	return false
}

// execLatency returns the cycles from the execution µop's operands to its slowest register result.
func execLatency(in *machine.Inst) float64 {
	lat := 0.0
	for k := range in.Inputs() {
		addr := k < len(in.Effects.Reads) && in.Effects.Reads[k].Role == isa.RoleAddr
		for o := range in.Effects.Writes {
			if c, ok := in.Pair(k, o); ok {
				if addr && in.Load > 0 {
					c -= in.Load
				}
				lat = max(lat, c)
			}
		}
	}
	if in.Inputs() == 0 || lat == 0 {
		lat = max(lat, in.Latency-in.Load)
	}
	return lat
}

// storeLatency returns the cycles from the execution µop's operands to the stored value; exec if the model has no separate figure.
func storeLatency(in *machine.Inst, exec float64) float64 {
	lat, any := 0.0, false
	for k := range in.Inputs() {
		addr := k < len(in.Effects.Reads) && in.Effects.Reads[k].Role == isa.RoleAddr
		for o := len(in.Effects.Writes); o < in.Outputs(); o++ {
			if c, ok := in.Pair(k, o); ok && !addr {
				lat, any = max(lat, c), true
			}
		}
	}
	if !any {
		return exec
	}
	return lat
}

// outOf returns the cycles from a loaded value, forwarded by a store, to the slowest result; 0 if it is itself the result.
func outOf(in *machine.Inst, input int) (lat float64) {
	for o := range in.Outputs() {
		if c, ok := in.Pair(input, o); ok && c < in.Load {
			lat = max(lat, c)
		}
	}
	return lat
}

// updatesAlone reports whether an input is a memory value that the instruction also writes and on which, by the model, no output depends: an atomic
// operation without a result, which the core leaves to the cache.
func updatesAlone(in *machine.Inst, input int) bool {
	if !in.Effects.Mem[input-len(in.Effects.Reads)].Store {
		return false
	}
	for o := range in.Outputs() {
		if _, ok := in.Pair(input, o); ok {
			return false
		}
	}
	return true
}

// unused reports whether no result depends on an input, by the model: a shift by a count reads the flags only to keep them.
func unused(in *machine.Inst, input int) bool {
	if in.Outputs() == 0 {
		return false
	}
	for o := range in.Outputs() {
		if _, ok := in.Pair(input, o); ok {
			return false
		}
	}
	return input < len(in.Effects.Reads) && in.Effects.Reads[input].Op < 0
}

// executesOnce reports whether one µop of an instruction executes, so that more slots do not indicate microcode.
func executesOnce(in *machine.Inst) bool {
	n := 0
	for i := range in.Uops {
		if u := &in.Uops[i]; !u.Resource && u.Kind == machine.UopExec {
			n++
		}
	}
	return n == 1
}

// storedApart reports whether the stored value needs some operands later than others.
func storedApart(in *machine.Inst) bool {
	least, most := math.Inf(1), math.Inf(-1)
	for k := range in.Inputs() {
		if c, ok := toStore(in, k); ok && (k >= len(in.Effects.Reads) || in.Effects.Reads[k].Role != isa.RoleAddr) {
			least, most = min(least, c), max(most, c)
		}
	}
	return least < most
}

func round(c float64) Cycle { return Cycle(math.Max(0, math.Round(c))) }
