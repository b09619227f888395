package main

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"incore/internal/isa/x86"
)

// minShare is the least share of a file's user-mode records that must be forms of ours.
const minShare = 0.97

// files is the folder of uops.info's files, which are not part of the repository: INCORE_UOPSINFO names it.
func files(t *testing.T) string {
	t.Helper()
	dir := os.Getenv("INCORE_UOPSINFO")
	if dir == "" {
		t.Skip("INCORE_UOPSINFO does not name the folder of uops.info's files")
	}
	return dir
}

var convertAll = sync.OnceValues(func() (all []*conversion, err error) {
	for i := range cores {
		c, err := cores[i].convert(os.Getenv("INCORE_UOPSINFO"))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", cores[i].name, err)
		}
		all = append(all, c)
	}
	return all, nil
})

// conversions are the files of all cores, converted.
func conversions(t *testing.T) []*conversion {
	t.Helper()
	files(t)
	all, err := convertAll()
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// TestShare checks how many of each file's records map to a form.
func TestShare(t *testing.T) {
	for _, c := range conversions(t) {
		c.report(os.Stdout, false)
		if c.share() < minShare || c.user < 2000 {
			t.Errorf("%s: %d of %d records mapped; not mapped: %v", c.core.name, c.mapped, c.user, c.unmapped)
		}
	}
}

// TestResolve: names of uops.info and the forms that they are.
func TestResolve(t *testing.T) {
	for name, form := range map[string]string{
		"ADD_01 (R64, R64)":                   "ADD64rr",
		"ADD_LOCK (M32, R32)":                 "ADD32mr",
		"AND (R8h, I8)":                       "AND8ri",
		"MOVZX (R32, R8h)":                    "MOVZX32rr8",
		"LEA_B_IS_D8 (R64)":                   "LEA64r",
		"VADDPD (ZMM, ZMM, ZMM)":              "VADDPDZrr",
		"VADDPD (ZMM, K, ZMM, ZMM)":           "VADDPDZrrk",
		"VADDPD_Z (ZMM, K, ZMM, M512)":        "VADDPDZrmkz",
		"VADDPD_ER (ZMM, ZMM, ZMM)":           "VADDPDZrrb",
		"VADDPD (ZMM, ZMM, M64_1to8)":         "VADDPDZrmb",
		"VADDPD_EVEX (XMM, XMM, XMM)":         "VADDPDZ128rr",
		"KADDB (K, K, K)":                     "KADDBrr",
		"VPCMPUD (K, K, XMM, XMM, I8)":        "VPCMPUDZ128rrik",
		"VPGATHERDD (YMM, VSIB_YMM, YMM)":     "VPGATHERDDYrm",
		"VFMADD231PD (YMM, YMM, YMM)":         "VFMADD231PDYr",
		"SHL (R64, CL)":                       "SHL64rCL",
		"PUSH (R64)":                          "PUSH64r",
		"VCVTPH2PS (ZMM, K, YMM)":             "VCVTPH2PSZrrk",
		"IMUL_IMMB (R64, R64, I8)":            "IMUL64rri8",
		"CMPXCHG16B (M128)":                   "CMPXCHG16B",
		"VPERMI2B_Z (XMM, K, XMM, XMM)":       "VPERMI2BZ128rrkz",
		"VEXTRACTF128 (M128, YMM, I8)":        "VEXTRACTF128mr",
		"VPSCATTERQQ (VSIB_ZMM, K, ZMM)":      "VPSCATTERQQZmr",
		"VCVTTPD2UQQ_SAE (ZMM, K, ZMM)":       "VCVTTPD2UQQZrrbk",
		"VRNDSCALEPS_SAE_Z (ZMM, K, ZMM, I8)": "VRNDSCALEPSZrribkz",
	} {
		f, err := resolve(name)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if got := x86.ISA().Forms.Name(f.inst.Form); got != form && got+"_REV" != form {
			t.Errorf("%s is %s, want %s", name, got, form)
		}
	}
	for _, name := range []string{"MOV (AL, Moffs8)", "NOSUCH (R64)", "ADD (R64"} {
		if f, err := resolve(name); err == nil {
			t.Errorf("%s is %s", name, x86.ISA().Forms.Name(f.inst.Form))
		}
	}
}

func TestParseLatency(t *testing.T) {
	for s, want := range map[string]latRange{
		"":           {},
		"4":          {4, 4, false, false, true},
		"≤6":         {6, 6, true, true, true},
		"[1;≤8]":     {1, 8, false, true, true},
		"[≤13.0;15]": {13, 15, true, false, true},
	} {
		if got, err := parseLatency(s); err != nil || got != want {
			t.Errorf("%q: %+v, %v", s, got, err)
		}
	}
	for _, s := range []string{"x", "[1;]", "1;2;3"} {
		if got, err := parseLatency(s); err == nil {
			t.Errorf("%q: %+v", s, got)
		}
	}
}

func TestRegisterForm(t *testing.T) {
	for name, want := range map[string]string{
		"VADDPD (YMM, YMM, M256)":         "VADDPD (YMM, YMM, YMM)",
		"VADDPD (ZMM, K, ZMM, M64_1to8)":  "VADDPD (ZMM, K, ZMM, ZMM)",
		"ADDSD (XMM, M64)":                "ADDSD (XMM, XMM)",
		"ADD (R64, M64)":                  "ADD (R64, R64)",
		"ADD (R8l, M8)":                   "ADD (R8l, R8l)",
		"PSHUFB (MM, M64)":                "PSHUFB (MM, MM)",
		"VPERM2F128 (YMM, YMM, M256, I8)": "VPERM2F128 (YMM, YMM, YMM, I8)",
		"ADD (R64, R64)":                  "",
	} {
		if got := registerForm(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestAgrees: another core's latencies are taken only where the table's range has room for them.
func TestAgrees(t *testing.T) {
	pair := func(from string, c float64) pairInfo { return pairInfo{From: from, To: "REG0", Cycles: c} }
	for _, c := range []struct {
		r    latRange
		l    []pairInfo
		want bool
	}{
		{latRange{1, 1, false, false, true}, []pairInfo{pair("REG1", 1), pair("REG2", 1)}, true},
		{latRange{1, 3, false, false, true}, []pairInfo{pair("REG1", 1), pair("REG2", 3)}, true},
		{latRange{2, 3, false, false, true}, []pairInfo{pair("REG1", 2), pair("REG2", 2)}, false}, // does not reach the end
		{latRange{3, 3, false, false, true}, []pairInfo{pair("REG1", 1)}, false},
		{latRange{1, 8, false, true, true}, []pairInfo{pair("REG1", 4)}, true}, // a bound
		{latRange{}, []pairInfo{pair("REG1", 1)}, false},
		{latRange{4, 12, false, true, true}, []pairInfo{pair("REG1", 4), pair("MEM0", 1)}, true},
		{latRange{4, 12, false, true, true}, []pairInfo{pair("REG1", 3), pair("MEM0", 1)}, false},
	} {
		r := record{Range: c.r}
		if got := r.agrees(&record{Latencies: c.l}); got != c.want {
			t.Errorf("%+v, %+v: %v", c.r, c.l, got)
		}
	}
	// a divider's operand that the core passes by is the quick end of the range, which tells nothing of the others
	division := []pairInfo{pair("REG0", 35), pair("REG1", 32), pair("REG2", 5)}
	for r, want := range map[latRange]bool{{6, 89, false, false, true}: true, {6, 30, false, false, true}: false, {9, 89, false, false, true}: false} {
		if got := (&record{Range: r, Div: 21}).agrees(&record{Latencies: division}); got != want {
			t.Errorf("division %+v: %v", r, got)
		}
	}
}

// TestGroup: what uops.info found to be decoded beside a complex instruction, where the sum of slots does not tell.
func TestGroup(t *testing.T) {
	haswell, two := legacy("HSW", "", early), 2
	for _, c := range []struct {
		name string
		r    record
		want int
	}{
		{"bt", record{Complex: true, MITE: 1}, 1},
		{"setcc", record{Complex: true, MITE: 1, Simple: &two}, 3},
		{"cmovbe", record{Complex: true, MITE: 2, Simple: &two}, 0},
		{"add", record{MITE: 1}, 0},
		{"adc to memory", record{Complex: true, MITE: 4}, 0},
		{"microcode", record{Complex: true, MITE: 1, MS: 3}, 0},
	} {
		if got := haswell.group(&c.r); got != c.want {
			t.Errorf("%s: %d, want %d", c.name, got, c.want)
		}
	}
	if golden := goldenCove.group(&record{Complex: true, MITE: 1}); golden != 0 {
		t.Errorf("Golden Cove: %d", golden)
	}
}
