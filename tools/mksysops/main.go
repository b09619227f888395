// Command mksysops writes the named operands of A64's system instructions (system
// registers, barriers, prefetch operations, cache and TLB maintenance, SVE patterns) as
// the text file that internal/isa/aarch64 embeds. Its input is what LLVM's TableGen prints:
//
//	llvm-tblgen -gen-searchable-tables -I llvm/include -I llvm/lib/Target/AArch64 \
//	    llvm/lib/Target/AArch64/AArch64.td | go run ./tools/mksysops > internal/isa/aarch64/sysops.txt
package main

import (
	"bufio"
	"fmt"
	"os"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// tables maps LLVM's C++ types to our table names.
var tables = map[string]string{"TLBI": "tlbi", "AT": "at", "BTI": "bti", "DB": "barrier", "DBnXS": "barriernxs", "DC": "dc", "IC": "ic",
	"ISB": "isb", "PRFM": "prfm", "PSB": "psb", "PStateImm0_1": "pstate1", "PStateImm0_15": "pstate15", "RPRFM": "rprfm", "SVCR": "svcr",
	"SVEPREDPAT": "svepattern", "SVEPRFM": "sveprfm", "SVEVECLENSPECIFIER": "veclen", "SysReg": "sysreg", "TSB": "tsb"}

var (
	start = regexp.MustCompile(`^constexpr (\w+) \w+\[\] = \{`)
	entry = regexp.MustCompile(`^  \{ "([^"]+)",(?: "[^"]+",)? (0x[0-9A-F]+),?(.*)$`)
)

func main() {
	var out []string
	table := ""
	in := bufio.NewScanner(os.Stdin)
	in.Buffer(nil, 1<<20)
	for in.Scan() {
		l := in.Text()
		if m := start.FindStringSubmatch(l); m != nil {
			table = tables[m[1]]
			continue
		}
		if strings.HasPrefix(strings.TrimSpace(l), "};") {
			table = ""
		}
		m := entry.FindStringSubmatch(l)
		if table == "" || m == nil {
			continue
		}
		v, err := strconv.ParseUint(m[2], 0, 32)
		if err != nil {
			fmt.Fprintln(os.Stderr, "mksysops:", err)
			os.Exit(1)
		}
		out = append(out, fmt.Sprintf("%s %s %d %s", table, m[1], v, flags(table, m[3])))
	}
	if err := in.Err(); err != nil || len(out) == 0 {
		fmt.Fprintln(os.Stderr, "mksysops: no tables in the input", err)
		os.Exit(1)
	}
	sort.Strings(out)
	fmt.Println("# Named operands of A64's system instructions: table, name, value, flags (r readable, w writable, x takes a register).")
	fmt.Println("# From LLVM 19.1.7 (Apache-2.0 WITH LLVM-exception), by tools/mksysops.")
	for _, l := range out {
		fmt.Println(l)
	}
}

// flags reads the fields after the value: for system registers two booleans, for cache and TLB operations
// whether they take a register.
func flags(table, rest string) string {
	f := strings.Split(rest, ",")
	on := func(i int) bool { return i < len(f) && strings.Contains(f[i], "true") }
	s := ""
	switch table {
	case "sysreg":
		if on(0) {
			s += "r"
		}
		if on(1) {
			s += "w"
		}
	case "tlbi", "ic":
		if on(0) {
			s = "x"
		}
	case "dc", "at":
		s = "x"
	}
	if s == "" {
		return "-"
	}
	return s
}
