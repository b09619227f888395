package machine

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// This file reads the parameters of Core out of a model.

// Core returns the pipeline's parameters, which it reads once. Errors name the parameter that is wrong.
func (m *Model) Core() (*Core, error) {
	if m.rows != nil {
		if c := m.rows.core.Load(); c != nil {
			return c, nil
		}
	}
	c, err := m.readCore()
	if err == nil && m.rows != nil {
		m.rows.core.Store(c)
	}
	return c, err
}

// paramError is a parameter of a model that cannot be read.
type paramError struct {
	model string
	fact  Fact
	err   error
}

func (e *paramError) Error() string { return "model " + e.model + ": " + e.text() }

// text is the error without the model's name.
func (e *paramError) text() string {
	return fmt.Sprintf("parameter '%s: %s': %v", e.fact.Name, clip(e.fact.Value), e.err)
}

// coreFields are the parameters of CoreDocs, by name, that are a field each.
func coreFields(c *Core) map[string]any {
	return map[string]any{
		"issue-delay": &c.IssueDelay, "issue-queue": &c.IssueQueue, "alternate-ports": &c.AlternatePorts, "dispatch-uops": &c.DispatchUops,
		"fetch-width": &c.FetchWidth, "fetch-queue": &c.FetchQueue, "fetch-density": &c.FetchDensity, "fetch-constants": &c.FetchConstants,
		"fetch-line": &c.FetchLine, "loop-cycle": &c.LoopCycle, "loop-buffer": &c.LoopUnroll, "taken-branch": &c.TakenBranch,
		"uop-cache": &c.UopCache, "uop-cache-window": &c.UopCacheWindow, "uop-cache-lines": &c.UopCacheLines, "uop-cache-line": &c.UopCacheLine,
		"uop-cache-ways": &c.UopCacheWays, "uop-cache-whole": &c.UopCacheWhole, "decode-switch": &c.DecodeSwitch,
		"predecode-bytes": &c.PredecodeBytes, "predecode-insts": &c.PredecodeInsts, "lcp-stall": &c.LCPStall, "instruction-queue": &c.InstructionQueue,
		"decoders": &c.Decoders, "complex-slots": &c.ComplexSlots, "decode-slots": &c.DecodeSlots, "decode-clusters": &c.DecodeClusters,
		"microcode-stall": &c.MicrocodeStall, "microcode-slots": &c.MicrocodeSlots, "unlaminations": &c.Unlaminations, "unlaminate-within": &c.UnlaminateWithin,
		"move-slots-gpr": &c.MoveSlotsGPR, "move-slots-vec": &c.MoveSlotsVec,
		"load-bank": &c.LoadBank, "conflict-bank": &c.ConflictBank, "store-merge": &c.StoreMerge, "store-alone": &c.StoreAlone,
		"store-drain": &c.StoreDrain, "page-miss": &c.PageMiss, "stack-aliases": &c.StackAliases, "disambiguation-trust": &c.DisambiguationTrust,
		"renamed-forward": &c.RenamedForward, "mixed-forward": &c.MixedForward, "own-forward": &c.OwnForward, "distant-forward": &c.DistantForward,
		"blocked-forward": &c.BlockedForward, "merged-forward": &c.MergedForward, "renaming-density": &c.RenamingDensity, "renaming-entries": &c.RenamingEntries,
		"stack-sync": &c.StackSync, "wide-closes": &c.WideCloses, "indexed-slots": &c.IndexedSlots, "compare-jump": &c.CompareJump,
		"high-merge": &c.HighMerge, "flag-merge": &c.FlagMerge, "rotating-ports": &c.Rotating, "address-turns": &c.AddressTurns,
		"queue-addresses": &c.QueueAddresses, "queue-counts": &c.QueueCounts,
	}
}

// coreFeatures are the features of FeatureDocs, by name, that Core holds.
func coreFeatures(c *Core) map[string]*bool {
	return map[string]*bool{
		"bind-at-rename": &c.BindAtRename, "crossing-counts": &c.CrossingCounts, "microcode-at-once": &c.MicrocodeAtOnce, "unlaminate-whole": &c.UnlaminateWhole,
		"pairs-whole": &c.PairsWhole, "store-in-turn": &c.StoreInTurn, "writeback-conflicts": &c.WritebackConflicts, "early-wakeup": &c.EarlyWakeup,
		"fuse-last-decoder": &c.FuseLastDecoder, "store-lines": &c.StoreLines, "stack-copies": &c.StackCopies, "fetch-past-branch": &c.FetchPastBranch,
		"double-pumped": &c.DoublePumped, "jcc-erratum": &c.JCCErratum, "line-crossing": &c.LineCrossing,
	}
}

// setCore reads the value of a parameter into its field.
func (m *Model) setCore(field any, value string) (err error) {
	switch to := field.(type) {
	case *PortSet:
		*to, err = m.ports(value)
	case *DispatchLimit:
		*to, err = m.limit(value)
	case *[]Density:
		*to, err = densities(value)
	case *[]LoopFactor:
		*to, err = loopFactors(value)
	case interface{ read(text string) error }:
		err = to.read(value)
	default:
		err = setParam(field, value)
	}
	return err
}

func (m *Model) readCore() (*Core, error) {
	c := &Core{}
	for name, on := range coreFeatures(c) {
		*on = m.Has(name)
	}
	fields := coreFields(c)
	var limits []DispatchLimit
	for _, f := range m.Facts {
		var err error
		switch field, known := fields[f.Name]; {
		case known:
			err = m.setCore(field, f.Value)
		case f.Name == "result-ports":
			var l DispatchLimit
			l, err = m.limit(f.Value)
			c.ResultPorts, c.ResultPasses = l.Ports, l.Uops
		case f.Name == "disambiguation":
			if err = setParam(&c.Disambiguation, f.Value); c.Disambiguation&(c.Disambiguation-1) != 0 {
				err = errors.New("not a power of two")
			}
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
			return nil, &paramError{m.Name, f, err}
		}
	}
	// what is said of schedulers, which are all known now
	for _, of := range []struct {
		name string
		read func(c *Core, text string) error
	}{{"port-queues", m.portQueues}, {"slot-queues", m.slotQueues}} {
		k := slices.IndexFunc(m.Facts, func(f Fact) bool { return f.Name == of.name })
		if k < 0 {
			continue
		}
		if err := of.read(c, m.Facts[k].Value); err != nil {
			return nil, &paramError{m.Name, m.Facts[k], err}
		}
	}
	c.DispatchLimits = m.limits(limits, c.DispatchUops)
	return c, nil
}

// StackAliases is what lines cost that a moving stack pointer comes to and that were last used by other addresses.
type StackAliases struct {
	// Popped and Moved are how often a load through it uses its port, where push and pop alone move it, and where other instructions do as well; Stored
	// is how many more uses the stores through it take, a line.
	Popped, Moved, Stored float64
	// Pass is the cycles that it costs each time the stores of a stack pointer that other instructions move as well have come
	// through the page, past what loads read by other addresses.
	Pass float64
}

// read reads "POPPED MOVED STORED PASS".
func (a *StackAliases) read(text string) error {
	f := strings.Fields(text)
	to := []*float64{&a.Popped, &a.Moved, &a.Stored, &a.Pass}
	if len(f) != len(to) {
		return fmt.Errorf("%d numbers, not %d", len(f), len(to))
	}
	for i := range f {
		if err := setParam(to[i], f[i]); err != nil {
			return err
		}
	}
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

// PortSet finds a port or a group by name.
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

// ports returns the ports that a list of ports and groups stands for.
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

// densities reads "3:8 4:6.6".
func densities(text string) ([]Density, error) {
	var out []Density
	for _, f := range strings.Fields(text) {
		b, n, ok := strings.Cut(f, ":")
		bytes, err := strconv.ParseFloat(b, 64)
		slots, err2 := strconv.ParseFloat(n, 64)
		if !ok || err != nil || err2 != nil || bytes <= 0 || slots <= 0 || len(out) > 0 && bytes <= out[len(out)-1].Bytes {
			return nil, fmt.Errorf("bad point '%s' (as in 3:8 4:6.6: 8 slots a cycle at 3 bytes per slot, ascending)", f)
		}
		out = append(out, Density{bytes, slots})
	}
	return out, nil
}
