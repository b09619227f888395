package probe

import (
	"fmt"
	"strings"

	"incore/internal/isa"
)

// slots names the words at the beginning of the probe's data.
var slots = []string{"active", "calls", "stack", "back", "start", "nested", "others", "left", "next", "limit", "first", "last", "clocked", "interval", "over", "roomA", "roomB", "roomC", "timed"}

// What the texts below have in common. The program's registers and flags are kept on its stack, below the 128 bytes that a function may use without moving the stack
// pointer; LEA leaves the flags alone. The program's own stack pointer is 296(%rsp) then.
const (
	keep = `
	lea -256(%rsp), %rsp
	pushfq
	push %rax
	push %rcx
	push %rdx
	push %rbx
`
	restore = `
	pop %rbx
	pop %rdx
	pop %rcx
	pop %rax
	popfq
	lea 256(%rsp), %rsp
`
	stamp = `
	lfence
	rdtsc
	lfence
	shl $32, %rdx
	or %rdx, %rax
`
	// near: within so many bytes of the stack, below or above, it is the same thread.
	near = 1 << 26
)

// entryText begins a call, unless a call is already active.
const entryText = keep + `
	lea 296(%rsp), %rcx
	mov $1, %eax
	xchg %rax, active(%rip)
	test %rax, %rax
	je begin
	mov stack(%rip), %rax
	sub %rcx, %rax
	lea NEAR(%rax), %rdx
	cmp $TWICE, %rdx
	jae others_
	test %rax, %rax
	AGAIN
	incq left(%rip)
begin:
	incq calls(%rip)
	mov %rcx, stack(%rip)
	HIJACK
	call due
` + stamp + `
	mov %rax, start(%rip)
on:
` + restore + `
	DISPLACED
nested_:
	incq nested(%rip)
	jmp on
others_:
	lock incq others(%rip)
	jmp on
`

// An entry deeper in the stack is a part of the active call. At the same stack depth, a loop may enter a range again, and a tail call a function, with the probe's
// return address; another return address means that the previous call was left without a return.
const (
	againText         = "jns nested_"
	againFunctionText = `
	js away
	jne nested_
	lea exit(%rip), %rax
	cmp %rax, (%rcx)
	je nested_
away:
`
)

// hijackText makes a function return to the probe.
const hijackText = `
	mov (%rcx), %rax
	mov %rax, back(%rip)
	lea exit(%rip), %rax
	mov %rax, (%rcx)
`

// recordText ends a call: the time stamp is in rax.
const recordText = `
	mov calls(%rip), %rcx
	cmp first(%rip), %rcx
	jb recorded
	cmp last(%rip), %rcx
	ja recorded
	mov stack(%rip), %rcx
	mov %rcx, timed(%rip)
	mov next(%rip), %rbx
	cmp limit(%rip), %rbx
	jae recorded
	mov start(%rip), %rcx
	mov %rcx, (%rbx)
	mov %rax, 8(%rbx)
	add $16, %rbx
	mov %rbx, next(%rip)
recorded:
	call due
	mov calls(%rip), %rcx
	cmp last(%rip), %rcx
	jb more
	call clock
	movq $1, over(%rip)
more:
	movq $0, active(%rip)
`

// returnText is the code to which a function returns. The original return address is then below the stack pointer, where the replaced one was.
const returnText = "\nexit:\n" + keep + stamp + recordText + `
	mov back(%rip), %rax
	mov %rax, 288(%rsp)
` + restore + `
	jmp *-8(%rsp)
`

// leaveText is the code at the end of a range.
const leaveText = "\nexit:\n" + keep + `
	cmpq $0, active(%rip)
	je leave
	lea 296(%rsp), %rax
	sub stack(%rip), %rax
	lea NEAR(%rax), %rax
	cmp $TWICE, %rax
	jae leave
` + stamp + recordText + `
leave:
` + restore + `
	DISPLACED
`

// clockText reads the clock, unless the last reading is recent: the ticks of a chain of additions, of the same number of independent instructions, and of a short loop of two
// loads, an addition and a store, which is slower if another thread of the core leaves too little room for iterations in flight.
func clockText() string {
	timed := func(name, set, body string, times int) string {
		return name + ":" + stamp + "\n push %rax\n" + set + "\n" + name + "_:\n" + strings.Repeat(body+"\n", times) + "\n dec %ecx\n jne " + name + "_\n" + stamp + "\n pop %rcx\n sub %rcx, %rax\n ret\n"
	}
	both := func(name string, times int) string {
		return fmt.Sprintf("\n mov $%d, %%ecx\n call %s\n neg %%rax\n push %%rax\n mov $%d, %%ecx\n call %s\n pop %%rcx\n add %%rcx, %%rax\n", chainShort*times, name, chainLong*times, name)
	}
	return `
due:
	rdtsc
	shl $32, %rdx
	or %rdx, %rax
	sub clocked(%rip), %rax
	cmp interval(%rip), %rax
	jae clock
	ret
clock:
` + both("chain", 1) + "\n push %rax\n" + both("wide", 1) + "\n push %rax\n" + both("room", roomRounds/(chainLong-chainShort)) + `
	pop %rdx
	pop %rcx
	mov next(%rip), %rbx
	cmp limit(%rip), %rbx
	jae looked
	bts $63, %rdx
	bts $63, %rax
	mov %rdx, (%rbx)
	mov %rcx, 8(%rbx)
	mov %rax, 16(%rbx)
	movq $0, 24(%rbx)
	add $32, %rbx
	mov %rbx, next(%rip)
looked:
	rdtsc
	shl $32, %rdx
	or %rdx, %rax
	mov %rax, clocked(%rip)
	ret
` + timed("chain", "\n mov $1, %eax\n mov $3, %edx", "add %rdx, %rax", 100) + timed("wide", "", "nop", 100) +
		timed("room", alignment, "mov roomA(%rip), %rax\n add roomB(%rip), %rax\n mov %rax, roomC(%rip)", 1)
}

// alignment is a line that aligns the next statement to a cache line.
const (
	alignment = ".align"
	lineBytes = 64
)

// statement is an instruction to place, or a label.
type statement struct {
	label string
	inst  isa.Inst
	mem   int // operand whose displacement is relative to the instruction's end, −1: none
	to    uint64
}

// assembler places statements.
type assembler struct {
	isa     *isa.ISA
	list    []statement
	symbols map[string]uint64
}

// text adds the statements of a text. A line that is a key of parts is replaced by that part.
func (a *assembler) text(text string, parts map[string]func() error) error {
	for _, line := range strings.Split(text, "\n") {
		line = strings.TrimSpace(line)
		if part := parts[line]; part != nil {
			if err := part(); err != nil {
				return err
			}
			continue
		}
		line = strings.NewReplacer("NEAR", fmt.Sprint(near), "TWICE", fmt.Sprint(2*near)).Replace(line)
		if line == "" {
			continue
		}
		if line == alignment {
			a.list = append(a.list, statement{label: alignment})
			continue
		}
		if name, ok := strings.CutSuffix(line, ":"); ok {
			a.list = append(a.list, statement{label: name})
			continue
		}
		list, err := a.isa.Parse(nil, line, "att")
		if err != nil {
			return fmt.Errorf("assembling %q: %w", line, err)
		}
		for i := range list {
			a.list = append(a.list, statement{inst: a.far(list[i]), mem: -1})
		}
	}
	return nil
}

// far changes a jump with an 8-bit distance to one with 32 bits.
func (a *assembler) far(in isa.Inst) isa.Inst {
	if name, short := strings.CutSuffix(a.isa.Forms.Name(in.Form), "_1"); short && a.isa.Flow(&in).Kind != isa.FlowNext {
		in.Form = a.isa.Forms.Named(name + "_4")
	}
	return in
}

// jump adds a jump to an address.
func (a *assembler) jump(to uint64) error {
	list, err := a.isa.Parse(nil, "jmp there", "att")
	if err != nil {
		return err
	}
	list[0].Ops[0] = isa.Operand{Kind: isa.OpImm, Imm: int64(to)}
	a.list = append(a.list, statement{inst: a.far(list[0]), mem: -1})
	return nil
}

// moved adds an instruction from another address. bias is the difference of its address in memory to that of its line.
func (a *assembler) moved(l *isa.Line, bias uint64) {
	s := statement{inst: a.far(l.Inst), mem: -1}
	for i := range s.inst.Ops[:s.inst.NOps] {
		o := &s.inst.Ops[i]
		if o.Kind == isa.OpReg && a.isa.Constant != nil && a.isa.Constant(o.Reg) && i+3 < int(s.inst.NOps) && s.inst.Ops[i+3].Kind == isa.OpImm {
			s.mem, s.to = i+3, l.Addr+bias+uint64(l.Inst.Size)+uint64(s.inst.Ops[i+3].Imm)
		}
	}
	if f := a.isa.Flow(&s.inst); f.Kind != isa.FlowNext && f.Target.Kind == isa.OpImm {
		s.inst.Ops[0] = isa.Operand{Kind: isa.OpImm, Imm: f.Target.Imm + int64(bias)}
	}
	a.list = append(a.list, s)
}

// place encodes the statements for an address; symbols gets the labels.
func (a *assembler) place(base uint64) ([]byte, error) {
	var code []byte
	for range 16 { // until the branches have the lengths that their distances need
		code = code[:0]
		moved := false
		for i := range a.list {
			s := &a.list[i]
			at := base + uint64(len(code))
			if s.label == alignment {
				for at := base + uint64(len(code)); at%lineBytes != 0; at++ {
					code = append(code, 0x90)
				}
				continue
			}
			if s.label != "" {
				moved = moved || a.symbols[s.label] != at
				a.symbols[s.label] = at
				continue
			}
			n, err := a.encode(s, code, at)
			if err != nil {
				return nil, err
			}
			code = n
		}
		if !moved {
			return code, nil
		}
	}
	return nil, fmt.Errorf("assembling the probe: no lengths of branches fit")
}

func (a *assembler) encode(s *statement, code []byte, at uint64) ([]byte, error) {
	in := s.inst
	mem, to := s.mem, s.to
	for i := range in.Ops[:in.NOps] {
		o := &in.Ops[i]
		if o.Kind != isa.OpExpr {
			continue
		}
		value := a.symbols[o.Expr.Sym]
		if value == 0 {
			value = at
		}
		*o = isa.Operand{Kind: isa.OpImm, Imm: int64(value)}
		if i >= 3 && in.Ops[i-3].Kind == isa.OpReg && a.isa.Constant(in.Ops[i-3].Reg) {
			mem, to = i, value
		}
	}
	if mem >= 0 {
		in.Ops[mem].Imm = 1 << 20 // of 32 bits, as all such displacements are
		sized, err := a.isa.Encode(nil, &in, at)
		if err != nil {
			return nil, fmt.Errorf("assembling the probe: %w", err)
		}
		in.Ops[mem].Imm = int64(to - at - uint64(len(sized)))
	}
	out, err := a.isa.Encode(code, &in, at)
	if err != nil {
		return nil, fmt.Errorf("assembling the probe: %w", err)
	}
	return out, nil
}

// places holds the places at which jumps to the probe are written.
type places struct {
	entry, exit *place // exit is nil for a function
	bias        uint64 // difference of the process's addresses to those of the file
}

// probeCode is the code of a probe whose data are at a given address.
func probeCode(a *isa.ISA, base, data uint64, at places) (code []byte, symbols map[string]uint64, err error) {
	entry, exit, bias := at.entry, at.exit, at.bias
	x := &assembler{isa: a, symbols: map[string]uint64{}}
	for i, name := range slots {
		x.symbols[name] = data + uint64(8*i)
	}
	displaced := func(p *place) func() error {
		return func() error {
			for i := range p.lines {
				x.moved(&p.lines[i], bias)
			}
			return x.jump(p.end() + bias)
		}
	}
	again, hijack := againText, ""
	if exit == nil {
		again, hijack = againFunctionText, hijackText
	}
	text := func(s string) func() error { return func() error { return x.text(s, nil) } }
	if err := x.text("entry:\n"+entryText, map[string]func() error{"AGAIN": text(again), "HIJACK": text(hijack), "DISPLACED": displaced(entry)}); err != nil {
		return nil, nil, err
	}
	if exit == nil {
		err = x.text(returnText, nil)
	} else {
		err = x.text(leaveText, map[string]func() error{"DISPLACED": displaced(exit)})
	}
	if err == nil {
		err = x.text(clockText(), nil)
	}
	if err != nil {
		return nil, nil, err
	}
	code, err = x.place(base)
	return code, x.symbols, err
}
