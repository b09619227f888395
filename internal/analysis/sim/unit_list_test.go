package sim

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"incore/internal/analysis/depgraph"
)

// EveryCycle returns options with which no cycle is skipped.
func EveryCycle(o Options) Options {
	o.everyCycle = true
	return o
}

// TestUnitList: whatever a pipeline holds is a unit in its list, or one of the few things that are not.
func TestUnitList(t *testing.T) {
	// The µops in flight, which all units share, the comparison of states, and what a run asks for.
	notUnits := []string{"window", "detect", "trace", "classes", "stalled", "everyCycle", "list"}
	p := new(pipeline)
	var units []any
	for _, u := range p.units() {
		units = append(units, u)
	}
	v := reflect.ValueOf(p).Elem()
	for i := range v.NumField() {
		f := v.Type().Field(i)
		unit := reflect.NewAt(f.Type, v.Field(i).Addr().UnsafePointer()).Interface()
		if slices.Contains(units, unit) == slices.Contains(notUnits, f.Name) {
			t.Errorf("%s must be in the list of units, or in the list of what is no unit", f.Name)
		}
	}
	if n := v.NumField() - len(notUnits); n != len(units) {
		t.Errorf("%d fields are units, the list has %d", n, len(units))
	}
}

// follows lists the fields of units that no comparison of states needs, with the reason. A field that is neither here nor noticed when it changes is
// an error (UnnoticedFields).
var follows = map[string]string{
	"renamer.next": "compared in the outline", "renamer.held": "of a report", "renamer.limited": "of one cycle", "renamer.reached": "of one cycle", "renamer.last": "of one cycle", "renamer.loaded": "of one cycle", "renamer.split": "of one cycle", "renamer.less": "of one cycle",
	"renamer.stalls":    "counted only",
	"scheduler.entries": "from the µops in flight", "scheduler.leaving": "compared where partitions are steered", "scheduler.groups": "compares itself", "scheduler.spare": "memory",
	"scheduler.binds":   "of the core",
	"scheduler.binding": "its turn is compared, the rest follows from the µops in flight",
	"wheel.buckets":     "from the µops in flight", "wheel.turning": "of one cycle",
	"readyList.lists": "from the µops in flight", "readyList.some": "from the µops in flight", "readyList.fronts": "of one cycle", "readyList.kinds": "does not change",
	"readyList.alone": "does not change", "readyList.groups": "does not change",
	"programOrder.waiting": "from the µops in flight", "programOrder.oldest": "from the µops in flight", "programOrder.room": "of one cycle", "programOrder.queued": "from the µops in flight", "programOrder.first": "from the µops in flight", "programOrder.early": "of the body", "programOrder.within": "of one cycle", "programOrder.again": "of one cycle",
	"vainRequests.served": "of one cycle", "vainRequests.fresh": "empty between cycles", "vainRequests.believed": "from the µops in flight", "vainRequests.next": "empty between cycles", "vainRequests.list": "compared as a whole (TestSnapshots)",
	"execution.long": "from busy", "execution.use": "counted only",
	"resultBus.busState": "compared (TestSnapshots)",
	"loadStore.loads":    "from the µops in flight", "loadStore.stores": "from the µops in flight and what has not left", "loadStore.known": "from the µops in flight", "loadStore.learnt": "of a report",
	"loadStore.entries": "what leaves is compared, the rest follows from the µops in flight", "loadStore.predictor": "compared (TestSnapshots)",
	"reorderBuffer.used": "from the µops in flight", "reorderBuffer.taken": "from the µops in flight", "reorderBuffer.retired": "counted only", "reorderBuffer.ahead": "counted only", "reorderBuffer.behind": "counted only",
	"registers.room": "does not change", "registers.taken": "from the µops in flight",
	"supply.cycles": "compared with the front end", "supply.starved": "compared with the front end",
}

// UnnoticedFields simulates some cycles, changes one field of a unit after the other, and returns the fields whose change the comparison of states does not notice,
// apart from those that follow from others. noticed counts the fields that it does.
func UnnoticedFields(g *depgraph.Graph, core *Core, opt Options, cycles int) (unnoticed, noticed []string) {
	p, front := prepared(g, core, &opt)
	for range cycles {
		p.run(&front, p.now+1)
	}
	d := &p.detect
	if p.head < d.back {
		return nil, nil
	}
	o := p.outline()
	d.remember(&front, 0, &o)
	d.marks[0].retired = 1
	for _, u := range p.units() {
		v := reflect.ValueOf(u).Elem()
		for i := range v.NumField() {
			f := v.Type().Field(i)
			name := v.Type().Name() + "." + f.Name
			if f.Anonymous || holdsMarks(f.Type) || follows[name] != "" {
				continue
			}
			// the lowest bits of the first 32: for times of busy ports, a later cycle
			at := (*uint32)(v.Field(i).Addr().UnsafePointer())
			if f.Type.Size() < unsafe.Sizeof(*at) {
				unnoticed = append(unnoticed, name+" (too small to be changed)")
				continue
			}
			was := *at
			*at = uint32(p.now) + 7
			o := p.outline()
			if d.recurs(&front, 0, &o) {
				unnoticed = append(unnoticed, name)
			} else {
				noticed = append(noticed, name)
			}
			*at = was
		}
	}
	return unnoticed, noticed
}

// holdsMarks reports whether a field has an element for each mark.
func holdsMarks(t reflect.Type) bool { return t.Kind() == reflect.Array && t.Len() == marks }

// TestFollows: the list of fields names existing ones.
func TestFollows(t *testing.T) {
	exists := map[string]bool{}
	for _, u := range new(pipeline).units() {
		v := reflect.TypeOf(u).Elem()
		for i := range v.NumField() {
			exists[v.Name()+"."+v.Field(i).Name] = true
		}
	}
	for name := range follows {
		if !exists[name] {
			unit, _, _ := strings.Cut(name, ".")
			t.Errorf("%s has no field %s", unit, name)
		}
	}
}
