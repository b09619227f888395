package lsp

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/base/source"
	"incore/internal/machine"
)

// Settings are what a user may set, under the name "incore" in the editor's configuration. DefaultSettings has the defaults.
type Settings struct {
	Arch        string              `json:"arch"`    // machines, separated by commas: the first of the code's instruction set counts; "": this machine
	ISA         string              `json:"isa"`     // "": detected
	Syntax      string              `json:"syntax"`  // "": detected
	Objects     []string            `json:"objects"` // object files or executables with the loops of source files, relative to the workspace
	Hover       bool                `json:"hover"`
	InlayHints  bool                `json:"inlayHints"`
	CodeLens    bool                `json:"codeLens"`
	Completion  bool                `json:"completion"`
	Definition  bool                `json:"definition"`
	Symbols     bool                `json:"symbols"`
	Diagnostics DiagnosticsSettings `json:"diagnostics"`
}

// DiagnosticsSettings switch the kinds of diagnostics.
type DiagnosticsSettings struct {
	Marks   bool `json:"marks"`   // marks without a partner
	Unknown bool `json:"unknown"` // instructions that cannot be read, or whose costs are not known
	Advice  bool `json:"advice"`  // changes that make a loop faster, as hints
}

// DefaultSettings has everything on.
func DefaultSettings() Settings {
	return Settings{Hover: true, InlayHints: true, CodeLens: true, Completion: true, Definition: true, Symbols: true, Diagnostics: DiagnosticsSettings{true, true, true}}
}

// merge reads settings that a client sent over the current ones. Clients send them with or without the section's name around them. "diagnostics": false switches all kinds off.
// The error names a setting of a wrong type, in which case none changes, or one that there is not.
func (s *Settings) merge(data json.RawMessage) error {
	if len(data) == 0 || string(data) == "null" {
		return nil
	}
	var named struct {
		Incore json.RawMessage `json:"incore"`
	}
	if err := json.Unmarshal(data, &named); err != nil {
		return errors.New("settings: an object is expected")
	}
	if len(named.Incore) > 0 {
		return s.merge(named.Incore)
	}
	var kinds struct {
		Diagnostics *bool `json:"diagnostics"`
	}
	out := *s
	if json.Unmarshal(data, &kinds) == nil && kinds.Diagnostics != nil {
		on := *kinds.Diagnostics
		var rest map[string]json.RawMessage
		if err := json.Unmarshal(data, &rest); err != nil {
			return err
		}
		delete(rest, "diagnostics")
		data, _ = json.Marshal(rest)
		out.Diagnostics = DiagnosticsSettings{on, on, on}
	}
	if err := json.Unmarshal(data, &out); err != nil {
		if field, words, ok := source.WrongKind(err); ok {
			return fmt.Errorf("settings: incore.%s %s", field, words)
		}
		return fmt.Errorf("settings: %w", err)
	}
	*s = out
	return unknownIn(data)
}

// The names of settings, and of those of diagnostics. Visual Studio Code has incore.path and incore.trace for itself.
var (
	names = []string{"arch", "isa", "syntax", "objects", "hover", "inlayHints", "codeLens", "completion",
		"definition", "symbols", "diagnostics", "path", "trace"}
	kindNames = []string{"marks", "unknown", "advice"}
)

// unknownIn is the error about settings that there are not. Objects that are none of incore's are left to other
// servers.
func unknownIn(data json.RawMessage) error {
	var given, kinds map[string]json.RawMessage
	_ = json.Unmarshal(data, &given) // merge has read it
	_ = json.Unmarshal(given["diagnostics"], &kinds)
	for _, name := range slices.Sorted(maps.Keys(given)) {
		if !slices.Contains(names, name) && given[name][0] != '{' {
			return fmt.Errorf("settings: there is no incore.%s: %s", name, machine.NearestHint(name, names[:len(names)-2]))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(kinds)) {
		if !slices.Contains(kindNames, name) {
			return fmt.Errorf("settings: there is no incore.diagnostics.%s: %s", name, machine.NearestHint(name, kindNames))
		}
	}
	return nil
}

// machines returns the machines of the settings.
func (s *Settings) machines() (out []string) {
	for _, name := range strings.Split(s.Arch, ",") {
		if name = strings.TrimSpace(name); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// chosenIn finds a comment that names the machine: "# incore: zen4", "// incore: arch=neoverse-v2".
var chosenIn = regex.Lazy(`(?m)(?:#|//|;|/\*|!|@)[ \t]*incore:[ \t]*(?:arch[ \t]*=[ \t]*)?([\w./-]+(?:[ \t]*,[ \t]*[\w./-]+)*)`)

// head is the number of bytes at a text's start in which a comment may name the machine.
const head = 8 << 10

// commented returns the machines that a comment at the start of a text names.
func commented(s string) []string {
	m := chosenIn().FindStringSubmatch(s[:min(len(s), head)])
	if m == nil {
		return nil
	}
	return (&Settings{Arch: m[1]}).machines()
}
