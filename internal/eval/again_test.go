package eval

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestAgain takes the cycles of a second measurement, leaves out what it lacks, and names the line of what is none.
func TestAgain(t *testing.T) {
	blocks := []Block{{Text: "nop", Cycles: 1}, {Text: "hlt", Cycles: 2}, {Text: "ud2", Cycles: 3}}
	path := filepath.Join(t.TempDir(), "again.tsv")
	write := func(text string) {
		if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write(Key("ud2") + "\t2.5\n" + Key("nop") + "\t0.25\n")
	got, err := Again(blocks, path)
	if err != nil || len(got) != 2 || got[0].Text != "nop" || got[0].Cycles != 0.25 || got[1].Cycles != 2.5 {
		t.Errorf("%v %v", got, err)
	}
	if blocks[0].Cycles != 1 {
		t.Error("the first measurement has changed")
	}
	for _, bad := range []string{"x\n", "x\t0\n", "x\t-1\n", "x\tNaN\n", "x\n\n"} {
		write(Key("nop") + "\t1\n" + bad)
		if _, err := Again(blocks, path); err == nil || !strings.Contains(err.Error(), path+":2: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
