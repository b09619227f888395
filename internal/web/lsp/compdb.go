package lsp

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"incore/internal/base/source"
)

// compilation is an entry of compile_commands.json (Clang's "JSON Compilation Database Format Specification").
type compilation struct {
	Directory string   `json:"directory"`
	File      string   `json:"file"`
	Command   string   `json:"command"`
	Arguments []string `json:"arguments"`
	Output    string   `json:"output"`
}

// databases holds the compilation databases that were read.
type databases struct {
	mu   sync.Mutex
	read map[string]*database
}

type database struct {
	time    time.Time
	entries map[string]*compilation // by absolute path of the source file
}

// maxDatabase is the size of a compilation database beyond which it is not read.
const maxDatabase = 256 << 20

// find returns the compilation of a source file, nil if no compile_commands.json in its folder, in the folders above, or in their folders build has it.
func (d *databases) find(path string) *compilation {
	for dir := filepath.Dir(path); ; dir = filepath.Dir(dir) {
		for _, name := range []string{filepath.Join(dir, "compile_commands.json"), filepath.Join(dir, "build", "compile_commands.json")} {
			if db := d.open(name); db != nil && db.entries[path] != nil {
				return db.entries[path]
			}
		}
		if dir == filepath.Dir(dir) {
			return nil
		}
	}
}

// open reads a database, again if the file has changed; nil if there is none.
func (d *databases) open(name string) *database {
	info, err := os.Stat(name)
	if err != nil || info.Size() > maxDatabase {
		return nil
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if db := d.read[name]; db != nil && db.time.Equal(info.ModTime()) {
		return db
	}
	db := &database{time: info.ModTime(), entries: map[string]*compilation{}}
	data, err := os.ReadFile(name)
	var list []*compilation
	if err == nil && json.Unmarshal(data, &list) == nil {
		for _, c := range list {
			if c != nil {
				db.entries[c.resolve(c.File)] = c
			}
		}
	}
	if d.read == nil {
		d.read = map[string]*database{}
	}
	d.read[name] = db
	return db
}

// resolve returns the absolute path of a name in the compilation.
func (c *compilation) resolve(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(c.Directory, name)
}

// args returns the words of the command.
func (c *compilation) args() []string {
	if len(c.Arguments) > 0 {
		return c.Arguments
	}
	return source.Words(c.Command)
}

// object returns the path of the file that the compilation makes, "" if it is not known.
func (c *compilation) object() string {
	if c.Output != "" {
		return c.resolve(c.Output)
	}
	args, name := c.args(), ""
	for i := 0; i < len(args); i++ {
		if args[i] == "-o" && i+1 < len(args) {
			i++
			name = args[i]
		} else if n, ok := strings.CutPrefix(args[i], "-o"); ok && n != "" {
			name = n
		}
	}
	if name == "" {
		return ""
	}
	return c.resolve(name)
}

// machineOptions are the options that name a machine, in the order in which they decide.
var machineOptions = []string{"-mcpu=", "-Ctarget-cpu=", "-march=", "-mtune="}

// machines returns the machines that the options name. Of an option that is given several times the last counts, as for compilers.
func (c *compilation) machines() (out []string) {
	args := c.args()
	for _, option := range machineOptions {
		last := ""
		for _, a := range args {
			if name, ok := strings.CutPrefix(a, option); ok {
				last = name
			}
		}
		if last != "" {
			out = append(out, last)
		}
	}
	return out
}
