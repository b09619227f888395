package report

import (
	"bytes"
	"strings"
	"testing"
)

// TestDrawing: a drawing shows the first loop and says so, or all of them.
func TestDrawing(t *testing.T) {
	d := two()
	d.Kernels = append(d.Kernels, d.Kernels[0])
	d.Kernels[1].Name = "g:.L8"
	for _, all := range []bool{false, true} {
		x, left, hint := d.Drawing(all)
		var dot, svg bytes.Buffer
		if err := x.(*Document).DOT(&dot); err != nil {
			t.Fatal(err)
		}
		if err := x.(*Document).SVG(&svg); err != nil {
			t.Fatal(err)
		}
		for format, b := range map[string]string{"dot": dot.String(), "svg": svg.String()} {
			if strings.Contains(b, "g:.L8") != all || !strings.Contains(b, d.Kernels[0].Name) {
				t.Errorf("all %v: %s:\n%s", all, format, b)
			}
		}
		if others := len(d.Others); (left == "") != (all && others == 0) || !all && !strings.Contains(hint, "--all-kernels") {
			t.Errorf("all %v: %q, %q", all, left, hint)
		}
	}
}
