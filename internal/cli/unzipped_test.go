package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestUnzipped: files one after another are one, zeros behind them are nothing, and other bytes and missing ones are errors behind the rows before.
func TestUnzipped(t *testing.T) {
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, _ = z.Write([]byte("4801d8,1\n"))
	z.Close()
	one := b.String()
	for _, c := range []struct{ data, text, err string }{
		{one, "4801d8,1\n", ""},
		{one + one + one, "4801d8,1\n4801d8,1\n4801d8,1\n", ""},
		{one + strings.Repeat("\x00", 1000), "4801d8,1\n", ""},
		{one + "\x00\x00x", "4801d8,1\n", "bytes follow"},
		{one + "a", "4801d8,1\n", "bytes follow"},
		{one + "\x1f\x8babcdefghijklmnop", "4801d8,1\n", "invalid header"},
		{one + one[:len(one)-3], "4801d8,1\n4801d8,1\n", "cut off"},
		{one[:len(one)-12], "", "cut off"},
	} {
		from := bufio.NewReader(strings.NewReader(c.data))
		z, err := gzip.NewReader(from)
		if err != nil {
			t.Fatal(err)
		}
		text, err := io.ReadAll(&unzipped{z, from, "f.gz"})
		if !strings.HasPrefix(string(text), c.text) || (err == nil) != (c.err == "") || err != nil && !strings.Contains(err.Error(), c.err) {
			t.Errorf("%q: %q, %v; want %q, %q", c.data, text, err, c.text, c.err)
		}
	}
}

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
