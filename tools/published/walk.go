package main

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/isa"
	"incore/internal/object"
)

// walker executes AArch64 code as far as its branches need it: additions, comparisons, moves, and words on the stack. A register whose value it does
// not know has none; a branch on such a value is an error.
type walker struct {
	regs   map[string]int64
	memory map[int64]int64
	flags  *int64 // difference of the last comparison
}

// walk calls do for every instruction that a function executes until it returns.
func walk(f *object.File, addr uint64, do func(*object.Line)) error {
	w := walker{regs: map[string]int64{"xzr": 0, "sp": 1 << 40}, memory: map[int64]int64{}}
	for n := 0; n < 1<<20; n++ {
		line := object.Line{Addr: addr}
		code := f.Bytes(addr, 4)
		if len(code) < 4 {
			return fmt.Errorf("no code at %#x", addr)
		}
		line.Bytes = code
		if _, err := f.ISA.Decode(code, addr, &line.Inst); err != nil {
			return fmt.Errorf("%#x: %w", addr, err)
		}
		do(&line)
		flow := f.ISA.Flow(&line.Inst)
		text := string(f.ISA.Print(nil, &line.Inst, f.ISA.Syntaxes[0]))
		addr += 4
		switch flow.Kind {
		case isa.FlowNext:
			w.step(text)
		case isa.FlowCond:
			taken, err := w.taken(text)
			if err != nil {
				return fmt.Errorf("%#x: %s: %w", addr-4, text, err)
			}
			if taken {
				addr = uint64(flow.Target.Imm)
			}
		case isa.FlowJump:
			addr = uint64(flow.Target.Imm)
		case isa.FlowReturn:
			return nil
		default:
			return fmt.Errorf("%#x: %s", addr-4, text)
		}
	}
	return fmt.Errorf("no end")
}

// operands splits an instruction's text; brackets stay together.
func operands(text string) (mnemonic string, ops []string) {
	mnemonic, rest, _ := strings.Cut(strings.TrimSpace(text), " ")
	if i := strings.IndexByte(mnemonic, '\t'); i >= 0 {
		mnemonic, rest = mnemonic[:i], mnemonic[i+1:]+" "+rest
	}
	depth, start := 0, 0
	for i := 0; i <= len(rest); i++ {
		if i == len(rest) || rest[i] == ',' && depth == 0 {
			if op := strings.TrimSpace(rest[start:i]); op != "" {
				ops = append(ops, op)
			}
			start = i + 1
			continue
		}
		switch rest[i] {
		case '[', '{':
			depth++
		case ']', '}':
			depth--
		}
	}
	return mnemonic, ops
}

// register returns the name of a general register's 64 bits; "" for another operand.
func register(op string) string {
	switch {
	case op == "sp", op == "xzr":
		return op
	case op == "wzr":
		return "xzr"
	case len(op) > 1 && (op[0] == 'x' || op[0] == 'w'):
		if _, err := strconv.Atoi(op[1:]); err == nil {
			return "x" + op[1:]
		}
	}
	return ""
}

// value returns the value of an operand.
func (w *walker) value(op string) (int64, bool) {
	if r := register(op); r != "" {
		v, ok := w.regs[r]
		return v, ok
	}
	v, err := strconv.ParseInt(strings.TrimPrefix(op, "#"), 0, 64)
	return v, err == nil
}

// set gives a register a value, or takes it away.
func (w *walker) set(op string, v int64, ok bool) {
	r := register(op)
	if r == "" || r == "xzr" {
		return
	}
	if ok {
		w.regs[r] = v
	} else {
		delete(w.regs, r)
	}
}

// address returns the address of an operand in brackets without an index.
func (w *walker) address(op string) (int64, bool) {
	inner, after, _ := strings.Cut(strings.Trim(strings.TrimPrefix(op, "["), " "), "]")
	base, offset, more := strings.Cut(inner, ",")
	v, ok := w.value(strings.TrimSpace(base))
	if !ok || after != "" {
		return 0, false
	}
	if more {
		o, ok := w.value(strings.TrimSpace(offset))
		if !ok || register(strings.TrimSpace(offset)) != "" {
			return 0, false
		}
		v += o
	}
	return v, true
}

func (w *walker) step(text string) {
	name, ops := operands(text)
	if len(ops) == 0 {
		return
	}
	switch {
	case name == "cmp" && len(ops) == 2, name == "subs" && len(ops) == 3:
		a, ok := w.value(ops[len(ops)-2])
		b, ok2 := w.value(ops[len(ops)-1])
		d := a - b
		w.flags = nil
		if ok && ok2 {
			w.flags = &d
		}
		if name == "subs" {
			w.set(ops[0], d, ok && ok2)
		}
	case (name == "add" || name == "sub") && len(ops) == 3:
		a, ok := w.value(ops[1])
		b, ok2 := w.value(ops[2])
		if name == "sub" {
			b = -b
		}
		w.set(ops[0], a+b, ok && ok2)
	case name == "mov" && len(ops) == 2:
		v, ok := w.value(ops[1])
		w.set(ops[0], v, ok)
	case name == "ldr" || name == "ldp":
		w.transfer(ops, func(op string, at int64, known bool) {
			v, ok := w.memory[at]
			w.set(op, v, ok && known)
		})
	case name == "str" || name == "stp":
		w.transfer(ops, func(op string, at int64, known bool) {
			v, ok := w.value(op)
			if known && ok && register(op) != "" {
				w.memory[at] = v
			} else if known {
				delete(w.memory, at)
			}
		})
	default:
		w.set(ops[0], 0, false)
	}
}

// transfer calls do for the registers of a load or store, one word apart, and changes the base register.
func (w *walker) transfer(ops []string, do func(op string, at int64, known bool)) {
	at := 1
	for at < len(ops) && !strings.HasPrefix(ops[at], "[") {
		at++
	}
	if at == len(ops) {
		w.set(ops[0], 0, false)
		return
	}
	place := strings.TrimSuffix(ops[at], "!")
	v, ok := w.address(place)
	for i, op := range ops[:at] {
		size := int64(8)
		if op[0] == 'w' {
			size = 4
		}
		do(op, v+int64(i)*size, ok)
	}
	base, _, _ := strings.Cut(strings.Trim(place, "[]"), ",")
	if place != ops[at] {
		w.set(base, v, ok)
	} else if at+1 < len(ops) {
		o, ok2 := w.value(ops[at+1])
		w.set(base, v+o, ok && ok2)
	}
}

// taken reports whether a conditional branch jumps.
func (w *walker) taken(text string) (bool, error) {
	name, ops := operands(text)
	if name == "cbz" || name == "cbnz" {
		v, ok := w.value(ops[0])
		if !ok {
			return false, fmt.Errorf("the value is not known")
		}
		return (v == 0) == (name == "cbz"), nil
	}
	if w.flags == nil {
		return false, fmt.Errorf("the flags are not known")
	}
	d := *w.flags
	switch strings.TrimPrefix(name, "b.") {
	case "eq":
		return d == 0, nil
	case "ne":
		return d != 0, nil
	case "lt":
		return d < 0, nil
	case "le":
		return d <= 0, nil
	case "gt":
		return d > 0, nil
	case "ge":
		return d >= 0, nil
	}
	return false, fmt.Errorf("an unknown condition")
}
