package perfdata

import (
	"encoding/binary"
	"fmt"
)

// Bits of perf_event_attr.sample_type.
const (
	hasIP          = 1 << 0
	hasTID         = 1 << 1
	hasTime        = 1 << 2
	hasAddr        = 1 << 3
	hasRead        = 1 << 4
	hasCallchain   = 1 << 5
	hasID          = 1 << 6
	hasCPU         = 1 << 7
	hasPeriod      = 1 << 8
	hasStreamID    = 1 << 9
	hasRaw         = 1 << 10
	hasBranchStack = 1 << 11
	hasIdentifier  = 1 << 16
)

// Bits of other fields of perf_event_attr.
const (
	readEnabled = 1 << 0
	readRunning = 1 << 1
	readID      = 1 << 2
	readGroup   = 1 << 3
	readLost    = 1 << 4

	sampleIDAll     = 1 << 18 // flags: records other than samples end in the fields that identify them
	branchHardIndex = 1 << 17 // branch_sample_type: a branch stack begins with the index of its newest entry
)

// Sizes of perf_event_attr: the first version's, and up to branch_sample_type.
const (
	attrSize0  = 64
	attrBranch = 80
)

// attr holds what of perf_event_attr the reader needs.
type attr struct {
	kind                          uint32
	config, period                uint64
	sample, read, flags, branches uint64
}

// readAttr reads a perf_event_attr. Longer ones, of newer kernels, begin in the same way.
func readAttr(b []byte) (attr, error) {
	if len(b) < attrSize0 {
		return attr{}, fmt.Errorf("a description of an event has %d bytes", len(b))
	}
	w := func(at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }
	a := attr{kind: binary.LittleEndian.Uint32(b), config: w(8), period: w(16), sample: w(24), read: w(32), flags: w(40)}
	if len(b) >= attrBranch {
		a.branches = w(72)
	}
	return a, nil
}

// idOffset returns the offset of the id in a sample, -1 if it has none.
func (a *attr) idOffset() int {
	if a.sample&hasIdentifier != 0 {
		return 0
	}
	if a.sample&hasID == 0 {
		return -1
	}
	return 8 * count(a.sample, hasIP, hasTID, hasTime, hasAddr)
}

// trailer returns the offsets, from the end of a record that is no sample, of its id and its time; 0 if it has none.
func (a *attr) trailer() (id, time int) {
	if a.flags&sampleIDAll == 0 {
		return 0, 0
	}
	behind := 8 * count(a.sample, hasIdentifier)
	if a.sample&hasIdentifier != 0 {
		id = behind
	}
	behind += 8 * count(a.sample, hasCPU, hasStreamID)
	if a.sample&hasID != 0 {
		behind += 8
		if id == 0 {
			id = behind
		}
	}
	if a.sample&hasTime != 0 {
		time = behind + 8
	}
	return id, time
}

// count counts the bits that are set.
func count(of uint64, bits ...uint64) (n int) {
	for _, b := range bits {
		if of&b != 0 {
			n++
		}
	}
	return n
}

// name names an event that the file does not name.
func (a *attr) name() string {
	hardware := []string{"cycles", "instructions", "cache-references", "cache-misses", "branches", "branch-misses", "bus-cycles", "stalled-cycles-frontend", "stalled-cycles-backend", "ref-cycles"}
	software := []string{"cpu-clock", "task-clock", "page-faults", "context-switches", "cpu-migrations", "minor-faults", "major-faults", "alignment-faults", "emulation-faults", "dummy", "bpf-output"}
	switch {
	case a.kind == 0 && a.config&0xffffffff < uint64(len(hardware)):
		return hardware[a.config&0xffffffff]
	case a.kind == 1 && a.config < uint64(len(software)):
		return software[a.config]
	}
	return fmt.Sprintf("event %d:%#x", a.kind, a.config)
}
