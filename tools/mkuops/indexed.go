package main

import (
	"maps"
	"strings"
)

// indexed is a record of the same instruction with an index register in its address; ok is false where that costs the same, or where
// addresses have no index or always one (VSIB).
//
// Two things change with an index. A store's address has no simple form any more, which port 7 needs (Haswell to Cascade Lake). And what
// the decoders made one slot of may take two behind them (un-lamination): as many more as was measured, of the same instruction on this
// core or on the donor. Of VEX and EVEX operations with a load that uops.info did not measure with an index (those with EVEX, divisions,
// roots), all take one more: every VEX operation that it did measure does, on each of Haswell to Redwood Cove, FMA with three register
// operands as well as conversions with none. An indexed form has neither fewer slots than the plain one nor more than it has µops:
// figures beyond are of faults, of loops in microcode, or of counters that missed µops.
func (x *reader) indexed(r *record) (v record, ok bool) {
	if x.memOp < 0 || x.core.kinds || r.Slots == nil || r.Uops == nil || !memoryOperand.MatchString(r.String) {
		return record{}, false
	}
	slots := *r.Slots
	if d, measured := r.Variants["indexed"]; measured && d.Slots != nil {
		slots += max(0, *d.Slots-r.plainSlots())
	} else if !measured && x.reads && !x.writes && unlaminates(r.String) {
		slots++
	}
	slots = max(*r.Slots, min(slots, *r.Uops))
	v = *r
	v.Ports, v.Slots = x.core.indexedPorts(r.Ports), &slots
	if v.MITE == 0 && v.MS == 0 && r.table { // the donor has no such instruction
		v.MITE = *r.Slots
	}
	return v, slots != *r.Slots || !samePorts(v.Ports, r.Ports)
}

// plainSlots is how many slots the instruction has without an index where its indexed form was measured: here or on the donor.
func (r *record) plainSlots() float64 {
	if r.donorSlots != nil {
		return *r.donorSlots
	}
	return *r.Slots
}

// indexedPorts are the ports of µops where addresses have an index: not the one that takes simple addresses alone.
func (k *core) indexedPorts(ports map[string]float64) map[string]float64 {
	if len(k.sta) < 2 || k.sta[0] == k.sta[1] || ports[k.sta[0]] == 0 {
		return ports
	}
	out := maps.Clone(ports)
	out[k.sta[1]] += out[k.sta[0]]
	delete(out, k.sta[0])
	return out
}

// unlaminates reports whether an instruction is encoded by VEX or EVEX, as those are whose names begin so, but for two that check segments.
func unlaminates(name string) bool {
	return strings.HasPrefix(name, "V") && !strings.HasPrefix(name, "VER") || strings.HasPrefix(name, "K")
}
