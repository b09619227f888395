package machine

import (
	"flag"
	"fmt"
	"os"
	"reflect"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of options.md")

const (
	modelFormat = "../../docs/model-format.md"
	optionsPage = "options.md"
)

// TestDocumented: options.md has the tables of every feature and parameter that a model may have (-update writes them), and docs/simulator.md
// names each.
func TestDocumented(t *testing.T) {
	read := func(page string) string {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	format, units := read(optionsPage), read("../../docs/simulator.md")
	for what, features := range map[string]bool{"feature": true, "parameter": false} {
		table := fmt.Sprintf("| %s | part of the core | meaning |\n|---|---|---|\n", what)
		for _, o := range Options() {
			if o.Feature != features {
				continue
			}
			table += fmt.Sprintf("| `%s` | %s | %s |\n", o.Name, o.Section, o.Doc)
			if !strings.Contains(units, "`"+o.Name+"`") {
				t.Errorf("%s %s is not in docs/simulator.md", what, o.Name)
			}
		}
		mark := "<!-- " + what + "s: go test ./internal/machine -run TestDocumented -update -->\n"
		head, rest, begins := strings.Cut(format, mark)
		have, tail, ends := strings.Cut(rest, "<!-- end -->\n")
		switch {
		case !begins || !ends:
			t.Errorf("options.md has no place for the table of %ss", what)
		case *update:
			format = head + mark + table + "<!-- end -->\n" + tail
		case have != table:
			t.Errorf("options.md: the table of %ss is not the program's; 'go test ./internal/machine -run TestDocumented -update' writes it", what)
		}
	}
	if *update {
		if err := os.WriteFile(optionsPage, []byte(format), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// TestExamples: the models that the pages show can be loaded and are valid.
func TestExamples(t *testing.T) {
	for page, least := range map[string]int{modelFormat: 1, "../../docs/add-microarchitecture.md": 2} {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		n := 0
		for i, block := range strings.Split(string(text), "```\n") {
			if i%2 == 0 || !strings.HasPrefix(block, "name: ") {
				continue
			}
			n++
			m, err := Load(strings.NewReader(block), page)
			if err != nil {
				t.Error(err)
				continue
			}
			a := tables(t)[m.ISA]
			if err := m.Validate(a); err != nil {
				t.Error(err)
			}
			if x := m.Check(a); len(x.Unread) > 0 {
				t.Errorf("%s: %s: nothing reads %v", page, m.Name, x.Unread)
			}
		}
		if n < least {
			t.Errorf("%s shows %d models", page, n)
		}
	}
}

// TestDocumentedModels checks the models that docs/add-microarchitecture.md shows as one checks those of the folder.
func TestDocumentedModels(t *testing.T) {
	isas := tables(t)
	page, err := os.ReadFile("../../docs/add-microarchitecture.md")
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for i, block := range strings.Split(string(page), "```") {
		if i%2 == 0 || !strings.HasPrefix(block, "\nname: ") {
			continue
		}
		m, err := Load(strings.NewReader(block[1:]), "add-microarchitecture.md")
		if err != nil {
			t.Error(err)
			continue
		}
		found = append(found, m.Name)
		if err := m.Validate(isas[m.ISA]); err != nil {
			t.Errorf("%s: %v", m.Name, err)
		}
		checkWhole(t, m)
	}
	if len(found) != 2 {
		t.Errorf("the page has the models %v, want two", found)
	}
}

// TestOptions: every option has a meaning, a name of its own, and a value that it cannot take.
func TestOptions(t *testing.T) {
	seen := map[string]bool{}
	for _, o := range Options() {
		if seen[o.Name] || o.Doc == "" {
			t.Errorf("%s: meaning '%s', stated twice: %v", o.Name, o.Doc, seen[o.Name])
		}
		seen[o.Name] = true
		if _, err := (&Model{}).With(Fact{Name: o.Name, Value: "?"}); err == nil {
			t.Errorf("%s takes a question mark", o.Name)
		}
	}
	for _, f := range reflect.VisibleFields(reflect.TypeFor[Core]()) {
		if f.Anonymous || f.Name == "Schedulers" || f.Name == "DispatchLimits" { // of parameters that a model states several of
			continue
		}
		if f.Tag.Get("param") == "" && f.Tag.Get("feature") == "" {
			t.Errorf("Core.%s has no name in model files", f.Name)
		}
	}
}
