package main

import (
	"fmt"
	"maps"
	"math"
	"sort"
	"strings"

	"incore/internal/isa"
)

// total is the number of µops on a set of ports.
func total(ports map[string]float64) (n float64) {
	for _, c := range ports {
		n += c
	}
	return n
}

// maxCount is the largest believable number of µops on a set of ports.
const maxCount = 200

func contains(l []string, s string) bool {
	for _, e := range l {
		if e == s {
			return true
		}
	}
	return false
}

// uops writes the µops field; "=" if the file doesn't state the ports.
func (x *reader) uops(ports map[string]float64, total *float64, div float64) string {
	if len(ports) == 0 {
		if total != nil && *total == 0 && len(x.core.load) > 0 {
			return "-"
		}
		return "="
	}
	keys := make([]string, 0, len(ports))
	if x.vector() && ports["UNKNOWN"] > 0 {
		ports = maps.Clone(ports)
		ports[vectorUnit] = ports["UNKNOWN"]
		delete(ports, "UNKNOWN")
	}
	for k, n := range ports {
		if n > maxCount { // a repeated string instruction: the count depends on the measurement
			return "="
		}
		keys = append(keys, k)
	}
	sort.Strings(keys)
	var out []string
	halves := x.core.halves != "" && wideRE.MatchString(x.rec.String)
	loadSeen, wide := false, strings.Contains(x.rec.String, "M512") && strings.Contains(x.rec.String, "ZMM")
	for _, k := range keys {
		n := ports[k]
		kind := ""
		switch {
		case contains(x.core.std, k) && x.writes:
			kind = "/std"
		case contains(x.core.sta, k) && x.writes && !(x.reads && contains(x.core.load, k) && !loadSeen):
			kind = "/sta"
		case contains(x.core.load, k) && x.reads:
			kind, loadSeen = "/load", true
		}
		switch {
		case wide && kind == "/load" && x.core.wideLoad != "":
			k = x.core.wideLoad
		case kind == "/std" && n == 1 && x.core.wideStore > 0 && (wide || x.storesPart()):
			kind = fmt.Sprintf(":%g/std", x.core.wideStore)
		case kind == "/std" && halves:
			kind = ":2/std"
		}
		if kind == "/load" && x.writes && n == 2 { // indexed read-modify-write: load and store address on the same ports
			out = append(out, x.core.join(k, 1)+"/load", x.core.join(k, 1)+"/sta")
			continue
		}
		out = append(out, x.core.join(k, n)+kind)
	}
	if halves && loadSeen {
		out = append(out, x.core.halves+":2")
	}
	if div > 0 && x.core.divider != "" {
		out = append(out, fmt.Sprintf("%s:%g", x.core.divider, div))
	}
	if x.serial() {
		out = append(out, fmt.Sprintf("SERIAL:%g", x.rec.every()))
	}
	if n := x.gathers(); n > 0 {
		out = append(out, fmt.Sprintf("GATHER:%g", n))
	}
	return strings.Join(out, " ")
}

// gathers returns the cycles from one gather to the next, if these are measured and more than its ports explain; else 0.
func (x *reader) gathers() float64 {
	if every := math.Round(x.rec.every()); strings.Contains(x.rec.String, "GATHER") && every > x.busiest() {
		return every
	}
	return 0
}

// busiest returns the cycles that an instruction keeps its busiest ports.
func (x *reader) busiest() (cycles float64) {
	for p, n := range x.rec.Ports {
		cycles = max(cycles, n/float64(len(p)))
	}
	return cycles
}

// storesPart reports whether a record stores a part of a register of 512 bits with a throughput of only one per cycle (vextractf32x4 on Ice Lake, not on Golden Cove).
func (x *reader) storesPart() bool {
	return x.writes && !x.reads && strings.Contains(x.rec.String, "ZMM") && len(x.rec.Ports) == 2 && x.rec.TP > 0.9
}

// minSerial is the reciprocal throughput from which a locked instruction, popf, or one with side effects counts as blocking others.
const minSerial = 4

// serial reports whether the throughput of an instruction is lower than its µops explain. This holds for the instructions of minSerial, for
// key generation, whose microcode takes longer than its µops, and for SHA rounds, whose unit starts one every three cycles.
func (x *reader) serial() bool {
	f, name, every := &x.form.inst, x.rec.String, x.rec.every()
	switch {
	case f.Prefix&(isa.PfxRep|isa.PfxRepne) != 0:
		return false
	case strings.Contains(name, "AESKEYGENASSIST"), strings.HasPrefix(name, "SHA") && strings.Contains(name, "RNDS"):
	case every < minSerial || !x.locked() && !strings.HasPrefix(name, "POPF") && x.table.Flags(f.Form)&isa.SideEffects == 0:
		return false
	}
	return every > 1.5*x.busiest()
}

// every returns an instruction's measured reciprocal throughput, on this or on a sister core; 0 if not known.
func (r *record) every() float64 {
	if r.TP > 0 {
		return r.TP
	}
	return r.held
}

// locked reports whether an instruction is atomic: with a lock prefix, or an exchange with memory, which needs none.
func (x *reader) locked() bool {
	return x.form.inst.Prefix&isa.PfxLock != 0 || strings.HasPrefix(x.rec.String, "XCHG") && x.reads && x.writes
}

// join writes a port set with its count: "2*0+1".
func (k *core) join(ports string, n float64) string {
	s := strings.Join(strings.Split(ports, ""), "+")
	if k.ports != nil {
		s = k.ports(ports)
	}
	if n == 1 {
		return s
	}
	return fmt.Sprintf("%g*%s", n, s)
}

// pureLoad reports whether the form only loads.
func (x *reader) pureLoad() bool {
	for p := range x.rec.Ports {
		if !contains(x.core.load, p) {
			return false
		}
	}
	return x.reads && !x.writes && len(x.rec.Ports) > 0
}

// plainStore reports whether the form only stores.
func (x *reader) plainStore() bool {
	for p := range x.rec.Ports {
		if !contains(x.core.sta, p) && !contains(x.core.std, p) {
			return false
		}
	}
	return x.writes && !x.reads && len(x.rec.Ports) > 0
}
