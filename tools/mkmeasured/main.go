// Command mkmeasured makes the layer of a machine model that measurements on the core itself give.
//
// Usage:
//
//	incore bench all -o RUN1.results        # on the core; twice or more
//	go run ./tools/mkmeasured -model zen4 RUN1.results RUN2.results
//	go run ./tools/mkmeasured -complete -model zen5 RUN1.results
//
// The layer, internal/machine/models/measured/MODEL.model, stands between internal/machine/models/MODEL.model, whose rows override it, and that model's
// base, which has to become "measured/MODEL". Its rows are never edited; the head of a layer that is there already is kept. The layer has the latencies
// between operands on which all runs agree and that the model says otherwise without it.
//
// With -complete it has a row for each measured form: "==" where the model agrees, else the measured latencies, and µops on the ports of the model
// without it that take the measured time. So the layer also records which forms were measured, and "incore model check" finds rows of the model that
// contradict it, or call a form measured that is not in it.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

const modelDir = "internal/machine/models"

func main() {
	name := flag.String("model", "", "the model that the layer is for")
	complete := flag.Bool("complete", false, "a row for every measured form")
	verbose := flag.Bool("v", false, "list the forms of which the model's own rows say something else than measured, and those that the runs disagree on")
	flag.Parse()
	if *name == "" || flag.NArg() < 2 && !*complete || flag.NArg() == 0 {
		flag.Usage()
		os.Exit(2)
	}
	if err := write(*name, flag.Args(), options{*complete, *verbose}); err != nil {
		fmt.Fprintln(os.Stderr, "mkmeasured:", err)
		os.Exit(1)
	}
}

type options struct{ complete, verbose bool }

var baseRE = regexp.MustCompile(`(?m)^base: (.*)$`)

// makeLayer returns the text of a model's layer of measurements, and its rows.
func makeLayer(name string, files []string, complete bool) (text string, l *results.Layer, err error) {
	path := filepath.Join(modelDir, name+".model")
	model, err := os.ReadFile(path)
	if err != nil {
		return "", nil, err
	}
	head, err := layerHead(string(model), layerFile(name), name)
	if err != nil {
		return "", nil, err
	}
	runs, err := read(files)
	if err != nil {
		return "", nil, err
	}
	// Forms without their own rows in the model already have the figures below it.
	below := head.below + baseRE.ReplaceAllString(string(model), "")
	load := func(rows string) (*machine.Model, error) {
		if rows != "" {
			rows = "\nsource: measured\n" + rows
		}
		return machine.Load(strings.NewReader(below+rows), path)
	}
	t := plan.For(catalog.ISA(runs.models[0].ISA))
	if complete {
		l, err = results.CompleteLayer(t, load, path, runs.models, runs.times)
	} else {
		l, err = results.NewLayer(t, load, path, runs.models)
	}
	if err != nil {
		return "", nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nsource: %s\n", head.text, runs.from)
	err = l.Write(&b)
	return b.String(), l, err
}

func layerFile(name string) string { return filepath.Join(modelDir, "measured", name+".model") }

// write writes a layer and says what is in it.
func write(name string, files []string, opt options) error {
	text, l, err := makeLayer(name, files, opt.complete)
	if err != nil {
		return err
	}
	out := layerFile(name)
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(out, []byte(text), 0o644); err != nil {
		return err
	}
	fmt.Printf("%s: %d forms; of %d the model's own rows say something else, on %d the runs disagree, of %d the µops do not explain the throughput\n", out, len(l.Rows), len(l.Above), len(l.Apart), len(l.Unfit))
	if opt.verbose {
		fmt.Println("own rows:", strings.Join(l.Above, "\n  "))
		fmt.Println("runs disagree:", strings.Join(l.Apart, " "))
		fmt.Println("not explained:", strings.Join(l.Unfit, "\n  "))
	}
	return nil
}

// head is the head of a layer: its text, and the part that a model with the layer's rows needs.
type head struct{ text, below string }

// layerHead returns the head of a layer. That of a layer that is there already is kept: it may name ports that its base does not have.
func layerHead(model, out, name string) (h head, err error) {
	if old, err := os.ReadFile(out); err == nil {
		h.text, _, _ = strings.Cut(string(old), "\nsource: ")
	} else {
		base, set := baseRE.FindStringSubmatch(model), regexp.MustCompile(`(?m)^isa: .*$`).FindString(model)
		if base == nil || set == "" {
			return h, fmt.Errorf("%s has no base or no isa", name)
		}
		h.text = fmt.Sprintf("# Made by tools/mkmeasured from runs of incore bench all; do not edit the rows, correct them in a model over it.\nname: measured/%s\ntitle: Measured for %s\n%s\nbase: %s\n", name, name, set, base[1])
	}
	h.below = regexp.MustCompile(`(?m)^(name|title|isa): .*\n`).ReplaceAllString(h.text, "")
	return h, nil
}

// runs are results files of one core.
type runs struct {
	models []*machine.Model
	times  []results.Times
	from   string
}

// read reads runs, which must be of one core and one version.
func read(files []string) (out runs, err error) {
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return out, err
		}
		head := map[string]string{}
		for l := range strings.Lines(string(text)) {
			if k, v, ok := strings.Cut(strings.TrimPrefix(strings.TrimSpace(l), "# "), ": "); ok && head[k] == "" {
				head[k] = v
			}
			if strings.HasPrefix(l, "source:") {
				break
			}
		}
		runs := map[bool]string{true: "1 run", false: fmt.Sprintf("%d runs", len(files))}[len(files) == 1]
		source := fmt.Sprintf("measured on %s, %s, %s, bench all, %s", head["cpu"], head["date"], head["version"], runs)
		if out.from == "" {
			out.from = source
		}
		if head["cpu"] == "" || source != out.from {
			return out, fmt.Errorf("%s is %q, not from the same core, day and version as %s: %q", name, source, files[0], out.from)
		}
		m, err := machine.Load(strings.NewReader(string(text)), name)
		if err != nil {
			return out, err
		}
		out.models, out.times = append(out.models, m), append(out.times, results.Throughputs(string(text)))
	}
	return out, nil
}
