package aarch64

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed sysops.txt
var sysopText string

// sysop is a named operand of a system instruction.
type sysop struct {
	name  string // as LLVM prints it
	value int64
	flags string // see sysops.txt
}

// sysopTables are the named operands by table and lower-case name, and by table and value.
type sysopTables struct {
	byName  map[[2]string]sysop
	byValue map[sysopKey]sysop
}

type sysopKey struct {
	table string
	value int64
}

// sysops is read on first use: most programs need no or few system operands.
var sysops = sync.OnceValue(func() *sysopTables {
	t := &sysopTables{map[[2]string]sysop{}, map[sysopKey]sysop{}}
	for line := range strings.Lines(sysopText) {
		f := strings.Fields(line)
		if len(f) != 4 || f[0] == "#" {
			continue
		}
		v, err := strconv.ParseInt(f[2], 10, 64)
		if err != nil {
			panic("aarch64: sysops.txt: " + err.Error()) // embedded data
		}
		op := sysop{f[1], v, f[3]}
		t.byName[[2]string{f[0], strings.ToLower(f[1])}] = op
		k := sysopKey{f[0], v}
		if old, ok := t.byValue[k]; !ok || len(op.flags) > len(old.flags) {
			t.byValue[k] = op // of two names for one register prefer the readable and writable one
		}
	}
	return t
})

// named looks a word up in a table of named operands.
func named(table, word string) (sysop, bool) {
	op, ok := sysops().byName[[2]string{table, strings.ToLower(word)}]
	return op, ok
}

// namedValue finds the name of a value.
func namedValue(table string, v int64) (sysop, bool) {
	op, ok := sysops().byValue[sysopKey{table, v}]
	return op, ok
}

// sysRegister resolves a system register by name or in the form S3_0_C15_C2_0
// to op0:op1:CRn:CRm:op2 (16 bits). access is 'r' or 'w'.
func sysRegister(word string, access byte) (int64, bool) {
	if op, ok := named("sysreg", word); ok && strings.IndexByte(op.flags, access) >= 0 {
		return op.value, true
	}
	f := strings.Split(strings.ToLower(word), "_")
	if len(f) != 5 || !strings.HasPrefix(f[0], "s") || !strings.HasPrefix(f[2], "c") || !strings.HasPrefix(f[3], "c") {
		return 0, false
	}
	v := int64(0)
	for i, d := range []struct{ prefix, limit, bits int }{{1, 3, 2}, {0, 7, 3}, {1, 15, 4}, {1, 15, 4}, {0, 7, 3}} {
		n, err := strconv.Atoi(f[i][d.prefix:])
		if err != nil || n < 0 || n > d.limit {
			return 0, false
		}
		v = v<<d.bits | int64(n)
	}
	return v, true
}

// sysRegisterName is the inverse of sysRegister.
func sysRegisterName(v int64, access byte) string {
	if op, ok := namedValue("sysreg", v); ok && strings.IndexByte(op.flags, access) >= 0 {
		return op.name
	}
	n := func(shift, bits int) string { return strconv.Itoa(int(v >> shift & (1<<bits - 1))) }
	return "S" + n(14, 2) + "_" + n(11, 3) + "_C" + n(7, 4) + "_C" + n(3, 4) + "_" + n(0, 3)
}
