package page

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"incore/internal/report"
)

// TestHTML: no text of the input is markup, and the policy names the scripts that are there.
func TestHTML(t *testing.T) {
	const hostile = `</script><img src=x onerror=alert(1)><!--`
	d := &report.Document{Input: report.Input{File: hostile}, Kernels: []report.Kernel{{Name: hostile, Targets: []report.Target{{Arch: "m", Instructions: []report.Instruction{{Text: hostile}}}}}}}
	var b bytes.Buffer
	if err := HTML(&b, d); err != nil {
		t.Fatal(err)
	}
	s := b.String()
	if strings.Contains(s, "<img") || strings.Count(s, "</script>") != 3 || strings.Contains(s, "<!--") {
		t.Errorf("the input's text is markup:\n%.2000s", s)
	}
	for _, part := range [][]byte{View, start, Style} {
		if !strings.Contains(s, strings.ReplaceAll(hashOf(part), "'", "&#39;")) {
			t.Errorf("the policy lacks %s", hashOf(part))
		}
		if bytes.Contains(part, []byte("</script")) || bytes.Contains(part, []byte("</style")) {
			t.Error("a part ends its own element")
		}
	}
	if strings.Contains(s, "http://") && !strings.Contains(s, "http://www.w3.org/2000/svg") || strings.Contains(s, "https://") {
		t.Error("the page names other addresses")
	}
}

// TestOptionShown: pages show the compiler's option of advice, as text does.
func TestOptionShown(t *testing.T) {
	script, err := os.ReadFile("dist/view.js")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(script), "compiler: ${") {
		t.Error("dist/view.js does not show Advice.Option: cd web && sh ./build")
	}
}
