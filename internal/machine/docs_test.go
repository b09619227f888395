package machine

import (
	"os"
	"strings"
	"testing"
)

// TestDocumented: docs/model-format.md and docs/simulator.md name every feature and parameter that a model may have.
func TestDocumented(t *testing.T) {
	for _, page := range []string{"docs/model-format.md", "docs/simulator.md"} {
		text, err := os.ReadFile("../../" + page)
		if err != nil {
			t.Fatal(err)
		}
		for what, docs := range map[string]map[string]string{"feature": FeatureDocs, "parameter": CoreDocs} {
			for name := range docs {
				if !strings.Contains(string(text), "`"+name+"`") {
					t.Errorf("%s %s is not in %s", what, name, page)
				}
			}
		}
	}
}
