// Command mkmodels turns foreign machine descriptions into incore's model files.
//
// Usage:
//
//	go run ./tools/mkmodels -in DIR [-model ThunderX2T99Model]    LLVM's scheduling models
//	go run ./tools/mkmodels -in DIR -tables DIR19 -model NAME     a model of a newer LLVM, by the forms of the one that incore's tables are made from
//	go run ./tools/mkmodels -in DIR -winic FILE.yaml[.gz] -over llvm/NeoverseV2Model -name NAME
//	go run ./tools/mkmodels -in DIR -extensions                   which processors have what instructions need (models/llvm/extensions.txt)
//
// DIR holds sched-T-MODEL.json and forms-T.json for T in X86, AArch64, RISCV (or the
// same with .xz appended, read through xz(1)), extracted from LLVM's TableGen. The
// results go to internal/machine/models/llvm; never edit them by hand: the models
// based on them (internal/machine/models/*.model) correct their errors.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

const outDir = "internal/machine/models/llvm"

func main() {
	in := flag.String("in", "", "folder of the extracted JSON files")
	only := flag.String("model", "", "do only this LLVM model")
	tables := flag.String("tables", "", "folder of the files that incore's own tables were made from, where DIR is of another version of LLVM")
	winic := flag.String("winic", "", "WINIC measurement file")
	over := flag.String("over", "", "model that the WINIC figures correct")
	name := flag.String("name", "", "name of the model made from WINIC figures")
	exts := flag.Bool("extensions", false, "which processors have what instructions need")
	flag.Parse()
	var err error
	switch {
	case *in != "" && *exts:
		err = extensions(*in)
	case *in != "" && *winic != "" && *over != "" && *name != "":
		err = convertWINIC(*in, *winic, *over, *name)
	case *in != "":
		err = convertLLVM(*in, *only, *tables)
	default:
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mkmodels:", err)
		os.Exit(1)
	}
}

// isaNames maps LLVM's targets to ours.
var isaNames = map[string]string{"X86": "x86-64", "AArch64": "aarch64", "RISCV": "riscv64"}

func convertLLVM(dir, only, tables string) error {
	if err := os.MkdirAll(outDir, 0o755); err != nil {
		return err
	}
	for _, target := range []string{"X86", "AArch64", "RISCV"} {
		if paths, _ := filepath.Glob(filepath.Join(dir, "sched-"+target+"-"+only+"*")); only != "" && len(paths) == 0 {
			continue
		}
		var fs formSource
		if err := readJSON(filepath.Join(dir, "forms-"+target+".json"), &fs); err != nil {
			return err
		}
		if tables != "" {
			var own formSource
			if err := readJSON(filepath.Join(tables, "forms-"+target+".json"), &own); err != nil {
				return err
			}
			if left := fs.under(&own); len(left) > 0 {
				fmt.Printf("%s: left out, as their operands differ: %s\n", target, strings.Join(left, " "))
			}
		}
		paths, err := filepath.Glob(filepath.Join(dir, "sched-"+target+"-*.json*"))
		if err != nil {
			return err
		}
		sort.Strings(paths)
		for _, p := range paths {
			var s sched
			p = strings.TrimSuffix(p, ".xz")
			if only != "" && !strings.HasSuffix(p, "-"+only+".json") {
				continue
			}
			if err := readJSON(p, &s); err != nil {
				return err
			}
			text, err := convert(&s, &fs)
			if err != nil {
				return fmt.Errorf("%s: %w", s.Model, err)
			}
			out := filepath.Join(outDir, s.Model+".model")
			if v := madeFrom(out); only == "" && v > major(s.LLVM) {
				fmt.Printf("%s: kept, as it is from LLVM %d (-model %s makes it from %s)\n", out, v, s.Model, s.LLVM)
				continue
			}
			if err := os.WriteFile(out, []byte(text), 0o644); err != nil {
				return err
			}
			fmt.Printf("%s: %d bytes, %d rows\n", out, len(text), strings.Count(text, " | ")/2)
		}
	}
	return nil
}

// madeFrom returns the version of LLVM from which a model file was made, 0 if it names none.
func madeFrom(file string) int {
	text, err := os.ReadFile(file)
	if err != nil {
		return 0
	}
	_, version, _ := strings.Cut(string(text[:min(len(text), 200)]), madeBy)
	return major(version)
}

// madeBy is the text before the version of LLVM in a model file's first line.
const madeBy = "# Made by tools/mkmodels from LLVM "

// major returns the first number of a version, "22.1.8" or longer.
func major(version string) int {
	n, _, _ := strings.Cut(version, ".")
	v, _ := strconv.Atoi(n)
	return v
}

// readJSON reads path, or path.xz through xz(1).
func readJSON(path string, dst any) error {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		b, err = exec.Command("xz", "-dc", path+".xz").Output()
	}
	if err != nil {
		return fmt.Errorf("reading %s: %w", path, err)
	}
	if err := json.Unmarshal(b, dst); err != nil {
		return fmt.Errorf("parsing %s: %w", path, err)
	}
	return nil
}
