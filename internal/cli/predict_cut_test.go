package cli

import (
	"bytes"
	"compress/gzip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestCutCorpus: the error of a compressed corpus that is cut off names the file once, wherever it is cut.
func TestCutCorpus(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte("block,cycles\n4801d8,1\n"))
	z.Close()
	name := filepath.Join(t.TempDir(), "corpus.csv.gz")
	for _, n := range []int{5, 12, 25, b.Len() - 3} {
		if err := os.WriteFile(name, b.Bytes()[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		if _, errs, code := runLine("predict", "--arch", "skl", name); code != 1 || strings.Count(errs, name) != 1 {
			t.Errorf("%d bytes: status %d, %s", n, code, errs)
		}
	}
}
