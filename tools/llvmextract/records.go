package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
)

// record is one record of a TableGen dump: field → value, undecoded.
type record map[string]json.RawMessage

// get decodes a field into dst and reports whether it exists and has that type.
func (r record) get(field string, dst any) bool {
	v, ok := r[field]
	return ok && string(v) != "null" && json.Unmarshal(v, dst) == nil
}

// str returns a string field, "" if it is absent or no string.
func (r record) str(field string) string {
	var s string
	r.get(field, &s)
	return s
}

// num returns a number, or the value of a bit field (unset bits are 0).
func (r record) num(field string) int {
	var n int
	if r.get(field, &n) {
		return n
	}
	var bits []*int
	if r.get(field, &bits) {
		for i, b := range bits {
			if b != nil {
				n |= *b << i
			}
		}
	}
	return n
}

// reference is a value that names another record, or a dag.
type reference struct {
	Kind      string     `json:"kind"`
	Def       string     `json:"def"`
	Printable string     `json:"printable"`
	Operator  *reference `json:"operator"`
	Args      []dagArg   `json:"args"`
	Var       string     `json:"var"`
	Index     int        `json:"index"`
}

// dagArg is an argument of a dag: a value and a name.
type dagArg struct {
	value reference
	plain any // a value that is not a record
	name  string
}

func (a *dagArg) UnmarshalJSON(data []byte) error {
	var pair []json.RawMessage
	if err := json.Unmarshal(data, &pair); err != nil {
		return err
	}
	if len(pair) != 2 {
		return fmt.Errorf("dag argument %.60s is no pair", data)
	}
	if len(pair[1]) > 0 && string(pair[1]) != "null" {
		if err := json.Unmarshal(pair[1], &a.name); err != nil {
			return err
		}
	}
	if strings.HasPrefix(string(pair[0]), "{") {
		return json.Unmarshal(pair[0], &a.value)
	}
	return json.Unmarshal(pair[0], &a.plain)
}

// def returns the name of the record that a field refers to, "" if none.
func (r record) def(field string) string {
	var v reference
	r.get(field, &v)
	return v.Def
}

// defs returns the names of the records that a list field refers to.
func (r record) defs(field string) []string {
	var l []reference
	r.get(field, &l)
	out := make([]string, len(l))
	for i := range l {
		out[i] = l[i].Def
	}
	return out
}

// operand is a declared operand: class and name ("dst", or "a+b" when its sub-operands are named).
type operand struct{ class, name string }

func (r record) operands(field string) []operand {
	var d reference
	r.get(field, &d)
	return d.operands()
}

func (d *reference) operands() []operand {
	var out []operand
	for _, a := range d.Args {
		o := operand{a.value.Def, a.name}
		switch {
		case a.value.Kind == "dag":
			var names []string
			for _, s := range a.value.Args {
				names = append(names, s.name)
			}
			o = operand{a.value.Operator.Def, strings.Join(names, "+")}
		case o.class == "":
			o.class = a.value.Printable
		}
		out = append(out, o)
	}
	return out
}

// named is a record with its name; lists of them keep the dump's order.
type named struct {
	name string
	record
}

// dump holds the needed records of a target, by kind.
type dump struct {
	insts      []named // of the target's namespace
	encoded    []named // every record of class Instruction
	aliases    []named
	mnemonics  []named
	tokens     []named
	asmClasses []named
	operands   map[string]named // operand class name → record
	predicates []named
	processors []named
	cpuAliases []named
	models     map[string]record
	features   map[string]record
	vpseudo    map[string]bool // RISC-V vector pseudos
	super      map[string][]string
}

// readDump reads the output of --dump-json, one record after another.
func readDump(path, target string) (*dump, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	d := &dump{operands: map[string]named{}, models: map[string]record{}, features: map[string]record{}, vpseudo: map[string]bool{}, super: map[string][]string{}}
	dec := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	if _, err := dec.Token(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		var raw json.RawMessage
		if err := dec.Decode(&raw); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		name := key.(string)
		if strings.HasPrefix(name, "!") || raw[0] != '{' {
			continue
		}
		var r record
		if err := json.Unmarshal(raw, &r); err != nil {
			return nil, fmt.Errorf("%s: record %s: %w", path, name, err)
		}
		d.add(named{name, r}, target)
	}
	return d, nil
}

// add stores a record by its kind; it ignores records that are not needed.
func (d *dump) add(r named, target string) {
	var super []string
	r.get("!superclasses", &super)
	is := func(class string) bool { return slices.Contains(super, class) }
	if is("Instruction") {
		d.encoded = append(d.encoded, r)
	}
	switch {
	case is("Instruction") && r.str("Namespace") == target:
		d.insts = append(d.insts, r)
		d.vpseudo[r.name] = is("RISCVVPseudo")
	case is("InstAlias"):
		d.aliases = append(d.aliases, r)
	case is("MnemonicAlias"):
		d.mnemonics = append(d.mnemonics, r)
	case is("TokenAlias"):
		d.tokens = append(d.tokens, r)
	case is("AsmOperandClass"):
		d.asmClasses = append(d.asmClasses, r)
	case is("RegisterClass"), is("RegisterOperand"), is("PointerLikeRegClass"), is("Operand"), is("DAGOperand"):
		d.operands[r.name] = r
		d.super[r.name] = super
	}
	if _, ok := r.record["AssemblerMatcherPredicate"]; ok && is("Predicate") && r.num("AssemblerMatcherPredicate") != 0 {
		d.predicates = append(d.predicates, r)
	}
	switch {
	case is("Processor"):
		d.processors = append(d.processors, r)
	case is("ProcessorAlias"):
		d.cpuAliases = append(d.cpuAliases, r)
	case is("SchedMachineModel"):
		d.models[r.name] = r.record
	case is("SubtargetFeature"):
		d.features[r.name] = r.record
	}
}
