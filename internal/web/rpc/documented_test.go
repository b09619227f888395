package rpc

import (
	"os"
	"strings"
	"testing"
)

// TestDocumented: each method stands in the table of docs/callable.md.
func TestDocumented(t *testing.T) {
	page, err := os.ReadFile("../../../docs/callable.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, _ := strings.Cut(string(page), "### Methods")
	table, _, _ = strings.Cut(table, "\n\n- ")
	for name := range methods {
		if !strings.Contains(table, "`"+name+"`") {
			t.Errorf("the method %s is not documented", name)
		}
	}
}
