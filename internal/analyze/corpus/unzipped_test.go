package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"io"
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
