package findings

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"io"
	"path/filepath"
	"strings"
	"testing"
)

// sample has a finding of each level, two of the same name, and text that formats have to escape.
func sample() *Report {
	here, _ := filepath.Abs("sub dir")
	return &Report{Command: "incore compare", Version: "1", Rules: map[string]string{"slower": "is slower", "other": "is other"}, Findings: []Finding{
		{Rule: "slower", Level: Failure, Name: `f<T>"\:.L1`, Arch: "zen4", Message: "slower & worse\x01", Details: "a\nb", File: filepath.Join(here, "a b.c"), Line: 7, Cycles: 2.5, Known: true},
		{Rule: "slower", Level: Failure, Name: `f<T>"\:.L1`, Arch: "zen4", Message: "again", File: "/elsewhere/x.c", Cycles: 3, Known: true},
		{Rule: "other", Level: Skipped, Name: "g", Arch: "skx", Message: "cannot", File: "g.s"},
		{Rule: "other", Level: Note, Name: "all", Message: "without a place"},
		{Rule: "other", Level: OK, Name: "h", Arch: "skx", Cycles: 1, Known: true},
	}}
}

// TestFormats: every format is well formed, escapes text, has relative paths, and says of each finding what it should.
func TestFormats(t *testing.T) {
	out := map[string]string{}
	for _, f := range Formats {
		var b bytes.Buffer
		if err := Write(&b, f, sample()); err != nil {
			t.Fatal(err)
		}
		out[f] = b.String()
	}
	for _, f := range []string{"sarif", "gitlab", "benchmark"} {
		var v any
		if err := json.Unmarshal([]byte(out[f]), &v); err != nil {
			t.Errorf("%s: %v", f, err)
		}
	}
	for d := xml.NewDecoder(strings.NewReader(out["junit"])); ; {
		if _, err := d.Token(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatalf("junit: %v\n%s", err, out["junit"])
		}
	}
	for f, want := range map[string][]string{
		"sarif":     {`"uri": "sub%20dir/a%20b.c"`, `"uriBaseId": "%SRCROOT%"`, `"uri": "file:///elsewhere/x.c"`, `"kind": "notApplicable"`, `"startLine": 7`},
		"junit":     {`tests="2" failures="2" errors="0" skipped="0"`, `<skipped message="cannot"`, `slower &amp; worse"`},
		"gitlab":    {`"path": "sub dir/a b.c"`, `"begin": 7`, `"severity": "major"`},
		"metrics":   {`incore_cycles_per_iteration{arch="zen4",loop="f<T>\"\\:.L1",file="sub dir/a b.c"} 2.5`, "# EOF\n"},
		"benchmark": {`"value": 2.5`, `"name": "h skx"`},
	} {
		for _, w := range want {
			if !strings.Contains(out[f], w) {
				t.Errorf("%s lacks %s:\n%s", f, w, out[f])
			}
		}
	}
	for _, x := range results(t, out["sarif"]) {
		if len(x.Locations) != 1 || x.Locations[0].PhysicalLocation.Region.StartLine < 1 {
			t.Errorf("sarif: a result without a place, which services refuse: %+v", x)
		}
	}
	if !strings.Contains(out["sarif"], "without a place") {
		t.Error("sarif lacks the finding without a place")
	}
	if strings.Count(out["benchmark"], `"name"`) != 3 || strings.Contains(out["sarif"], `"name": "h"`) {
		t.Error("a finding without a figure is a benchmark, or one without a message a result")
	}
}

type result struct {
	Locations []struct {
		PhysicalLocation struct{ Region struct{ StartLine int } }
	}
}

// results returns the results of a file of SARIF.
func results(t *testing.T, text string) []result {
	var v struct{ Runs []struct{ Results []result } }
	if err := json.Unmarshal([]byte(text), &v); err != nil || len(v.Runs) != 1 || len(v.Runs[0].Results) == 0 {
		t.Fatalf("%v: %+v", err, v)
	}
	return v.Runs[0].Results
}

// TestFingerprints: they differ between findings, and do not depend on lines, nor on labels where a key is given.
func TestFingerprints(t *testing.T) {
	r := sample()
	first := r.fingerprints()
	seen := map[string]bool{}
	for _, p := range first {
		if seen[p] {
			t.Error("two findings have the same fingerprint")
		}
		seen[p] = true
	}
	r.Findings[0].Line, r.Findings[0].Message = 99, "other words"
	if r.fingerprints()[0] != first[0] {
		t.Error("a fingerprint depends on lines or words")
	}
	a, b := Finding{Rule: "slower", Key: "f#0", Name: "f:.L1"}, Finding{Rule: "slower", Key: "f#0", Name: "f:.L9"}
	if a.fingerprint(0) != b.fingerprint(0) {
		t.Error("a fingerprint depends on the label")
	}
}
