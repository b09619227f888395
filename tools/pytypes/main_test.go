package main

import (
	"bytes"
	"os"
	"testing"
)

// TestInStep: the dataclasses are those of the schema.
func TestInStep(t *testing.T) {
	want, err := generate()
	if err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile("../../python/incore/types.py")
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(got, want) {
		t.Error("python/incore/types.py differs from the schema: go run ./tools/pytypes")
	}
}
