package main

import (
	"maps"
	"strings"
)

// indexed returns a record of the same instruction with an index register in its address; ok is false if that costs the same, or if
// addresses of the instruction have no index or always have one (VSIB).
//
// An index has two effects. First, a store's address is no longer simple, as port 7 requires (Haswell to Cascade Lake). Second, µops that
// the decoders fuse into one slot may need two slots after the decoders (un-lamination): the additional slots are those measured for the same instruction on this
// core or on the donor. For VEX and EVEX operations with a load that uops.info did not measure with an index (EVEX, divisions,
// roots), one more slot is assumed: every VEX operation that it measured needs one, on each core from Haswell to Redwood Cove, FMA with three register
// operands as well as conversions. An indexed form has at least the slots of the plain form and at most as many as µops:
// figures outside this range come from faults, loops in microcode, or counters that missed µops.
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

// plainSlots returns the number of slots without an index on the core whose indexed form was measured: this core or the donor.
func (r *record) plainSlots() float64 {
	if r.donorSlots != nil {
		return *r.donorSlots
	}
	return *r.Slots
}

// indexedPorts returns the ports of µops with an indexed address: without the port that computes only simple addresses.
func (k *core) indexedPorts(ports map[string]float64) map[string]float64 {
	if len(k.sta) < 2 || k.sta[0] == k.sta[1] || ports[k.sta[0]] == 0 {
		return ports
	}
	out := maps.Clone(ports)
	out[k.sta[1]] += out[k.sta[0]]
	delete(out, k.sta[0])
	return out
}

// unlaminates reports by its name whether an instruction is encoded with VEX or EVEX: V… except VERR and VERW, or K….
func unlaminates(name string) bool {
	return strings.HasPrefix(name, "V") && !strings.HasPrefix(name, "VER") || strings.HasPrefix(name, "K")
}
