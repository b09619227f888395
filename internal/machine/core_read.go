package machine

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// This file reads the parameters of Core from a model.

// Option is a parameter or feature of Core that a model file may state.
type Option struct {
	Name, Doc string
	Section   string // section of Core: "FrontEnd", "Decode" …
	Feature   bool   // stated as "feature NAME: true", else as "param NAME: VALUE"
	Record    bool   // has several named parts
	field     []int  // where it is in Core
	part      reflect.StructField
}

// Options are all parameters and features of Core that a model file may state, in the order of Core.
var Options = sync.OnceValue(func() (all []Option) {
	core := reflect.TypeFor[Core]()
	for s := range core.NumField() {
		section := core.Field(s)
		for i := range section.Type.NumField() {
			f := section.Type.Field(i)
			o := Option{Name: f.Tag.Get("param"), Doc: f.Tag.Get("doc"), Section: section.Name, field: []int{s, i}, part: f}
			if by := f.Tag.Get("overruled"); by != "" {
				o.Doc += "; without effect beside " + by
			}
			if isRecord(f.Type) {
				o.Doc, o.Record = o.Doc+": "+recordDoc(f.Type), true
			}
			if feature := f.Tag.Get("feature"); feature != "" {
				o.Name, o.Feature = feature, true
			}
			if o.Name != "" {
				all = append(all, o)
			}
		}
	}
	return all
})

var optionsByName = sync.OnceValue(func() map[string]*Option {
	all := Options()
	out := make(map[string]*Option, len(all))
	for i := range all {
		out[all[i].Name] = &all[i]
	}
	return out
})

// OptionNamed returns the option with a name, nil if there is none. For groups of partitions (steering-NAME) the model chooses NAME.
func OptionNamed(name string) *Option {
	if strings.HasPrefix(name, SteeringPrefix) {
		name = SteeringPrefix + anyName
	}
	return optionsByName()[name]
}

// anyName is the part of an option's name that a model replaces by a name of its own.
const anyName = "NAME"

// OptionNames returns the names of the parameters, or of the features.
func OptionNames(features bool) (names []string) {
	for _, o := range Options() {
		if o.Feature == features {
			names = append(names, o.Name)
		}
	}
	return names
}

// Core returns the pipeline's parameters.
func (m *Model) Core() *Core {
	if m.core == nil {
		return &Core{} // of a model of no file
	}
	return m.core
}

// paramError is the error of a parameter that cannot be read.
type paramError struct {
	model string
	fact  Fact
	err   error
}

func (e *paramError) Error() string { return "model " + e.model + ": " + e.text() }

// text returns the error without the model's name.
func (e *paramError) text() string {
	return fmt.Sprintf("parameter '%s: %s': %v", e.fact.Name, clip(e.fact.Value), e.err)
}

// read reads the value of an option into its field.
func (m *Model) read(c *Core, field any, value string) (err error) {
	switch to := field.(type) {
	case *PortSet:
		if *to, err = m.ports(value); to == &c.UnitTurns || to == &c.StoreTurns || to == &c.LoadTurns {
			for i := range m.Ports {
				if *to>>i&1 != 0 && !m.Ports[i].Resource { // no µop would take its turn
					return fmt.Errorf("'%s' is a port, not a resource", m.Ports[i].Name)
				}
			}
		}
	case *DispatchLimit:
		*to, err = m.limit(value)
	case *ResultBus:
		var l DispatchLimit
		l, err = m.limit(value)
		*to = ResultBus{l.Ports, l.Uops}
	case *UnitQueue:
		var l DispatchLimit
		l, err = m.limit(value)
		*to = UnitQueue{l.Ports, l.Uops}
	case *Renaming:
		if err = readRecord(to, value); err == nil && !to.Renames() {
			err = errors.New("it does not say how stores are found (any, registers, stack)")
		}
	case *FetchEntries:
		if err = readRecord(to, value); err == nil && to.Slots > 0 && to.Line == 0 {
			err = errors.New("it needs line=")
		}
	case *StoreCommit:
		if err = readRecord(to, value); err == nil && to.Partial > 0 && (to.Merge == 0 || to.Merge > 64 || to.Within == 0) {
			err = errors.New("partial= needs merge= of at most 64 and within=")
		}
	case *[]Steering:
		err = m.steering(c, value)
	case *[]LoopFactor:
		*to, err = loopFactors(value)
	case interface{ read(text string) error }:
		err = to.read(value)
	default:
		if isRecord(reflect.TypeOf(field).Elem()) {
			return readRecord(field, value)
		}
		err = setParam(field, value)
	}
	return err
}

// readCore reads Core from the facts of a model. Errors name the wrong parameter.
func (m *Model) readCore() error {
	c := &Core{}
	var limits []DispatchLimit
	for _, f := range m.Facts { // options refer to these
		var err error
		switch {
		case strings.HasPrefix(f.Name, LimitPrefix):
			var l DispatchLimit
			if l, err = m.limit(f.Value); len(limits) == maxDispatchLimits && err == nil {
				err = fmt.Errorf("more than %d limits of dispatch", maxDispatchLimits)
			}
			limits = append(limits, l)
		case strings.HasPrefix(f.Name, schedulerPrefix):
			err = m.partition(c, strings.TrimPrefix(f.Name, schedulerPrefix), f.Value)
		}
		if err != nil {
			return &paramError{m.Name, f, err}
		}
	}
	fields := reflect.ValueOf(c).Elem()
	for _, f := range m.Facts {
		if o := OptionNamed(f.Name); o != nil {
			field := fields.FieldByIndex(o.field).Addr().Interface()
			err := m.read(c, field, f.Value)
			if err == nil {
				err = bounded(o.part, field)
			}
			if err != nil {
				return &paramError{m.Name, f, err}
			}
		}
	}
	if c.Microcode.Alone && c.Decoding.Complex == 0 {
		i := slices.IndexFunc(m.Facts, func(f Fact) bool { return f.Name == "microcode" })
		return &paramError{m.Name, m.Facts[i], errors.New("alone needs 'param decoding: complex=N', the slots up to which an instruction is not microcode")}
	}
	c.DispatchLimits = m.limits(limits, c.DispatchUops)
	m.core = c
	return nil
}

// partition reads "ENTRIES PORTS…".
func (m *Model) partition(c *Core, name, text string) error {
	f := strings.Fields(text)
	if len(f) < 2 {
		return fmt.Errorf("expected the number of entries and ports")
	}
	n, err := strconv.Atoi(f[0])
	if err != nil || n < 1 || n > maxParam {
		return fmt.Errorf("bad number of entries '%s'", f[0])
	}
	s := Scheduler{Name: name, Entries: n}
	for _, p := range f[1:] {
		set, ok := m.PortSet(p)
		if !ok {
			return fmt.Errorf("unknown port '%s'", p)
		}
		s.Ports |= set
	}
	c.Schedulers = append(c.Schedulers, s)
	return nil
}

// PortSet returns the port or group with a name.
func (m *Model) PortSet(name string) (PortSet, bool) {
	for i := range m.Ports {
		if m.Ports[i].Name == name {
			return 1 << i, true
		}
	}
	for _, g := range m.Groups {
		if g.Name == name {
			return g.Ports, true
		}
	}
	return 0, false
}

// ports returns the union of a list of ports and groups.
func (m *Model) ports(names string) (all PortSet, err error) {
	for _, name := range strings.Fields(names) {
		set, ok := m.PortSet(name)
		if !ok {
			return 0, fmt.Errorf("unknown port '%s'", name)
		}
		all |= set
	}
	return all, nil
}

// loopFactors reads "4x8 5x6 28x2".
func loopFactors(text string) ([]LoopFactor, error) {
	var out []LoopFactor
	for _, f := range strings.Fields(text) {
		n, x, ok := strings.Cut(f, "x")
		slots, err := strconv.Atoi(n)
		factor, err2 := strconv.Atoi(x)
		if !ok || err != nil || err2 != nil || slots < 1 || factor < 1 {
			return nil, fmt.Errorf("bad rule '%s' (as in 4x8: up to 4 µops, 8 times)", f)
		}
		out = append(out, LoopFactor{slots, factor})
	}
	return out, nil
}

// read reads "3:8 4:6.6".
func (c *DensityCurve) read(text string) error {
	*c = nil
	for _, f := range strings.Fields(text) {
		b, n, ok := strings.Cut(f, ":")
		bytes, err := strconv.ParseFloat(b, 64)
		slots, err2 := strconv.ParseFloat(n, 64)
		if !ok || err != nil || err2 != nil || bytes <= 0 || slots <= 0 || len(*c) > 0 && bytes <= (*c)[len(*c)-1].Bytes {
			return fmt.Errorf("bad point '%s' (as in 3:8 4:6.6: 8 slots a cycle at 3 bytes per slot, ascending)", f)
		}
		*c = append(*c, Density{bytes, slots})
	}
	return nil
}
