package cli

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var update = flag.Bool("update", false, "write what the commands print into docs/tutorial.md")

// TestReference asks every command for its help: it says what the command is for, and its lines fit in 100 columns. Every option says what it does.
func TestReference(t *testing.T) {
	t.Setenv("COLUMNS", "100")
	commands := 0
	for path, c := range allCommands() {
		if c.Name() == "help" || strings.Contains(path, " completion") {
			continue // cobra's texts
		}
		commands++
		text := helpOf(t, path)
		if c.Short == "" || strings.HasSuffix(c.Short, ".") {
			t.Errorf("%s: the line in the list of commands is %q", path, c.Short)
		}
		if c.Long == "" && c.Example == "" && strings.ContainsAny(strings.TrimPrefix(c.UseLine(), path), "ABCDEFGHIJKLMNOPQRSTUVWXYZ") {
			t.Errorf("%s takes arguments, and its help has neither a description nor an example", path)
		}
		if !strings.Contains(text, "Usage:\n") {
			t.Errorf("%s: its help does not say how to call it:\n%s", path, text)
		}
		for _, line := range strings.Split(text, "\n") {
			command := strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "   ") && !strings.HasPrefix(line, "  -") // one line, to be copied or found
			if !command && utf8.RuneCountInString(line) > 100 {
				t.Errorf("%s: a line of its help has more than 100 columns: %s", path, line)
			}
		}
		for name, usage := range optionsOf(c) {
			if usage == "" {
				t.Errorf("%s --%s: no word on what it does", path, name)
			}
			if !strings.Contains(text, "--"+name) {
				t.Errorf("%s: its help lacks --%s", path, name)
			}
		}
	}
	if commands < 30 {
		t.Errorf("only %d commands found", commands)
	}
}

// TestDocumentedOptions holds the pages to the commands: the commands and options that they call by name exist, and each command stands in a page.
func TestDocumentedOptions(t *testing.T) {
	commands, found := allCommands(), map[string]bool{}
	for _, page := range docPages(t) {
		text, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		for _, call := range callRE.FindAllString(string(text), -1) {
			c, path := commandOf(commands, strings.Fields(call))
			for p := path; p != ""; p = p[:max(strings.LastIndex(p, " "), 0)] {
				found[p] = true
			}
			call, _, _ = strings.Cut(call, " -- ") // the program's own options follow
			for _, m := range optionRE.FindAllStringSubmatch(call, -1) {
				if _, ok := optionsOf(c)[m[1]]; !ok && !foreign[path] {
					t.Errorf("%s: %s has no option --%s: %s", page, path, m[1], call)
				}
			}
		}
	}
	for path, c := range commands {
		if c.Runnable() && !found[path] && !strings.Contains(path, " completion") && c.Name() != "help" {
			t.Errorf("%s stands in no page", path)
		}
	}
}

var (
	callRE   = regexp.MustCompile("incore [a-z][^`|\n;&>()]*")
	optionRE = regexp.MustCompile(`(?:^|\s)--([a-z][a-z0-9-]*)`)
	foreign  = map[string]bool{"incore mca": true, "incore osaca": true} // they read the command lines of other programs
)

// allCommands returns the commands by their paths ("incore bench core"), without the hidden ones.
func allCommands() map[string]*cobra.Command {
	root := newRoot(&env{stdin: strings.NewReader(""), stdout: os.Stdout, stderr: os.Stderr})
	root.InitDefaultCompletionCmd()
	root.InitDefaultHelpCmd()
	out := map[string]*cobra.Command{}
	var add func(c *cobra.Command)
	add = func(c *cobra.Command) {
		c.InitDefaultHelpFlag()
		out[c.CommandPath()] = c
		for _, sub := range c.Commands() {
			if !sub.Hidden {
				add(sub)
			}
		}
	}
	add(root)
	return out
}

// commandOf returns the command that the words call, and its path.
func commandOf(commands map[string]*cobra.Command, words []string) (*cobra.Command, string) {
	path := words[0]
	for _, w := range words[1:] {
		if commands[path+" "+w] == nil {
			break
		}
		path += " " + w
	}
	return commands[path], path
}

// optionsOf returns the visible options of a command, and what they do.
func optionsOf(c *cobra.Command) map[string]string {
	out := map[string]string{}
	add := func(f *pflag.Flag) {
		if !f.Hidden {
			out[f.Name] = f.Usage
		}
	}
	c.LocalFlags().VisitAll(add)
	c.InheritedFlags().VisitAll(add)
	return out
}

func helpOf(t *testing.T, path string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Main(append(strings.Fields(path), "--help"), strings.NewReader(""), &out, &errs); code != 0 {
		t.Fatalf("%s --help: %s", path, errs.String())
	}
	return out.String()
}

// docPages are the pages for users.
func docPages(t *testing.T) []string {
	t.Helper()
	pages, err := filepath.Glob("../../docs/*.md")
	if err != nil || len(pages) < 20 {
		t.Fatalf("%d pages: %v", len(pages), err)
	}
	return append(pages, "../../README.md", "../../examples/README.md")
}
