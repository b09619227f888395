package cli

import (
	"bytes"
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

var update = flag.Bool("update", false, "write docs/commands.md")

const (
	referenceFile = "../../docs/commands.md"
	referenceText = "# Commands and options\n\n" +
		"What `incore COMMAND --help` says, of every command. `go test ./internal/cli -run TestReference -update` writes this page; without `-update` it fails where the page\n" +
		"and the program differ. What the commands are for is in [usage.md](usage.md) and [measuring.md](measuring.md).\n"
)

// TestReference holds docs/commands.md to the commands and options that there are.
func TestReference(t *testing.T) {
	t.Setenv("COLUMNS", "100")
	root := newRoot(&env{stdin: strings.NewReader(""), stdout: os.Stdout, stderr: os.Stderr})
	root.InitDefaultCompletionCmd()
	var b strings.Builder
	b.WriteString(referenceText)
	var describe func(c *cobra.Command)
	describe = func(c *cobra.Command) {
		var out, errs bytes.Buffer
		args := append(strings.Fields(c.CommandPath()), "--help")
		if code := Main(args, strings.NewReader(""), &out, &errs); code != 0 {
			t.Fatalf("%v: %s", args, errs.String())
		}
		text, _, _ := strings.Cut(out.String(), "\nGlobal Flags:\n") // the same everywhere: incore's own have them
		fmt.Fprintf(&b, "\n## %s\n\n```\n%s```\n", c.CommandPath(), text)
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				describe(sub)
			}
		}
	}
	describe(root)
	if *update {
		if err := os.WriteFile(referenceFile, []byte(b.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(referenceFile)
	if err != nil {
		t.Fatal(err)
	}
	have, want := strings.Split(string(text), "\n"), strings.Split(b.String(), "\n")
	for i := range want {
		if i >= len(have) || have[i] != want[i] {
			t.Fatalf("docs/commands.md:%d differs from the commands, which say %q; 'go test ./internal/cli -run TestReference -update' writes it", i+1, want[i])
		}
	}
	if len(have) > len(want) {
		t.Fatalf("docs/commands.md:%d: more than the commands say", len(want)+1)
	}
}
