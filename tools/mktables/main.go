// Command mktables turns LLVM's instruction tables, extracted from TableGen as
// JSON, into the compact blobs that the ISA packages embed.
//
// Usage:
//
//	go run ./tools/mktables -in DIR [-target X86]...
//
// DIR holds forms-T.json, match-T.json, regs-T.json, aliases-T.json and
// encodings-T.json for T in X86, AArch64, RISCV (or the same with .xz appended,
// read through xz(1)). The blobs are written to internal/isa/{x86,aarch64,riscv}/tables.bin.
// They are committed; nothing of LLVM is needed to build or run incore.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"incore/internal/base/blob"
)

var targets = []struct{ llvm, dir string }{{"X86", "x86"}, {"AArch64", "aarch64"}, {"RISCV", "riscv"}}

func main() {
	in := flag.String("in", "", "folder of the extracted JSON files")
	only := flag.String("target", "", "do only this LLVM target")
	flag.Parse()
	if *in == "" {
		flag.Usage()
		os.Exit(2)
	}
	for _, t := range targets {
		if *only != "" && *only != t.llvm {
			continue
		}
		out := filepath.Join("internal", "isa", t.dir, "tables.bin")
		n, err := make1(*in, t.llvm, out)
		if err != nil {
			fmt.Fprintf(os.Stderr, "mktables: %s: %v\n", t.llvm, err)
			os.Exit(1)
		}
		fmt.Printf("%s: %d bytes\n", out, n)
	}
}

func make1(in, target, out string) (int, error) {
	var src source
	for _, f := range []struct {
		name string
		dst  any
	}{{"forms", &src.forms}, {"match", &src.match}, {"regs", &src.regs}, {"aliases", &src.aliases}, {"encodings", &src.enc}} {
		if err := readJSON(filepath.Join(in, f.name+"-"+target+".json"), f.dst); err != nil {
			return 0, err
		}
	}
	var w blob.Writer
	w.Strings("llvm.version", []string{src.forms.LLVM})
	b := builder{src: &src, w: &w, target: target}
	b.registers()
	b.formTable()
	b.matchTable()
	b.encodings()
	if b.err != nil {
		return 0, b.err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return 0, err
	}
	data := w.Bytes()
	return len(data), os.WriteFile(out, data, 0o644)
}

// readJSON decodes path, or path.xz through xz(1).
func readJSON(path string, dst any) error {
	f, err := os.Open(path)
	if err == nil {
		defer f.Close()
		return decode(f, path, dst)
	}
	cmd := exec.Command("xz", "-dc", path+".xz")
	pipe, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("run xz (package xz-utils): %w", err)
	}
	err = decode(pipe, path+".xz", dst)
	if werr := cmd.Wait(); err == nil {
		err = werr
	}
	return err
}

func decode(r io.Reader, path string, dst any) error {
	if err := json.NewDecoder(r).Decode(dst); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// builder fills one target's blob.
type builder struct {
	src    *source
	w      *blob.Writer
	target string
	err    error
	regID  map[string]uint16 // LLVM register name → Reg
	formID map[string]uint16
	byOp   map[int]uint16 // LLVM opcode number → FormID
}

func (b *builder) fail(format string, a ...any) {
	if b.err == nil {
		b.err = fmt.Errorf(format, a...)
	}
}

// reg returns the number of a register named in the tables.
func (b *builder) reg(name string) uint16 {
	if i, ok := b.regID[name]; ok {
		return i
	}
	b.fail("unknown register %q", name)
	return 0
}

// intern numbers distinct values in order of appearance.
type intern[T comparable] struct {
	id   map[T]uint16
	list []T
}

func (t *intern[T]) of(v T) uint16 {
	if i, ok := t.id[v]; ok {
		return i
	}
	if t.id == nil {
		t.id = map[T]uint16{}
	}
	i := uint16(len(t.list))
	t.id[v] = i
	t.list = append(t.list, v)
	return i
}

// key makes a comparable value of a list.
func key(l []uint16) string { return fmt.Sprint(l) }

// unmangle undoes tblgen's identifier escapes in the names of conversion steps
// ("95_addImmScaledOperands_LT_4_GT_" is addImmScaledOperands<4>).
func unmangle(s string) string {
	s = strings.TrimPrefix(s, "95_")
	return strings.NewReplacer("_LT_", "<", "_GT_", ">", "_COLON_", ":", "_44_", ",", "_32_", " ", "_95_", "_").Replace(s)
}
