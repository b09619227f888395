package main

import (
	"encoding/hex"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// gram is a function that a program of cryptogams generates.
type gram struct {
	script   string // the program, and the file that it writes: the names choose the variant
	output   string
	function string
	inner    string    // the function with the inner loop, if it is another one
	passes   []float64 // of the inner loops, in the order of addresses, per pass of the outer loop; nil: the longest loop is all
	outer    bool      // the code of the outer loop counts, too
	bytes    float64   // per pass of the outer loop
	insts    int       // of the loop that is all, where it is not the longest
	slash    bool      // the figure of 32-bit code stands behind a slash
	note     string    // of the conversion
	column   int       // of the table in the program's head
	prose    map[string]string
	name     string
}

// gramCores are the cores of the heads' tables, and of the text in the heads of RISC-V's programs.
var (
	gramCores = []struct{ text, core, model string }{
		{"Cortex-A53", "cortex-a53", "cortex-a53"}, {"Cortex-A57", "cortex-a57", "cortex-a57"}, {"Cortex-A72", "cortex-a72", "cortex-a72"}, {"Cortex-A76", "cortex-a76", "cortex-a76"},
		{"Cortex-X2", "cortex-x2", "cortex-x2"}, {"Apple A14/M1", "apple-m1", "apple-m1"}, {"ThunderX2", "thunderx2", "thunderx2"},
	}
	gramBoards = []struct{ core, model, march string }{
		{"sifive-u74", "sifive-u74", "rv64gc"}, {"jh7110", "jh7110", "rv64gc_zba_zbb"}, {"xuantie-c910", "xuantie-c910", "rv64gc"}, {"spacemit-x60", "spacemit-x60", "rv64gc_zba_zbb"},
	}
)

var grams = []gram{
	{script: "arm/chacha-armv8.pl", output: "chacha.S", function: "ChaCha20_ctr32", passes: []float64{10}, outer: true, bytes: 64, column: 0, name: "chacha20_ialu"},
	{script: "arm/chacha-armv8.pl", output: "chacha.S", function: "ChaCha20_neon", passes: []float64{10}, outer: true, bytes: 320, column: 1, name: "chacha20_4neon_1ialu"},
	{script: "arm/chacha-armv8.pl", output: "chacha.S", function: "ChaCha20_512_neon", passes: []float64{5, 5}, outer: true, bytes: 512, column: 2, name: "chacha20_6neon_2ialu"},
	{script: "arm/sha1-armv8.pl", output: "sha1.S", function: "sha1_block_armv8", bytes: 64, column: 0, name: "sha1_hw"},
	{script: "arm/sha1-armv8.pl", output: "sha1.S", function: "sha1_block_data_order", bytes: 64, column: 1, name: "sha1"},
	{script: "arm/sha512-armv8.pl", output: "sha256.S", function: "sha256_block_armv8", bytes: 64, column: 0, name: "sha256_hw"},
	{script: "arm/sha512-armv8.pl", output: "sha256.S", function: "sha256_block_data_order", passes: []float64{3}, outer: true, bytes: 64, column: 1, name: "sha256"},
	{script: "arm/sha512-armv8.pl", output: "sha512.S", function: "sha512_block_data_order", passes: []float64{4}, outer: true, bytes: 128, column: 2, name: "sha512"},
	{script: "arm/poly1305-armv8.pl", output: "poly1305.S", function: "poly1305_blocks", bytes: 16, column: 0, name: "poly1305"},
	{script: "arm/poly1305-armv8.pl", output: "poly1305.S", function: "poly1305_blocks_neon", bytes: 64, column: 1, name: "poly1305_neon"},
	{script: "arm/keccak1600-armv8.pl", output: "keccak1600.S", function: "KeccakF1600_int", passes: []float64{24}, bytes: 136, note: "without the absorption of 17 words", column: 0, name: "keccak"},
	{script: "arm/aesv8-armx.pl", output: "aes.S", function: "aes_v8_cbc_encrypt", insts: 26, bytes: 16, slash: true, column: 0, name: "aes128_cbc_enc"},
	{script: "arm/ghashv8-armx.pl", output: "ghash.S", function: "gcm_ghash_v8_4x", bytes: 64, column: 0, name: "ghash"},
	{script: "riscv/chacha-riscv.pl", output: "chacha.S", function: "ChaCha20_ctr32", inner: "__ChaCha", passes: []float64{10}, outer: true, bytes: 64, name: "chacha20",
		prose: map[string]string{"sifive-u74": `([\d.]+) cycles per byte on U74`, "xuantie-c910": `C910 processes one byte in ([\d.]+)`, "jh7110": `JH7110 \(U74\+zbb\) - in ([\d.]+)`, "spacemit-x60": `Spacemit X60 - in ([\d.]+)`}},
	{script: "riscv/keccak1600-riscv.pl", output: "keccak1600.S", function: "__KeccakF1600", passes: []float64{24}, bytes: 136, note: "without the absorption of 17 words", name: "keccak",
		prose: map[string]string{"sifive-u74": `([\d.]+) cycles per byte processed with SHA3-256 on U74`, "jh7110": `extra 35%, ([\d.]+) cbp on JH7110`, "xuantie-c910": `([\d.]+) cpb on C910`, "spacemit-x60": `([\d.]+) cbp on Spacemit X60`}},
	{script: "riscv/poly1305-riscv.pl", output: "poly1305.S", function: "poly1305_blocks", bytes: 16, name: "poly1305",
		prose: map[string]string{"sifive-u74": `([\d.]+) cycles per byte on U74`, "xuantie-c910": `([\d.]+) cpb on C910`, "spacemit-x60": `([\d.]+) on Spacemit X60`}},
	{script: "riscv/sha512-riscv.pl", output: "sha256.S", function: "sha256_block_data_order", passes: []float64{3}, outer: true, bytes: 64, name: "sha256",
		prose: map[string]string{"sifive-u74": `U74 spends ([\d.]+)/`, "xuantie-c910": `C910 - ([\d.]+)/`, "jh7110": `\(U74\+zbb\) - ([\d.]+)/`, "spacemit-x60": `Spacemit X60 - ([\d.]+)/`}},
	{script: "riscv/sha512-riscv.pl", output: "sha512.S", function: "sha512_block_data_order", passes: []float64{4}, outer: true, bytes: 128, name: "sha512",
		prose: map[string]string{"sifive-u74": `U74 spends [\d.]+/([\d.]+)`, "xuantie-c910": `C910 - [\d.]+/([\d.]+)`, "jh7110": `\(U74\+zbb\) - [\d.]+/([\d.]+)`, "spacemit-x60": `Spacemit X60 - [\d.]+/([\d.]+)`}},
}

// cryptogams reads cycles per byte, generates the functions, and takes their loops.
func cryptogams(o *options, dir string) ([]*kernel, error) {
	r, err := openRepo(o.cryptogams)
	if err != nil {
		return nil, err
	}
	if err := r.extract(dir, "arm", "riscv"); err != nil {
		return nil, err
	}
	var list []*kernel
	for i := range grams {
		g := &grams[i]
		head, err := r.read(g.script)
		if err != nil {
			return nil, err
		}
		add := func(core, model, march, figure string) {
			k, err := g.build(dir, march)
			if err != nil {
				fmt.Fprintf(os.Stderr, "published: %s on %s: %v\n", g.name, core, err)
				return
			}
			cycles, err := strconv.ParseFloat(figure, 64)
			if err != nil {
				return
			}
			k.Set, k.Core, k.Arch, k.Kernel = "cryptogams", core, model, g.name
			k.File, k.Commit, k.Licence = "dot-asm/cryptogams "+g.script, r.commit[:12], "GPL-1.0+ or BSD-3-Clause, or CRYPTOGAMS"
			k.Published = figure + " cycles per byte of large input"
			k.Conversion = strings.TrimSpace(fmt.Sprintf("times %g bytes: %s %s", g.bytes, g.unit(), g.note))
			k.Cycles = cycles * g.bytes
			list = append(list, k)
		}
		for _, c := range gramCores {
			if figure := tableCell(head, c.text, g.column, g.slash); g.prose == nil && figure != "" {
				add(c.core, c.model, "armv8.2-a+crypto+sha3", figure)
			}
		}
		text := strings.ReplaceAll(head, "\n# ", " ")
		for _, c := range gramBoards {
			if g.prose[c.core] == "" {
				continue
			}
			if m := regexp.MustCompile(g.prose[c.core]).FindStringSubmatch(text); m != nil {
				add(c.core, c.model, c.march, m[1])
			}
		}
	}
	return list, nil
}

// unit describes what the figure is converted to.
func (g *gram) unit() string {
	if g.passes == nil {
		return "a pass of the loop"
	}
	var p []string
	for _, n := range g.passes {
		p = append(p, fmt.Sprintf("%g", n))
	}
	s := strings.Join(p, " and ") + " passes of the inner loop"
	if g.outer {
		s += " and the code around them"
	}
	return s
}

var gramCell = regexp.MustCompile(`^([\d.]+)(/[+-]?\d+%)?( \([+-]\d+%.*\))?(\(\*+\)| \(\*+\))?$`)

// tableCell returns the figure of a core in a column of the table in a program's head; "" where it has none, or one of other code.
func tableCell(head, core string, column int, slash bool) string {
	for _, l := range strings.Split(head, "\n") {
		rest, ok := strings.CutPrefix(l, "# "+core)
		if !ok || rest == "" || rest[0] != '\t' {
			continue
		}
		cells := strings.FieldsFunc(rest, func(r rune) bool { return r == '\t' })
		if column >= len(cells) {
			return ""
		}
		cell := strings.TrimSpace(cells[column])
		if slash {
			cell, _, _ = strings.Cut(cell, "/")
		}
		if m := gramCell.FindStringSubmatch(cell); m != nil && !(strings.Contains(cell, "(**)") && !strings.Contains(cell, "%")) {
			return m[1]
		}
		return ""
	}
	return ""
}

// build generates and assembles the function and takes its loops.
func (g *gram) build(dir, march string) (*kernel, error) {
	out := filepath.Join(dir, march+"-"+g.output)
	arm := strings.HasPrefix(g.script, "arm/")
	perl := exec.Command("perl", filepath.Base(g.script), "linux64", out)
	perl.Dir = filepath.Join(dir, filepath.Dir(g.script))
	text, err := perl.Output()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", g.script, err)
	}
	if _, err := os.Stat(out); err != nil { // it prints the assembly
		if err := os.WriteFile(out, text, 0o644); err != nil {
			return nil, err
		}
	}
	obj := strings.TrimSuffix(out, ".S") + ".o"
	as := []string{"aarch64-linux-gnu-gcc", "-c", "-march=" + march, "-I.", "-o", obj, out}
	if !arm {
		as = []string{"riscv64-linux-gnu-gcc", "-c", "-mno-relax", "-mabi=lp64d", "-march=" + march, "-o", obj, out}
	}
	if err := compile(filepath.Join(dir, filepath.Dir(g.script)), as...); err != nil {
		return nil, err
	}
	f, err := object.Open(obj, catalog.ISAs()...)
	if err != nil {
		return nil, err
	}
	if g.passes == nil {
		return hotLoop(f, g.function, g.insts)
	}
	return g.nested(f)
}

// nested makes the parts of an outer loop with inner loops.
func (g *gram) nested(f *object.File) (*kernel, error) {
	name := g.function
	if g.inner != "" {
		name = g.inner
	}
	fn, around := f.Function(name), f.Function(g.function)
	if fn == nil || around == nil {
		return nil, fmt.Errorf("no function %s or %s", name, g.function)
	}
	const least = 20 // instructions of a loop that is not the tail of something
	k := &kernel{}
	inner := map[uint64]bool{}
	loops := f.Loops(fn)
	parent := -1
	for _, l := range loops {
		if !l.Innermost || l.Insts < least || len(k.parts) == len(g.passes) || g.outer && g.inner == "" && l.Depth < 2 {
			continue
		}
		body, err := l.Kernel(object.KernelOptions{})
		if err != nil {
			return nil, err
		}
		for i := range body.Lines {
			inner[body.Lines[i].Addr] = true
		}
		if len(k.parts) == 0 {
			lo, hi := l.Range()
			k.hex, parent = hex.EncodeToString(f.Bytes(lo, int(hi-lo))), l.Parent
		}
		k.parts = append(k.parts, part{kernel: body, times: g.passes[len(k.parts)]})
	}
	if len(k.parts) != len(g.passes) {
		return nil, fmt.Errorf("%s has %d inner loops, not %d", name, len(k.parts), len(g.passes))
	}
	k.hex = "" // of a part of what was measured
	if !g.outer {
		return k, nil
	}
	var outer *object.Loop
	if g.inner == "" && parent >= 0 {
		outer = loops[parent]
	} else if g.inner != "" {
		for _, l := range f.Loops(around) {
			if l.Insts >= 2*least && (outer == nil || l.Insts < outer.Insts) { // the one for aligned data is shorter
				outer = l
			}
		}
	}
	if outer == nil {
		return nil, fmt.Errorf("%s has no outer loop", g.function)
	}
	body, err := outer.Kernel(object.KernelOptions{})
	if err != nil {
		return nil, err
	}
	rest := *body
	rest.Loop, rest.Latch, rest.Path, rest.Lines = false, false, false, nil
	for _, l := range body.Lines {
		if !inner[l.Addr] && f.ISA.Flow(&l.Inst).Kind == isa.FlowNext {
			rest.Lines = append(rest.Lines, l)
		}
	}
	k.parts = append(k.parts, part{kernel: &rest, straight: true, times: 1})
	return k, nil
}
