package findings

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
)

// junit10 is what junit-10.xsd of Jenkins' xunit plugin permits of the elements used here: attributes, those with ! required, and children. A test's file, which GitLab
// links, is the one attribute beside it: the schema has file for suites alone, and readers of results that do not validate pass over it.
var junit10 = map[string]struct{ attributes, children string }{
	"":           {"", "testsuites"},
	"testsuites": {"name time tests failures errors", "testsuite"},
	"testsuite":  {"name! tests! failures! errors! group time skipped timestamp hostname id package file log url", "testsuite properties testcase system-out system-err"},
	"testcase":   {"name! time classname group" + " file", "skipped error failure rerunFailure rerunError flakyFailure flakyError system-out system-err"},
	"failure":    {"type message", ""},
	"skipped":    {"type message", ""},
	"system-out": {"", ""},
}

// validate holds a document against junit10.
func validate(r io.Reader) error {
	d, open := xml.NewDecoder(r), []string{""}
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		in := open[len(open)-1]
		switch x := token.(type) {
		case xml.StartElement:
			name := x.Name.Local
			rule, ok := junit10[name]
			if !ok || !slices.Contains(strings.Fields(junit10[in].children), name) {
				return fmt.Errorf("%s in %q", name, in)
			}
			var has []string
			for _, a := range x.Attr {
				has = append(has, a.Name.Local)
			}
			for _, a := range strings.Fields(rule.attributes) {
				if a, required := strings.CutSuffix(a, "!"); required && !slices.Contains(has, a) {
					return fmt.Errorf("%s lacks %s", name, a)
				}
			}
			for _, a := range has {
				if !slices.Contains(strings.Fields(strings.ReplaceAll(rule.attributes, "!", "")), a) {
					return fmt.Errorf("%s has %s", name, a)
				}
			}
			open = append(open, name)
		case xml.EndElement:
			open = open[:len(open)-1]
		case xml.CharData:
			if text := in == "failure" || in == "skipped" || in == "system-out"; !text && len(bytes.TrimSpace(x)) > 0 {
				return fmt.Errorf("text in %q: %s", in, x)
			}
		}
	}
}

// TestSchema: results of every kind suit Jenkins' schema, and each test names its file for GitLab.
func TestSchema(t *testing.T) {
	r := &Report{Command: "incore predict"}
	for _, arch := range []string{"zen4", "skx"} {
		for i, level := range []Level{Failure, Skipped, Note, Warning} {
			r.Findings = append(r.Findings, Finding{Name: fmt.Sprintf("f:<%d>", i), File: "src/a.s", Arch: arch, Level: level, Message: "a & b", Details: "x\ny"})
		}
	}
	var b bytes.Buffer
	if err := r.junit(&b); err != nil {
		t.Fatal(err)
	}
	if err := validate(bytes.NewReader(b.Bytes())); err != nil {
		t.Errorf("%v\n%s", err, b.String())
	}
	if n := strings.Count(b.String(), `file="src/a.s"`); n != len(r.Findings) {
		t.Errorf("%d of %d tests name their file", n, len(r.Findings))
	}
	b.Reset()
	if err := JUnit(&b, nil); err != nil || validate(bytes.NewReader(b.Bytes())) != nil {
		t.Errorf("no suites: %v\n%s", err, b.String())
	}
	for _, wrong := range []string{"<testcase/>", "<testsuites><testsuite name='a' tests='1' failures='0'/></testsuites>", "<testsuites><testcase name='a'/></testsuites>",
		"<testsuites><testsuite name='a' tests='1' failures='0' errors='0'><testcase name='a' line='1'/></testsuite></testsuites>", "<testsuites>text</testsuites>"} {
		if validate(strings.NewReader(wrong)) == nil {
			t.Errorf("%s is taken", wrong)
		}
	}
}
