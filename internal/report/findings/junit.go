package findings

import (
	"encoding/xml"
	"io"
)

// The elements of JUnit's XML, as services for continuous integration read it.
type (
	// Suite holds the tests of a machine.
	Suite struct {
		Name     string `xml:"name,attr"`
		Tests    int    `xml:"tests,attr"`
		Failures int    `xml:"failures,attr"`
		Errors   int    `xml:"errors,attr"` // always 0; schemas ask for it
		Skipped  int    `xml:"skipped,attr"`
		Cases    []Case `xml:"testcase"`
	}
	// Case is the test of a loop.
	Case struct {
		Name    string   `xml:"name,attr"`
		Class   string   `xml:"classname,attr"`
		File    string   `xml:"file,attr,omitempty"`
		Failure *Verdict `xml:"failure"` // nil: none
		Skipped *Verdict `xml:"skipped"` // nil: it was judged
		Out     string   `xml:"system-out,omitempty"`
	}
	// Verdict is why a test failed or was skipped.
	Verdict struct {
		Message string `xml:"message,attr"`
		Text    string `xml:",chardata"`
	}
)

// Add adds a test and counts it.
func (s *Suite) Add(c Case) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

// JUnit writes suites.
func JUnit(w io.Writer, suites []*Suite) error {
	if _, err := io.WriteString(w, xml.Header); err != nil {
		return err
	}
	e := xml.NewEncoder(w)
	e.Indent("", "  ")
	if err := e.EncodeElement(struct {
		Suites []*Suite `xml:"testsuite"`
	}{suites}, xml.StartElement{Name: xml.Name{Local: "testsuites"}}); err != nil {
		return err
	}
	_, err := io.WriteString(w, "\n")
	return err
}
