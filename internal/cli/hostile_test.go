package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"hash/fnv"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"incore/internal/base/long"
	"incore/internal/web/api"
)

// hostile are values that no option, parameter or figure should fall over.
var hostile = []string{"NaN", "Inf", "-Inf", "-1", "0", "1e308", "1e-320", "9223372036854775808", ""}

// unfinished matches a number that is none, in an answer.
var unfinished = regexp.MustCompile(`(^|[\s:,(])[-+]?(NaN|Inf|∞)($|[\s:,%)x])`)

// arguments are what the commands get that do not read kernel.s, in a directory that holds it; of those that begin with "!" the end is not awaited: they serve, or measure for minutes.
var arguments = map[string]string{
	"annotate": "kernel.s --function f", "archs": "zen4", "baseline write": "kernel.s --baseline base.json",
	"baseline accept": "--loop f --reason r kernel.s", "bench": "all --list", "bench core": "!",
	"bench everything": "!", "bench ports": "!", "compare": "kernel.s kernel.s", "eval make": "!-o made --kernels ^dot$ --limit 1", "eval run": "made", "eval report": "made", "eval export": "made -o made.tsv",
	"eval slurm": "made", "eval kernels": "", "eval hunt": "!", "explain": "nop", "lsp": "", "mcp": "", "measure": "!kernel.s", "model build": "kernel.s", "model diff": "kernel.s kernel.s", "model check": "zen4",
	"model export": "--format osaca --arch zen4", "roofline project": "--from zen3 --to zen4", "roofline machines": "", "roofline explore": "--from zen3 --to zen4 --profile kernel.s",
	"roofline measure": "!-o roof.json", "roofline profile": "!-o profile.json -- true", "serve": "!", "top": "!-- true", "trace": "!-- true", "version": "", "model import": "kernel.s",
}

// nonsense are values that no numeric option takes: each is refused with the option's name, not taken for another
// one. A negative number means something to few.
var nonsense = map[string]bool{"NaN": true, "Inf": true, "-Inf": true, "1e308": true, "9223372036854775808": true,
	"": true, "-1": true}

// takes are the numeric options that take a value of nonsense: seeds are any 64 bits, and OSACA has -1 for no limit.
var takes = map[string]bool{"--seed=9223372036854775808": true, "--lcd-timeout=-1": true, "--verbose=-1": true,
	"--vectors=-1": true, "--perf=9223372036854775808": true}

// TestHostileOptions: no option of a command makes it panic or hang, whatever its value; it says what is wrong, or
// answers with finite numbers. Nonsense is refused.
func TestHostileOptions(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "kernel.s"), []byte("f:\n\taddsd (%rdi,%rax,8), %xmm0\n\taddq $1, %rax\n\tcmpq %rsi, %rax\n\tjne f\n\tret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	asked := 0
	eachCommand(newRoot(&env{}), func(cmd *cobra.Command) {
		path := strings.TrimPrefix(cmd.CommandPath(), "incore ")
		given, own := arguments[path]
		if !own {
			given = "kernel.s"
		}
		rest, endless := strings.CutPrefix(given, "!")
		cmd.InheritedFlags() // joins those of the root to the command's own
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			kind := f.Value.Type()
			if kind == "bool" || endless && strings.HasPrefix(kind, "string") || f.Name == "help" {
				return
			}
			for _, value := range hostile {
				option := "--" + f.Name + "=" + value
				if !drawnToday(path + option) {
					continue
				}
				asked++
				args := append(strings.Fields(path), option)
				number := !strings.HasPrefix(kind, "string")
				if number && nonsense[value] && !takes[option] {
					refuses(t, dir, append(args, strings.Fields(rest)...), "--"+f.Name)
				} else {
					tryOption(t, dir, append(args, strings.Fields(rest)...), endless, number)
				}
			}
		})
	})
	if asked < 100 {
		t.Errorf("only %d options were tried", asked)
	}
}

// eachCommand calls do for each command that runs.
func eachCommand(cmd *cobra.Command, do func(*cobra.Command)) {
	if cmd.Runnable() && cmd.HasParent() && cmd.Name() != "help" && cmd.Parent().Name() != "completion" && cmd.Name() != "completion" {
		do(cmd)
	}
	for _, c := range cmd.Commands() {
		eachCommand(c, do)
	}
}

// drawnToday is one case out of twelve; with INCORE_LONG it is one out of three.
func drawnToday(what string) bool {
	h := fnv.New32a()
	h.Write([]byte(what))
	return h.Sum32()%uint32(long.Count(3, 12)) == 0
}

// tryOption runs a command. One that is endless is interrupted after a moment.
func tryOption(t *testing.T, dir string, args []string, endless, number bool) {
	t.Helper()
	limit := 30 * time.Second
	if endless {
		limit = 300 * time.Millisecond
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	c := exec.CommandContext(ctx, "incore", args...)
	c.Dir, c.Cancel, c.WaitDelay = dir, func() error { return c.Process.Signal(syscall.SIGINT) }, 10*time.Second
	var out, errs bytes.Buffer
	c.Stdout, c.Stderr = &out, &errs
	err := c.Run()
	switch said := errs.String(); {
	case strings.Contains(said, "goroutine ") || strings.Contains(said, "panic:"):
		t.Errorf("%q panics: %.2000s", args, said)
	case errors.Is(err, exec.ErrWaitDelay) || ctx.Err() != nil && !endless:
		t.Errorf("%q does not end", args)
	case c.ProcessState.ExitCode() > 0 && !strings.Contains(said, "incore: ") && !endless:
		t.Errorf("%q ends with %v and says %.200q", args, err, said)
	case number && unfinished.Match(out.Bytes()):
		t.Errorf("%q answers %.300s", args, unfinished.FindAll(out.Bytes(), 3))
	}
}

// refuses runs a command that ends at once, as its call is wrong, and names the option.
func refuses(t *testing.T, dir string, args []string, option string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	c := exec.CommandContext(ctx, "incore", args...)
	c.Dir = dir
	if said, err := c.CombinedOutput(); c.ProcessState.ExitCode() != 2 || !strings.Contains(string(said), option) {
		t.Errorf("%q is not refused: %v: %.300s", args, err, said)
	}
}

// sensible reports whether a hostile value is one that a parameter may have: null and what stands for the default,
// any text where nothing reads it, and blocks, whose rows have the error.
func sensible(method, field string, v any) bool {
	texts, isMap := v.(map[string]any)
	_, isText := v.(string)
	list, isList := v.([]any)
	switch field {
	case "timeline", "iterations":
		return v == nil || v == json.Number("0")
	case "sensitivity", "war", "waw", "may":
		return v == nil || v == true
	case "title":
		return v == nil || isText
	case "document":
		return isMap
	case "sources":
		return v == nil || isMap && (texts["a"] == nil || reflect.TypeOf(texts["a"]).Name() == "string")
	case "blocks", "args":
		return isList && (list[0] == nil || reflect.TypeOf(list[0]).Name() == "string")
	}
	return method != "text" && v == nil || field == "syntax" && v == ""
}

// TestHostileRequests: no parameter of a request makes its answer fail or stay away, whatever its value, and what
// makes no sense is refused.
func TestHostileRequests(t *testing.T) {
	asked := 0
	for method, sound := range requests {
		var params map[string]any
		if err := json.Unmarshal([]byte(sound), &params); err != nil {
			t.Fatal(err)
		}
		if _, err := answerOf(method, params); err != nil &&
			method != "measure" { // which fails on a noisy machine, and where another instruction set runs
			t.Errorf("%s %s: %v", method, sound, err)
		}
		for field, was := range params {
			for _, value := range values {
				for _, v := range []any{value, []any{value}, map[string]any{"a": value}} {
					if reflect.DeepEqual(v, was) {
						continue
					}
					asked++
					wrong := map[string]any{}
					for name, w := range params {
						wrong[name] = w
					}
					wrong[field] = v
					text, err := answerOf(method, wrong)
					if err == nil && method != "page" && unfinished.MatchString(text) {
						t.Errorf("%s with %s %v answers %.300q", method, field, v, unfinished.FindString(text))
					}
					var e *api.Error
					if err != nil && (!errors.As(err, &e) || e.Status >= 500 || e.Message == "") {
						t.Errorf("%s with %s %v: %v", method, field, v, err)
					}
					if err == nil && !sensible(method, field, v) {
						t.Errorf("%s with %s %#v is not refused", method, field, v)
					}
				}
			}
		}
	}
	if asked < 300 {
		t.Errorf("only %d requests were sent", asked)
	}
}

// requests are methods with all their parameters, in a sound request.
var requests = map[string]string{
	"analyze": `{"text": "1: addsd %xmm1, %xmm0; dec %rcx; jnz 1b", "arch": ["zen4"], "syntax": "att", "timeline": 2, "sensitivity": true, "what_if": ["rob=32"], "sources": {}, "iterations": 4}`,
	"deps":    `{"text": "1: addsd %xmm1, %xmm0; dec %rcx; jnz 1b", "arch": ["zen4"], "syntax": "att"}`,
	"compare": `{"texts": ["1: nop; jne 1b", "1: nop; jne 1b"], "names": ["a", "b"], "arch": ["zen4"], "syntax": "att", "timeline": 2, "sensitivity": false, "what_if": []}`,
	"explain": `{"instruction": "nop", "arch": ["zen4"], "syntax": "att"}`, "predict": `{"blocks": ["nop"], "arch": ["zen4"], "syntax": "att"}`,
	"page": `{"title": "a", "document": {}}`, "machines": `{}`, "info": `{}`,
	"measure": `{"text": "1: imul %rax, %rbx; dec %rcx; jnz 1b", "syntax": "att"}`, "trace": `{"args": ["--help"]}`,
	"eval": `{"args": ["--help"]}`,
}

// values are hostile values of JSON.
var values = []any{json.Number("-1"), json.Number("0"), json.Number("1e308"), json.Number("1e400"), json.Number("9223372036854775808"), json.Number("0.5"), "NaN", "Inf", "-1", "1e308", "", nil, true,
	"rob=NaN", "rob=9223372036854775808", "rob=-1", "rob=0", "rob=1e308", "latency=Inf"}

// answerOf is that of the web API to a request, as text.
func answerOf(method string, params map[string]any) (string, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	body, err := json.Marshal(params)
	if err != nil {
		return "", err
	}
	options := allowed(true)
	options.Command = func(context.Context, []string) (json.RawMessage, error) {
		return json.RawMessage("{}"),
			nil
	} // TestHostileOptions calls the commands
	v, err := options.Answer(ctx, method, nil, body)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(v)
	return string(text), err
}

// figures matches a number in a model.
var figures = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)

// TestHostileModels: no number of a parameter or a row of a model makes an analysis panic or hang, or answer with what is no number.
func TestHostileModels(t *testing.T) {
	names, err := filepath.Glob("../machine/models/*.model")
	if err != nil || len(names) == 0 {
		t.Fatalf("no models: %v", err)
	}
	lines := map[string]string{} // parameter, or shape of a row → line
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(text), "isa: x86-64") {
			continue
		}
		for line := range strings.Lines(string(text)) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), "  #")
			if key, _, ok := strings.Cut(line, ":"); ok && strings.HasPrefix(key, "param ") {
				lines[key+figures.ReplaceAllString(line, "1")] = line
			}
		}
	}
	for _, row := range []string{"ADDSDrm | 0:3 1*1 | 4 | ld=5 slots=2", "ADD64ri8 | 2*0 1:4 | $dst 2 | rtp=2.5", "CMP64rr | 2:7 | = | slots=3"} {
		lines[row] = "ports: 0 1 2\n" + row
	}
	dir, asked := t.TempDir(), 0
	kernel, model := filepath.Join(dir, "kernel.s"), filepath.Join(dir, "own.model")
	if err := os.WriteFile(kernel, []byte("f:\n\taddsd (%rdi,%rax,8), %xmm0\n\taddq $1, %rax\n\tcmpq %rsi, %rax\n\tjne f\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, line := range lines {
		for _, at := range figures.FindAllStringIndex(line, -1) {
			for _, value := range hostile {
				wrong := line[:at[0]] + value + line[at[1]:]
				if !drawnToday(wrong) {
					continue
				}
				head := "name: own\nisa: x86-64\n"
				if strings.HasPrefix(line, "param ") {
					head += "base: zen4\n"
				}
				if err := os.WriteFile(model, []byte(head+wrong+"\n"), 0o600); err != nil {
					t.Fatal(err)
				}
				asked++
				tryOption(t, dir, []string{"analyze", "--model", model, kernel}, false, true)
				if t.Failed() {
					t.Fatalf("with the line %q", wrong)
				}
			}
		}
	}
	if asked < 30 {
		t.Errorf("only %d lines were tried", asked)
	}
}
