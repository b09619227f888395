package main

import (
	"os"
	"path/filepath"
	"testing"
)

// TestLayerOfResults: the layer of Zen 5 is what the tool makes of the results that its source names, and few of the model's own rows
// contradict them: read-modify-writes, whose instances wait for each other, x87's operations on memory, whose figures have no load, conversions of two µops,
// which take 0.80 cycles (294 forms; their pipes allow 0.5 and more), and what another measurement explains.
func TestLayerOfResults(t *testing.T) {
	results := filepath.Join(os.Getenv("INCORE_CORPORA"), "zen5-bench", "zen5.results")
	if _, err := os.Stat(results); err != nil {
		t.Skip("INCORE_CORPORA has no zen5-bench")
	}
	t.Chdir("../..")
	path := filepath.Join(modelDir, "measured", "zen5.model")
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	got, l, err := makeLayer("zen5", []string{results}, true)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Error("the embedded layer is not what the results give: go run ./tools/mkmeasured -complete -model zen5 FILE")
	}
	// Gathers are among them: the results have those with empty masks; and vreduceps and vpconflictd of memory, which
	// take a cycle more into one register again and again.
	if len(l.Above) > 560 || len(l.Unfit) > 3 {
		t.Errorf("%d rows of the model contradict the results, %d forms are not explained", len(l.Above), len(l.Unfit))
	}
}
