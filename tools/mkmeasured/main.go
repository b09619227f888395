// Command mkmeasured makes the layer of a machine model that measurements on the core itself give.
//
// Usage:
//
//	incore bench all -o RUN1.results        # on the core; twice or more
//	go run ./tools/mkmeasured -model zen4 RUN1.results RUN2.results
//
// The layer, internal/machine/models/measured/MODEL.model, stands between internal/machine/models/MODEL.model, whose rows override it, and that model's base. It is never
// edited. It has the latencies between operands on which all runs agree and that the model says otherwise without it; nothing else, above all no
// throughputs, which ports and slots have to give. The base of a layer that is there already is kept; else it is the model's, whose "base:" has to be made
// "measured/MODEL".
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"incore/internal/bench/plan"
	"incore/internal/bench/results"
	"incore/internal/catalog"
	"incore/internal/machine"
)

const modelDir = "internal/machine/models"

func main() {
	name := flag.String("model", "", "the model that the layer is for")
	verbose := flag.Bool("v", false, "list the forms of which the model's own rows say something else than measured, and those that the runs disagree on")
	flag.Parse()
	if *name == "" || flag.NArg() < 2 {
		flag.Usage()
		os.Exit(2)
	}
	if err := makeLayer(*name, flag.Args(), *verbose); err != nil {
		fmt.Fprintln(os.Stderr, "mkmeasured:", err)
		os.Exit(1)
	}
}

var baseRE = regexp.MustCompile(`(?m)^base: (.*)$`)

func makeLayer(name string, files []string, verbose bool) error {
	path := filepath.Join(modelDir, name+".model")
	text, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	out := filepath.Join(modelDir, "measured", name+".model")
	base := baseRE.FindSubmatch(text)
	if old, err := os.ReadFile(out); err == nil {
		base = baseRE.FindSubmatch(old)
	}
	if base == nil {
		return fmt.Errorf("%s has no base", path)
	}
	below := baseRE.ReplaceAllString(string(text), "base: "+string(base[1]))
	// Forms without their own rows in the model already have the figures below it: the layer has no rows for other
	// forms.
	load := func(rows string) (*machine.Model, error) {
		if rows != "" {
			rows = "\nsource: measured\n" + rows
		}
		return machine.Load(strings.NewReader(below+rows), path)
	}
	runs, from, err := read(files)
	if err != nil {
		return err
	}
	t := plan.For(catalog.ISA(runs[0].ISA))
	l, err := results.NewLayer(t, load, path, runs)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(out), 0o755); err != nil {
		return err
	}
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	fmt.Fprintf(f, "# Made by tools/mkmeasured from %d runs of incore bench all; do not edit, correct it in a model over it.\n", len(runs))
	fmt.Fprintf(f, "name: measured/%s\ntitle: Latencies measured for %s\nisa: %s\nbase: %s\n\nsource: %s\n", name, name, t.ISA.Name, base[1], from)
	if err := errors.Join(l.Write(f), f.Close()); err != nil {
		return err
	}
	fmt.Printf("%s: %d forms; of %d the model's own rows say something else, on %d the runs disagree\n", out, len(l.Rows), len(l.Above), len(l.Apart))
	if verbose {
		fmt.Println("own rows:", strings.Join(l.Above, " "))
		fmt.Println("runs disagree:", strings.Join(l.Apart, " "))
	}
	return nil
}

// read reads runs, which must be of one core and one version, and returns their origin.
func read(files []string) (runs []*machine.Model, from string, err error) {
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, "", err
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
		source := fmt.Sprintf("measured on %s, %s, %s, bench all, %d runs", head["cpu"], head["date"], head["version"], len(files))
		if from == "" {
			from = source
		}
		if head["cpu"] == "" || source != from {
			return nil, "", fmt.Errorf("%s is %q, not from the same core, day and version as %s: %q", name, source, files[0], from)
		}
		m, err := machine.Load(strings.NewReader(string(text)), name)
		if err != nil {
			return nil, "", err
		}
		runs = append(runs, m)
	}
	return runs, from, nil
}
