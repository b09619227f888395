package analyze

import (
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// TestProfileOfOthers: a profile names the files that its samples are of; samples elsewhere do not count for a program, even for functions of the same name.
func TestProfileOfOthers(t *testing.T) {
	sample := func(object string, n int) string {
		return strings.Repeat("p 1 1.1: 1 cycles:u: 1001 code+0x1 ("+object+")\n", n)
	}
	grind := func(object string) string {
		return "# callgrind format\npositions: instr\nevents: Ir\nob=(1) " + object + "\nfn=(1) code\n0x1001 9\n"
	}
	for _, c := range []struct {
		name, text, format string
		share              float64
		note               string
	}{
		{"this program", sample("/usr/bin/gzip", 4), "ELF executable", 1, ""},
		{"a deleted program", sample("/usr/bin/gzip (deleted)", 4), "ELF executable", 1, ""},
		{"half elsewhere", sample("/usr/bin/gzip", 2) + sample("/lib/libc.so.6", 2), "ELF executable", 0.5, ""},
		{"another program", sample("/usr/bin/xz", 4), "ELF executable", 0, "the profile (perf script) is of xz, not of this file"},
		{"others, the most costly first", sample("/usr/bin/xz", 1) + sample("/lib/libc.so.6", 3) + sample("[kernel.kallsyms]", 9), "ELF executable", 0, "is of libc.so.6, xz, not"},
		{"an object file that was linked", sample("/usr/bin/xz", 4), "ELF relocatable", 1, ""},
		{"callgrind, this program", grind("/tmp/gzip"), "ELF executable", 1, ""},
		{"callgrind, another", grind("/tmp/xz"), "ELF executable", 0, "the profile (callgrind) is of xz, not of this file"},
	} {
		f, err := object.Raw([]byte{0x48, 0xff, 0xc8, 0x75, 0xfb, 0xc3}, 0x1000, catalog.ISA("x86-64")) // decq %rax; jne; ret
		if err != nil {
			t.Fatal(err)
		}
		f.Path, f.Format = filepath.Join(t.TempDir(), "gzip"), c.format
		p, err := ReadProfile(strings.NewReader(c.text))
		if err != nil {
			t.Fatal(err)
		}
		list, err := Loops(f, LoopOptions{Profile: p})
		if err != nil {
			t.Fatal(err)
		}
		if used := c.share > 0; used != (list.Order == "profile") {
			t.Errorf("%s: the order is %q", c.name, list.Order)
		}
		note := ""
		for _, d := range list.Diagnostics {
			note += d.Message
		}
		if list.Loops[0].Share != c.share || !strings.Contains(note, c.note) || c.note == "" && note != "" {
			t.Errorf("%s: share %v, note %q; want %v, %q", c.name, list.Loops[0].Share, note, c.share, c.note)
		}
	}
}
