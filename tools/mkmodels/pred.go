package main

import (
	"fmt"
	"slices"
	"strings"
)

// expr is a condition of the model format; "" is true, "!" is false.
type expr = string

const (
	exprTrue  = ""
	exprFalse = "!"
)

// shiftTypes and extendTypes are in the order of their encoding in A64 operands.
var (
	shiftTypes  = []string{"LSL", "LSR", "ASR", "ROR", "MSL"}
	extendTypes = []string{"UXTB", "UXTH", "UXTW", "UXTX", "SXTB", "SXTH", "SXTW", "SXTX"}
)

// immFields are LLVM's functions on packed immediates: first bit, width, names of values.
var immFields = map[string]struct {
	lo, n int
	names []string
}{
	"getShiftValue": {0, 6, nil}, "getShiftType": {6, 3, shiftTypes}, "getArithShiftValue": {0, 3, nil},
	"getArithExtendType": {3, 3, extendTypes}, "getMemDoShift": {0, 1, nil}, "getMemExtendType": {1, 3, extendTypes},
}

// operandTests are LLVM's functions on all operands.
var operandTests = map[string]expr{"hasLockPrefix": "prefix(lock)", "isHForm": "any(FPR16)", "isQForm": "any(FPR128)",
	"isFpOrNEON": "any(FPR8)|any(FPR16)|any(FPR32)|any(FPR64)|any(FPR128)"}

// predicate converts LLVM's predicate to a condition on instructions of one form.
func (s *sched) predicate(e any, form string) (expr, error) {
	if b, ok := e.(bool); ok {
		if b {
			return exprTrue, nil
		}
		return exprFalse, nil
	}
	l, ok := e.([]any)
	if !ok || len(l) == 0 {
		return "", fmt.Errorf("predicate %v", e)
	}
	op, _ := l[0].(string)
	num := func(i int) int { v, _ := l[i].(float64); return int(v) }
	str := func(i int) string { v, _ := l[i].(string); return v }
	switch op {
	case "true":
		return exprTrue, nil
	case "and", "or":
		return s.junction(op, l[1:], form)
	case "not":
		x, err := s.predicate(l[1], form)
		return negate(x), err
	case "same":
		return fmt.Sprintf("same(%d,%d)", num(1), num(2)), nil
	case "reg":
		if str(2) == "NoRegister" {
			return fmt.Sprintf("none(%d)", num(1)), nil
		}
		return fmt.Sprintf("reg(%d)=%s", num(1), str(2)), nil
	case "invalidreg":
		return fmt.Sprintf("none(%d)", num(1)), nil
	case "isreg", "isimm":
		return fmt.Sprintf("%s(%d)", op, num(1)), nil
	case "imm":
		return fmt.Sprintf("imm(%d)=%d", num(1), num(2)), nil
	case "opc":
		if slices.Contains(l[1:], any(form)) {
			return exprTrue, nil
		}
		return exprFalse, nil
	case "fn", "fneq":
		return s.function(l, form)
	case "feature": // only some CPUs have it; the model is for those without it
		return exprFalse, nil
	}
	return "", fmt.Errorf("unknown predicate %v", e)
}

func (s *sched) function(l []any, form string) (expr, error) {
	name, _ := l[1].(string)
	if h, ok := s.Helpers[name]; ok {
		for _, alt := range h {
			labels, isList := alt[0].([]any)
			if !isList || slices.Contains(labels, any(form)) {
				return s.predicate(alt[1], form)
			}
		}
		return exprFalse, nil
	}
	if t, ok := operandTests[name]; ok {
		return t, nil
	}
	f, ok := immFields[name]
	if !ok {
		return "", fmt.Errorf("unknown function %s", name)
	}
	op := int(l[2].(float64))
	if len(l) < 4 { // true if not zero
		return fmt.Sprintf("!bits(%d,%d,%d)=0", op, f.lo, f.n), nil
	}
	v, isNum := l[3].(float64)
	if !isNum {
		i := slices.Index(f.names, l[3].(string))
		if i < 0 {
			return "", fmt.Errorf("unknown value %v of %s", l[3], name)
		}
		v = float64(i)
	}
	return fmt.Sprintf("bits(%d,%d,%d)=%d", op, f.lo, f.n, int(v)), nil
}

// junction joins conditions with "and" or "or" and drops constant ones.
func (s *sched) junction(op string, l []any, form string) (expr, error) {
	neutral, absorbing, sep := exprTrue, exprFalse, "&"
	if op == "or" {
		neutral, absorbing, sep = exprFalse, exprTrue, "|"
	}
	var parts []expr
	for _, e := range l {
		x, err := s.predicate(e, form)
		if err != nil {
			return "", err
		}
		switch x {
		case absorbing:
			return absorbing, nil
		case neutral:
		default:
			parts = append(parts, x)
		}
	}
	switch len(parts) {
	case 0:
		return neutral, nil
	case 1:
		return parts[0], nil
	}
	for i := range parts {
		parts[i] = paren(parts[i])
	}
	return strings.Join(parts, sep), nil
}

func paren(x expr) expr {
	if strings.ContainsAny(x, "&|") {
		return "(" + x + ")"
	}
	return x
}

func negate(x expr) expr {
	switch {
	case x == exprTrue:
		return exprFalse
	case x == exprFalse:
		return exprTrue
	case strings.HasPrefix(x, "!") && !strings.ContainsAny(x, "&|"):
		return x[1:]
	}
	return "!" + paren(x)
}

func both(x, y expr) expr {
	switch {
	case x == exprFalse || y == exprFalse:
		return exprFalse
	case x == exprTrue:
		return y
	case y == exprTrue:
		return x
	}
	return paren(x) + "&" + paren(y)
}
