// Command llvmextract extracts instruction forms, assembly-matcher tables,
// encodings and scheduling models from LLVM's TableGen descriptions into the
// JSON files that tools/mktables and tools/mkmodels read. It needs LLVM's sources
// and the llvm-tblgen of the same version; nothing of LLVM is built.
//
// From the sources to incore's tables, with LLVM 19 as Debian 12 has it (of LLVM 22
// scheduling models of AArch64 and RISC-V were taken: docs/llvm-tables.md):
//
//	apt-get install llvm-19                              # llvm-tblgen-19
//	apt-get source --download-only llvm-toolchain-19     # needs a deb-src entry for apt
//	tar xf llvm-toolchain-19_*.orig.tar.xz --wildcards --strip-components=1 '*/llvm/include/*' \
//	    '*/llvm/lib/Target/X86/*' '*/llvm/lib/Target/AArch64/*' '*/llvm/lib/Target/RISCV/*'
//	go run ./tools/llvmextract -src . -work WORK -out OUT -tblgen llvm-tblgen-19
//	go run ./tools/mktables -in OUT
//	go run ./tools/mkmodels -in OUT
//
// Two folders of extracted files, of two versions of LLVM or of this program, are compared with
//
//	go run ./tools/llvmextract -compare OLD NEW
//
// Where each fact comes from:
//
//	operand names and classes, asm strings, aliases, predicates, encodings   --dump-json
//	flags with those inferred from patterns, implicit registers, tied
//	operands, the scheduling class of each opcode                            -gen-instr-info
//	scheduling tables, with SchedRW, InstRW, SchedAlias, WriteSequence and
//	variants resolved                                                        -gen-subtarget
//	registers, sub-registers, register units, register classes               -gen-register-info
//	(mnemonic, operand kinds) → opcode and how to build its operands         -gen-asm-matcher
//
// TableGen runs one at a time: the RISC-V dump alone needs 7.4 GiB of memory. All
// takes about three minutes. README.md describes the files and their fields.
package main

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// licence of the extracted figures.
const licence = "Apache-2.0 WITH LLVM-exception"

var targets = []string{"X86", "AArch64", "RISCV"}

func main() {
	src := flag.String("src", "", "LLVM's source tree (with llvm/include and llvm/lib/Target)")
	work := flag.String("work", "", "folder for llvm-tblgen's output; what is there already is used")
	out := flag.String("out", "", "folder to write the JSON files to")
	tblgen := flag.String("tblgen", "llvm-tblgen", "the llvm-tblgen of the sources' version")
	version := flag.String("version", "", "LLVM's version; asked of llvm-tblgen if empty")
	only := flag.String("targets", strings.Join(targets, ","), "targets to extract")
	comparing := flag.Bool("compare", false, "compare the two folders given as arguments")
	flag.Parse()
	var err error
	switch {
	case *comparing && flag.NArg() == 2:
		err = compare(flag.Arg(0), flag.Arg(1))
	case *comparing || *work == "" || *out == "" || flag.NArg() > 0:
		flag.Usage()
		os.Exit(2)
	default:
		err = (&extraction{src: *src, work: *work, out: *out, tblgen: *tblgen, version: *version}).run(strings.Split(*only, ","))
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "llvmextract:", err)
		os.Exit(1)
	}
}

// extraction holds the source, work and output folders, the program and the version of an extraction: the flags
// of these names.
type extraction struct{ src, work, out, tblgen, version string }

func (x *extraction) run(only []string) error {
	for _, dir := range []string{x.work, x.out} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return err
		}
	}
	if x.version == "" {
		text, err := exec.Command(x.tblgen, "--version").Output()
		m := regexp.MustCompile(`LLVM version ([0-9.]+)`).FindSubmatch(text)
		if err != nil || m == nil {
			return fmt.Errorf("cannot learn the version of %s (give -version): %v", x.tblgen, err)
		}
		x.version = string(m[1])
	}
	for _, t := range only {
		if !slices.Contains(targets, t) {
			return fmt.Errorf("unknown target %q (one of %s)", t, strings.Join(targets, ", "))
		}
		if err := x.generate(t); err != nil {
			return err
		}
		if err := extract(x.work, x.out, x.version, t); err != nil {
			return fmt.Errorf("%s: %w", t, err)
		}
	}
	return nil
}

// backends are the llvm-tblgen backends whose output is read, in addition to --dump-json.
var backends = []string{"subtarget", "instr-info", "register-info", "asm-matcher"}

// generate runs llvm-tblgen for the outputs that are missing in the work folder.
func (x *extraction) generate(target string) error {
	if err := x.backend(target, "--dump-json", target+".json"); err != nil {
		return err
	}
	for _, b := range backends {
		if err := x.backend(target, "-gen-"+b, target+"."+b+".inc"); err != nil {
			return err
		}
	}
	return nil
}

// backend runs llvm-tblgen with the option that selects an output, unless the output exists.
func (x *extraction) backend(target, option, name string) error {
	path := filepath.Join(x.work, name)
	if _, err := os.Stat(path); err == nil {
		return nil
	}
	if x.src == "" {
		return fmt.Errorf("%s is missing and no -src is given to make it from", path)
	}
	td := filepath.Join(x.src, "llvm", "lib", "Target", target)
	fmt.Printf("%s %s\n", target, option)
	cmd := exec.Command(x.tblgen, "-I", filepath.Join(x.src, "llvm", "include"), "-I", td, filepath.Join(td, target+".td"), option, "-o", path+".part")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("%s %s: %w", x.tblgen, option, err)
	}
	return os.Rename(path+".part", path)
}

// tables holds all data of one target.
type tables struct {
	target  string
	dump    *dump
	regs    *registers
	insts   *instrs
	sched   *subtarget
	matcher *matcher
}

func extract(work, out, version, target string) error {
	t := &tables{target: target}
	var err error
	if t.dump, err = readDump(filepath.Join(work, target+".json"), target); err != nil {
		return err
	}
	for _, part := range []struct {
		backend string
		read    func(text string) error
	}{
		{"register-info", func(s string) (err error) { t.regs, err = readRegisters(target, s); return }},
		{"instr-info", func(s string) (err error) { t.insts, err = readInstrs(target, s); return }},
		{"subtarget", func(s string) (err error) { t.sched, err = readSubtarget(target, s); return }},
		{"asm-matcher", func(s string) (err error) { t.matcher, err = readMatcher(target, s); return }},
	} {
		text, err := readGenerated(work, target+"."+part.backend+".inc")
		if err != nil {
			return err
		}
		if err := part.read(text); err != nil {
			return fmt.Errorf("-gen-%s: %w", part.backend, err)
		}
	}
	w := &writer{dir: out, target: target, version: version}
	t.writeForms(w)
	t.writeAliases(w)
	t.writeRegs(w)
	t.writeMatch(w)
	t.writeCPUs(w)
	t.writeEncodings(w)
	t.writeModels(w)
	return w.err
}

var include = regexp.MustCompile(`(?m)^#include "([^"]+)"\n`)

// readGenerated reads a generated file, including the files that it includes from the same folder: since LLVM 21 -gen-register-info
// writes several.
func readGenerated(dir, name string) (string, error) {
	text, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		return "", err
	}
	return include.ReplaceAllStringFunc(string(text), func(line string) string {
		part, err := os.ReadFile(filepath.Join(dir, include.FindStringSubmatch(line)[1]))
		if err != nil {
			return line // an include of LLVM's own
		}
		return string(part)
	}), nil
}
