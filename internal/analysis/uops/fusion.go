package uops

import (
	"slices"

	"incore/internal/isa"
	"incore/internal/machine"
)

// This file fuses instructions that follow each other: pairs that share a µop (macro-fusion), and instructions that
// need neither slot nor port of their own beside the next one.

// unfusible are instructions that fuse with no other, or have done so.
const unfusible = machine.Unknown | machine.FusedFirst | machine.FusedSecond

// fusePairs marks the pairs that the core macro-fuses. The cost of a jump moves to the instruction before it, whose µop
// includes the jump.
func (n *neighbours) fusePairs() {
	if n.isa.FusesWith == nil {
		return
	}
	for i := 0; i+1 < len(n.Insts); i++ {
		first, second := &n.Insts[i], &n.Insts[i+1]
		if (first.Flags|second.Flags)&unfusible != 0 || !n.fuses(first, second) {
			continue
		}
		first.Flags |= machine.FusedFirst
		second.Flags |= machine.FusedSecond
		first.Uops = fusedUops(first.Uops, second.Uops)
		if ports := n.core.CompareJump; ports != 0 && !writesOperand(first) {
			branchOn(first.Uops, ports)
		}
		free(second)
		if n.isa.Forms.Flags(second.Line.Inst.Form)&isa.Branch == 0 {
			instant(second)
			waitForPair(second, first)
		}
	}
}

// fuses reports whether the core macro-fuses two instructions.
func (n *neighbours) fuses(first, second *machine.Inst) bool {
	kind := n.isa.FusesWith(&first.Line.Inst, &second.Line.Inst)
	if !n.Model.Fuses(kind) || n.core.FuseRegisters && len(first.Effects.Mem) > 0 {
		return false
	}
	divided := n.core.FusionInLine && n.Kernel.Placed() && (first.Line.Addr+uint64(first.Line.Inst.Size))%codeLine == 0
	return !divided && (n.isa.CopyPrefix == nil || n.isa.CopyPrefix(&first.Line.Inst, &second.Line.Inst) == isa.NoCopy)
}

// codeLine is the size of a line of the instruction cache, in bytes.
const codeLine = 64

// fusedUops returns the µops of a fused pair: those of the first instruction, the last of them on the ports that the
// second can use (a compare-and-branch runs on branch ports), and the resources that the second uses.
func fusedUops(first, second []machine.Uop) []machine.Uop {
	out := append([]machine.Uop(nil), first...)
	for _, s := range second {
		if s.Resource {
			out = append(out, s)
		}
	}
	for _, s := range second {
		if s.Resource {
			continue
		}
		for i := len(out) - 1; i >= 0; i-- {
			if out[i].Kind == machine.UopExec && !out[i].Resource {
				out[i].Kind = s.Kind
				if common := out[i].Ports & s.Ports; common != 0 {
					out[i].Ports = common
				} else {
					out[i].Ports = s.Ports
				}
				return out
			}
		}
		return append(out, s)
	}
	return out
}

// writesOperand reports whether an instruction has a result other than those that all of its form have, such as flags.
func writesOperand(in *machine.Inst) bool {
	return slices.ContainsFunc(in.Effects.Writes, func(w isa.Access) bool { return w.Op >= 0 })
}

// branchOn replaces the ports of the branch µop.
func branchOn(uops []machine.Uop, ports machine.PortSet) {
	for i := range uops {
		if uops[i].Kind == machine.UopBranch {
			uops[i].Ports = ports
		}
	}
}

// free takes slots and µops from an instruction.
func free(in *machine.Inst) { in.Uops, in.Slots, in.LowSlots, in.HighSlots = nil, 0, 0, 0 }

// instant sets the latency of one instruction of a fused pair to 0 (the second of aese+aesmc and adrp+add, movprfx),
// because the other one has the latency of the pair.
func instant(in *machine.Inst) {
	in.Latency, in.LowLatency, in.HighLatency = 0, 0, 0
	in.OwnLatencies()
	for i := range in.Inputs() {
		for o := range in.Outputs() {
			if _, ok := in.Pair(i, o); ok {
				in.SetPair(i, o, 0)
			}
		}
	}
}

// waitForPair sets the latency of the second instruction of a fused pair from registers that the first does not write:
// the pair waits for these, too, so that they take as long as the first instruction.
func waitForPair(second, first *machine.Inst) {
	for k, r := range second.Effects.Reads {
		if slices.ContainsFunc(first.Effects.Writes, func(w isa.Access) bool { return w.Reg == r.Reg }) {
			continue
		}
		for o := range second.Outputs() {
			if _, ok := second.Pair(k, o); ok {
				second.SetPair(k, o, first.Latency)
			}
		}
	}
}

// joinNops removes the slot of a nop where the core joins it with the next instruction (feature "nop-fusion"), or with
// the one before it ("nop-fusion-bytes"). Consecutive nops are joined in pairs; after a pair, the last one of an odd
// number keeps its slot.
func (n *neighbours) joinNops() {
	if !n.core.NopFusion {
		return
	}
	for i := 0; i < len(n.Insts); {
		run := 0
		for i+run < len(n.Insts) && idle(&n.Insts[i+run]) {
			run++
		}
		if run == 1 && len(n.Insts) > 1 && n.joinsNop(i) {
			run++
		}
		for k := 0; k+1 < run; k += 2 {
			free(&n.Insts[i+k])
		}
		i += max(run, 1)
	}
}

// joinsNop reports whether a neighbour of nop i shares its slot with it: any instruction that follows, in the next
// iteration after the last one, or, with "nop-fusion-bytes", the one before it in straight code.
func (n *neighbours) joinsNop(i int) bool {
	most := n.core.NopFusionBytes
	if most == 0 {
		return true
	}
	last := &n.Insts[(i+len(n.Insts)-1)%len(n.Insts)]
	bytes := int(last.Line.Inst.Size) + int(n.Insts[i].Line.Inst.Size)
	return bytes <= most && n.isa.Flow(&last.Line.Inst).Kind == isa.FlowNext && !last.TouchesVectors(n.isa)
}

// idle reports whether an instruction is a nop: one slot, no port, no reads and writes.
func idle(in *machine.Inst) bool {
	e := &in.Effects
	nothing := len(in.Uops)+len(e.Reads)+len(e.Writes)+len(e.Mem) == 0
	return nothing && in.Flags&^(machine.SideEffect|machine.Borrowed) == 0 && in.Slots == 1
}

// joinMoves removes slot and port of a register move where the core joins it with the next instruction, an operation
// that overwrites the move's result (feature "move-fusion").
func (n *neighbours) joinMoves() {
	if !n.core.MoveFusion || n.isa.RegMove == nil || n.isa.JoinsMove == nil {
		return
	}
	for i := 0; i+1 < len(n.Insts); i++ {
		in, next := &n.Insts[i], &n.Insts[i+1]
		if dst, _, ok := n.isa.RegMove(&in.Line.Inst); ok && n.isa.JoinsMove(&next.Line.Inst, dst) {
			free(in)
		}
	}
}

// joinPrefixes removes slot, port and latency of an instruction that only prepares the destination of the next one,
// where the core fuses the two: the model states it per form (joins-prefix and others) or for all forms (fuses).
func (n *neighbours) joinPrefixes() {
	if n.isa.CopyPrefix == nil {
		return
	}
	for i := 0; i+1 < len(n.Insts); i++ {
		in, next := &n.Insts[i], &n.Insts[i+1]
		if (in.Flags|next.Flags)&machine.Unknown != 0 {
			continue
		}
		copies := n.isa.CopyPrefix(&in.Line.Inst, &next.Line.Inst)
		if copies == isa.NoCopy {
			continue
		}
		if next.Flags&joins[copies] != 0 || n.Model.Fuses(n.isa.FusesWith(&in.Line.Inst, &next.Line.Inst)) {
			in.Flags |= machine.FusedFirst
			free(in)
			instant(in)
		}
	}
}

var joins = [...]machine.InstFlags{
	isa.PlainCopy: machine.JoinsPrefix, isa.ZeroingCopy: machine.JoinsZeroing, isa.MergingCopy: machine.JoinsMerging,
}
