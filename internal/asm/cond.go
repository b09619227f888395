package asm

import "strings"

// condition is an open .if: whether its current branch is read, and whether an earlier branch was.
type condition struct {
	active, taken bool
	outer         bool // the surrounding text is read
}

// conditional handles .if, .else, .endif and their variants; it reports whether a directive is one of them. A condition that
// cannot be computed counts as true, with a diagnostic.
func (r *reader) conditional(s stmt, name, args string) bool {
	n := len(r.conds)
	switch {
	case name == ".else" || name == ".elseif":
		if n == 0 {
			return true
		}
		c := &r.conds[n-1]
		c.active = c.outer && !c.taken && (name == ".else" || r.holds(s, ".if", args))
		c.taken = c.taken || c.active
	case name == ".endif":
		if n > 0 {
			r.conds = r.conds[:n-1]
		}
	case strings.HasPrefix(name, ".if"):
		outer := n == 0 || r.conds[n-1].active
		yes := outer && r.holds(s, name, args)
		r.conds = append(r.conds, condition{active: yes, taken: yes, outer: outer})
	default:
		return false
	}
	return true
}

// holds computes a condition.
func (r *reader) holds(s stmt, name, args string) bool {
	args = strings.TrimSpace(args)
	switch name {
	case ".ifdef", ".ifndef", ".ifnotdef":
		_, symbol := r.symbols[args]
		_, label := r.p.byName[args]
		return (symbol || label) == (name == ".ifdef")
	case ".ifb", ".ifnb":
		return (args == "") == (name == ".ifb")
	case ".ifc", ".ifnc", ".ifeqs", ".ifnes":
		a, b, _ := strings.Cut(args, ",")
		return (unquoteArg(strings.TrimSpace(a)) == unquoteArg(strings.TrimSpace(b))) == (name == ".ifc" || name == ".ifeqs")
	}
	v, ok := evaluate(r.substitute(args), r.lookup)
	if !ok {
		r.fail(s, "the condition '"+name+" "+args+"' is not constant", "it is taken to hold")
		return true
	}
	switch name {
	case ".ifeq":
		return v == 0
	case ".ifgt":
		return v > 0
	case ".ifge":
		return v >= 0
	case ".iflt":
		return v < 0
	case ".ifle":
		return v <= 0
	}
	return v != 0
}
