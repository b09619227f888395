package plan

import (
	"strings"
	"testing"

	"incore/internal/isa"
)

// TestBranchPlans follows the flow of control through every plan of jumps, calls and returns: each instance is executed
// once, in every layout, and the end is reached with the stack as it was.
func TestBranchPlans(t *testing.T) {
	x := X86()
	forms := x.SelectBranches(nil, nil)
	if len(forms) != 16 {
		t.Errorf("%d forms", len(forms))
	}
	for _, f := range forms {
		name := x.ISA.Forms.Name(f)
		if why := x.Unplanned(f); why != "" {
			t.Errorf("%s is planned for, but %s", name, why)
		}
		b, err := x.OnBranch(f)
		if err != nil {
			t.Fatal(err)
		}
		ways := []Outcome{{Taken: true}}
		if b.Flow == isa.FlowCond {
			if ways = x.jumps.outcomes(name); len(ways) != 2 || ways[0].Taken || !ways[1].Taken {
				t.Errorf("%s goes %v", name, ways)
			}
		}
		for i := range ways {
			for _, layout := range BranchLayouts {
				for times := 1; times <= 2; times++ {
					p, err := b.Plan(&ways[i], layout, times)
					if err != nil {
						t.Fatalf("%s: %v", name, err)
					}
					if why := follow(x, p, b, ways[i].Taken, layout); why != "" {
						t.Errorf("%s, taken %v, layout %d, statements %d times: %s", name, ways[i].Taken, layout, times, why)
					}
				}
			}
		}
	}
}

// follow executes a plan's branches, and says what is wrong.
func follow(x *Target, p *Plan, b *Branch, taken bool, layout int) string {
	at, own := int64(0), 0
	var stack []int64
	moved := int64(0) // bytes that calls have pushed and nothing has dropped
	named, memory := map[isa.Reg]int64{}, map[int64]int64{}
	for steps := 0; at != int64(len(p.Code)); steps++ {
		if at < 0 || at > int64(len(p.Code)) || steps > 4*len(p.Code) {
			return "leaves the code, or does not end"
		}
		var in isa.Inst
		n, err := x.ISA.Decode(p.Code[at:], uint64(at), &in)
		if err != nil {
			return err.Error()
		}
		next := at + int64(n)
		target := next
		text := x.Text(&in)
		flow := x.ISA.Flow(&in)
		mem := x.ISA.Forms.MemOp(in.Form)
		switch {
		case flow.Target.Kind == isa.OpImm:
			target = flow.Target.Imm
		case flow.Kind == isa.FlowReturn:
			if len(stack) == 0 {
				return "returns without a call"
			}
			target, stack = stack[len(stack)-1], stack[:len(stack)-1]
			moved -= 8
		case flow.Kind != isa.FlowNext && mem >= 0:
			target = memory[in.Ops[mem+3].Imm]
		case flow.Kind != isa.FlowNext:
			target = named[x.root[in.Reg(0)]]
		case strings.HasPrefix(text, "leaq") && strings.Contains(text, "(%rip)"):
			named[x.root[in.Reg(0)]] = next + in.Ops[4].Imm
		case strings.HasPrefix(text, "leaq"):
			moved -= in.Ops[4].Imm
		case strings.HasPrefix(text, "movq") && mem >= 0:
			memory[in.Ops[mem+3].Imm] = named[x.root[in.Reg(5)]]
		}
		if flow.Kind == isa.FlowCall {
			stack = append(stack, next)
			moved += 8
		}
		if in.Form == p.Form {
			own++
			if layout > 0 && b.Flow != isa.FlowReturn && b.Flow != isa.FlowCall && next%int64(layout) != 0 {
				return "an instance does not end a block"
			}
		}
		if at = next; flow.Kind != isa.FlowNext && (flow.Kind != isa.FlowCond || taken) {
			at = target
		}
	}
	switch {
	case own != int(p.N):
		return "not every instance is executed once"
	case moved != 0:
		return "the stack pointer is not as it was"
	case layout > 0 && len(p.Code)%layout != 0:
		return "copies do not lie alike"
	}
	return ""
}
