package machine

import (
	"os"
	"strings"
	"testing"
)

// TestDocumented: docs/model-format.md names every feature and parameter that a model may have.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/model-format.md")
	if err != nil {
		t.Fatal(err)
	}
	for what, docs := range map[string]map[string]string{"feature": FeatureDocs, "parameter": CoreDocs} {
		for name := range docs {
			if !strings.Contains(string(text), "`"+name+"`") {
				t.Errorf("%s %s is not in docs/model-format.md", what, name)
			}
		}
	}
}
