package cli

import (
	"bytes"
	"encoding/json"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// documented are the parts of docs/json.md and docs/json-commands.md, each with calls whose output it describes. What such a part has in backticks is a field or a value of one.
var documented = []struct {
	from, to string   // headings
	calls    []string // FILE.o is an object file with debugging information
	not      string   // what is in backticks there and in no output here, separated by bars: of other documents, or hard to provoke
}{
	{"# JSON output", "## Other documents", append([]string{
		"analyze --arch icelake-server --timeline --sensitivity --iterations 12 internal/cli/testdata/agree/memory.s",
		"analyze --arch skl --timeline=4 --alias rdi=rsi examples/gauss_seidel.gcc-skx.s",
		"analyze --arch cortex-a53 --timeline examples/lu.gcc-tx2.s",
		"analyze --arch neoverse-v2 --policy uniform examples/spmv.clang-v2.s",
		"analyze --arch neoverse-v1 examples/stencil27.clang-v2.s",
		"analyze --arch neoverse-v1 internal/cli/testdata/agree/sve.s",
		"analyze --arch skl --all-kernels --timeline FILE.o",
		"analyze --arch emeraldrapids examples/matvec.clang-zen4.s",
		"analyze --arch haswell internal/cli/testdata/agree/idioms.s",
		"analyze --arch zen4 internal/cli/testdata/agree/many.s",
		"analyze --arch haswell --timeline internal/cli/testdata/agree/intel.s",
		"analyze --arch neoverse-v1 internal/cli/testdata/agree/kinds.aarch64.s",
		"analyze --arch skl --timeline internal/cli/testdata/agree/stores.s",
		"analyze --arch zen3 examples/triad.gcc-zen.s",
		"analyze --arch neoverse-n2 examples/horner.gcc-n2.s",
	}, analyzing(agreeCalls)...), "null|li|adrl|error|col|expressions|stack pointer|older stores|compiler|member|incore analyze --format json" +
		"|unexplained|none|align-loop|sink-store|behind|false-dependency|other-instruction|hoist|product|minimum|maximum|and|or|xor|unmasked|fits-32|not-zero|upper-bits|upper-lanes|front|vector-bytes"},
	{"## Other documents", "## Dependences: `incore deps --format json`", []string{"explain 'addsd (%rax),%xmm0' --arch skl,zen4", "explain 'rep movsb' --arch zen4", "explain 'shlx %rax, %rbx, %rcx' --arch emeraldrapids", "explain 'vaddpd %ymm0, %ymm1, %ymm2' --arch emeraldrapids", "archs", "archs zen4"}, "incore explain --format json|incore archs --format json"},
	{"## Dependences: `incore deps --format json`", "## Loops: `incore loops --format json`",
		[]string{"deps examples/histogram.gcc-zen.s", "deps --may --war --waw internal/cli/testdata/agree/memory.s", "deps --may internal/cli/testdata/agree/intel.s", "deps FILE.o"}, ""},
	{"## Loops: `incore loops --format json`", "## A function: `incore annotate --format json`", []string{"loops FILE.o"}, "analyze --loop|incore predict|incore analyze|diagnostics"},
	{"## A function: `incore annotate --format json`", "## Running programs: `incore deps --dynamic --format json`", []string{"annotate --function lu FILE.o"}, "profile|share|unknown|incore annotate --format json|why"},
}

func analyzing(calls []string) (out []string) {
	for _, c := range calls {
		out = append(out, "analyze "+c)
	}
	return out
}

// fields collects the names of a document's fields and their values, but for the names of ports.
type fields struct{ names, values, top map[string]bool }

func (f *fields) collect(v any) {
	switch v := v.(type) {
	case map[string]any:
		for k, x := range v {
			f.names[k] = true
			if _, byName := x.(map[string]any); !byName || k != "ports" && k != "about" { // objects whose fields are ports
				f.collect(x)
			}
		}
	case []any:
		for _, x := range v {
			f.collect(x)
		}
	case string:
		f.values[v] = true
	}
}

// generated is what another test holds to the types.
var generated = regexp.MustCompile("(?s)<!-- generated.*?<!-- end -->")

var codeSpan = regexp.MustCompile("`([^`]+)`")
var fieldName = regexp.MustCompile(`[a-z][a-z0-9_]*`)

// TestFieldsDocumented holds docs/json.md and docs/json-commands.md against what is written: each field is documented, and what is documented is there.
func TestFieldsDocumented(t *testing.T) {
	t.Chdir("../..")
	var text []byte
	for _, name := range []string{"docs/json.md", "docs/json-commands.md"} {
		part, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		kinds, err := os.ReadFile("internal/report/kinds.md") // a part of the page, beside the constants that it is made of
		if err != nil {
			t.Fatal(err)
		}
		text = append(text, bytes.Replace(part, []byte("[kinds.md](../internal/report/kinds.md)"), kinds, 1)...)
	}
	object := ""
	if cc, err := exec.LookPath("gcc"); err == nil && runtime.GOARCH == "amd64" {
		object = filepath.Join(t.TempDir(), "lu.o")
		if out, err := exec.Command(cc, "-O2", "-g", "-c", "-o", object, "examples/lu.c").CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
	}
	common := map[string]bool{} // of the first part, to which the others refer
	for _, part := range documented {
		_, doc, _ := strings.Cut(string(text), part.from)
		doc, _, _ = strings.Cut(doc, "\n"+part.to+"\n")
		f := fields{map[string]bool{}, map[string]bool{}, map[string]bool{}}
		whole := true
		for _, call := range part.calls {
			if strings.Contains(call, "FILE.o") && object == "" {
				whole = false
				continue
			}
			var out, errs bytes.Buffer
			args := append([]string{"incore"}, words(strings.ReplaceAll(call, "FILE.o", object))...)
			if code := Main(append(args, "--format", "json"), strings.NewReader(""), &out, &errs); code != status(call) {
				t.Fatalf("%s: status %d, %s", call, code, errs.String())
			}
			var v any
			if err := json.Unmarshal(out.Bytes(), &v); err != nil {
				t.Fatal(err)
			}
			f.collect(v)
			if list, ok := v.([]any); ok {
				v = list[0]
			}
			for name := range v.(map[string]any) {
				f.top[name] = true
			}
		}
		known := map[string]bool{}
		maps.Copy(known, common)
		for _, span := range codeSpan.FindAllStringSubmatch(doc, -1) {
			for _, w := range fieldName.FindAllString(span[1], -1) {
				known[w] = true
			}
		}
		if part.from == documented[0].from {
			common = known
		}
		for name := range f.names {
			if !known[name] && !regexp.MustCompile(`^\d`).MatchString(name) || f.top[name] && !strings.Contains(doc, "`"+name) && !strings.Contains(doc, "{"+name) && !strings.Contains(doc, " "+name) {
				t.Errorf("%s: the field %q is not documented", part.from, name)
			}
		}
		not := strings.FieldsFunc(part.not, func(r rune) bool { return r == '|' })
		for _, span := range codeSpan.FindAllStringSubmatch(generated.ReplaceAllString(doc, ""), -1) {
			if w := strings.TrimSuffix(span[1], "[]"); whole && regexp.MustCompile(`^[a-z][a-z0-9_ -]*$`).MatchString(w) && !f.names[w] && !f.values[w] && !slices.Contains(not, w) {
				t.Errorf("%s: %q is documented, but nothing has it", part.from, w)
			}
		}
	}
}
