package machine

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "write the tables of docs/model-format.md")

const modelFormat = "../../docs/model-format.md"

// TestDocumented: docs/model-format.md has the tables of every feature and parameter that a model may have (-update writes them), and docs/simulator.md
// names each.
func TestDocumented(t *testing.T) {
	read := func(page string) string {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	format, units := read(modelFormat), read("../../docs/simulator.md")
	for what, docs := range map[string]map[string]string{"feature": FeatureDocs, "parameter": CoreDocs} {
		table := fmt.Sprintf("| %s | meaning |\n|---|---|\n", what)
		for _, name := range slices.Sorted(maps.Keys(docs)) {
			table += fmt.Sprintf("| `%s` | %s |\n", name, docs[name])
			if !strings.Contains(units, "`"+name+"`") {
				t.Errorf("%s %s is not in docs/simulator.md", what, name)
			}
		}
		mark := "<!-- " + what + "s: go test ./internal/machine -run TestDocumented -update -->\n"
		head, rest, begins := strings.Cut(format, mark)
		have, tail, ends := strings.Cut(rest, "<!-- end -->\n")
		switch {
		case !begins || !ends:
			t.Errorf("docs/model-format.md has no place for the table of %ss", what)
		case *update:
			format = head + mark + table + "<!-- end -->\n" + tail
		case have != table:
			t.Errorf("docs/model-format.md: the table of %ss is not the program's; 'go test ./internal/machine -run TestDocumented -update' writes it", what)
		}
	}
	if *update {
		if err := os.WriteFile(modelFormat, []byte(format), 0o666); err != nil {
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

// TestCoreFields: every documented parameter of Core is read, and what is read is documented.
func TestCoreFields(t *testing.T) {
	fields, features := coreFields(&Core{}), coreFeatures(&Core{})
	byHand := []string{"disambiguation", "port-queues", "result-ports", "slot-queues"} // by readCore itself
	for name := range CoreDocs {
		if _, ok := fields[name]; !ok && !slices.Contains(byHand, name) {
			t.Errorf("nothing reads parameter %s", name)
		}
	}
	for name, field := range fields {
		if CoreDocs[name] == "" {
			t.Errorf("CoreDocs lacks %s", name)
		}
		if err := (&Model{}).setCore(field, "?"); err == nil {
			t.Errorf("%s takes a question mark", name)
		}
	}
	for name := range features {
		if FeatureDocs[name] == "" {
			t.Errorf("FeatureDocs lacks %s", name)
		}
	}
}
