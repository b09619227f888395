package machine

import (
	"embed"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"sync"

	"incore/internal/base/source"
)

// embedded holds the models. models/NAME.model is written by hand, over a base that a converter made (models/llvm/…) and that no one edits by hand.
//
//go:embed models
var embedded embed.FS

const modelExt = ".model"

// Info describes a model without its rows.
type Info struct {
	Name, Title, ISA string
	Aliases          []string
	Ports            []Port
	Params           Params
	Coverage         string // share of the ISA's forms that have data
	Sources          []string
	Notes            []string
	Borrowed         bool // the costs are another core's
}

// names holds the names of all models.
type names struct {
	list    []string // canonical, sorted
	aliases []alias  // of all models, canonical names included; several ISAs may share one ("generic")
	detect  []alias  // what identifies a CPU (an entry of "detect:"), with its model
	peers   []alias  // names of cores in other tools ("osaca=SKX,SKL"), with the model
}

type alias struct{ name, model, isa string }

var allNames = sync.OnceValue(readNames)

func readNames() *names {
	entries, err := embedded.ReadDir("models")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	out := &names{list: make([]string, 0, len(entries)), aliases: make([]alias, 0, 8*len(entries))}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), modelExt)
		if !ok {
			continue
		}
		head := modelHead(readEmbedded("models/" + e.Name()))
		out.list = append(out.list, name)
		for a := range strings.FieldsSeq(head.aliases) {
			out.aliases = append(out.aliases, alias{a, name, head.isa})
		}
		out.aliases = append(out.aliases, alias{name, name, head.isa})
		for d := range strings.FieldsSeq(head.detect) {
			out.detect = append(out.detect, alias{d, name, head.isa})
		}
		for p := range strings.FieldsSeq(head.peers) {
			out.peers = append(out.peers, alias{p, name, head.isa})
		}
	}
	sort.Strings(out.list)
	return out
}

// readEmbedded returns an embedded file, "" if it does not exist. It avoids embed.FS.ReadFile, whose result would have to be copied into a string.
func readEmbedded(path string) string {
	f, err := embedded.Open(path)
	if err != nil {
		return ""
	}
	var b strings.Builder
	if info, err := f.Stat(); err == nil {
		b.Grow(int(info.Size()))
	}
	if _, err := io.CopyBuffer(&b, f, make([]byte, 1024)); err != nil {
		return ""
	}
	return b.String()
}

// head holds the entries of a model's header about its names and its base.
type head struct{ isa, aliases, base, detect, peers string }

// modelHead reads a model up to its rows.
func modelHead(text string) (h head) {
	lines(text, logical{line: 1}, func(l logical) bool {
		s := l.join()
		if isRow(s) || strings.HasPrefix(s, sourceKey) {
			return false
		}
		k, v, _ := strings.Cut(s, ":")
		switch v = strings.TrimSpace(v); k {
		case "isa":
			h.isa = v
		case "base":
			h.base = v
		case "aliases":
			h.aliases += " " + v
		case "detect":
			h.detect += " " + v
		case "peers":
			h.peers += " " + v
		}
		return true
	})
	return h
}

// Names returns the canonical names of the embedded models, sorted.
func Names() []string { return allNames().list }

// Peer returns another tool's names of a model's core ("osaca", "uica"), its own name first, then those of the most similar cores; nil if the model
// states none.
func Peer(tool, model string) []string {
	for _, p := range allNames().peers {
		if t, list, _ := strings.Cut(p.name, "="); t == tool && p.model == model {
			return strings.Split(list, ",")
		}
	}
	return nil
}

// resolve returns the canonical name of a model; isaName, if not empty, decides between ISAs that share a name.
func (ix *names) resolve(isaName, name string) (string, error) {
	name = strings.TrimSpace(name)
	model := ""
	for _, a := range ix.aliases {
		switch {
		case !strings.EqualFold(a.name, name):
		case isaName == "" || a.isa == isaName:
			return a.model, nil
		case model == "":
			model = a.model
		}
	}
	if model != "" {
		return model, nil
	}
	all := make([]string, len(ix.aliases))
	for i, a := range ix.aliases {
		all[i] = strings.ToLower(a.name)
	}
	sort.Strings(all)
	if near := nearest(name, slices.Compact(all), 4); len(near) > 0 {
		return "", fmt.Errorf("unknown machine '%s' (nearest: %s)", clip(name), strings.Join(near, ", "))
	}
	return "", source.About(fmt.Errorf("unknown machine '%s'; the list of machines has all", clip(name)), "machines")
}

// findEmbedded returns an embedded base: "llvm/Znver4Model", "winic/neoverse-v2" or the name of a model.
func findEmbedded(name string) (file, text string, err error) {
	path := "models/" + name + modelExt
	if !strings.Contains(name, "/") {
		n, err := allNames().resolve("", name)
		if err != nil {
			return "", "", err
		}
		path = "models/" + n + modelExt
	}
	if t, ok := embeddedTables.Load(path); ok {
		return path, t.(*table).text, nil
	}
	if text = readEmbedded(path); text == "" {
		return "", "", fmt.Errorf("there is no embedded model '%s'", clip(name))
	}
	return path, text, nil
}

var embeddedTables sync.Map // path of an embedded file → *table

// embeddedTable returns the table of an embedded file, shared by all models over it.
func embeddedTable(file, text string, first logical, source string) *table {
	t, ok := embeddedTables.Load(file)
	if !ok {
		t, _ = embeddedTables.LoadOrStore(file, newTable(file, text, first, source))
	}
	return t.(*table)
}

var cache sync.Map // canonical name → func() (*Model, error)

// Get returns an embedded model by name or alias, in any case. Models are parsed once. If several ISAs share the name ("generic"), the model is the
// x86-64 one; see GetFor.
func Get(name string) (*Model, error) { return GetFor("", name) }

// GetFor is Get, but prefers the model of the given ISA if several share the name. "native" and "host" are the machine that incore runs on.
func GetFor(isaName, name string) (*Model, error) {
	if own := strings.ToLower(name); own == "native" || own == "host" {
		host, why, ok := Host()
		if !ok {
			return nil, source.About(fmt.Errorf("this machine has no model: %s; the list of machines has those that there are", why), "machines")
		}
		name = host
	}
	n := name
	if !strings.Contains(name, "/") { // unmodified results of the converters
		var err error
		if n, err = allNames().resolve(isaName, name); err != nil {
			return nil, err
		}
	}
	load, ok := cache.Load(n)
	if !ok {
		load, _ = cache.LoadOrStore(n, sync.OnceValues(func() (*Model, error) {
			file, text, err := findEmbedded(n)
			if err != nil {
				return nil, err
			}
			return (&parsed{file: file, embedded: true}).run(text)
		}))
	}
	return load.(func() (*Model, error))()
}

// All describes every embedded model, sorted by ISA and name, without reading the cost rows. Callers must not change the descriptions.
func All() []*Info { return slices.Clone(described()) }

// described reads the descriptions at the first use.
var described = sync.OnceValue(func() []*Info {
	var out []*Info
	for _, n := range Names() {
		file, text, err := findEmbedded(n)
		if err != nil {
			continue
		}
		p := parsed{file: file, embedded: true, headOnly: true}
		m, err := p.run(text)
		if err != nil {
			continue // TestModels reports it
		}
		i := &Info{Name: m.Name, Title: m.Title, ISA: m.ISA, Aliases: m.Aliases, Ports: m.Ports, Params: m.Params,
			Coverage: m.Coverage, Notes: m.Notes, Borrowed: p.head.values["borrowed"] != "", Sources: sources(n)}
		out = append(out, i)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].ISA > out[j].ISA })
	return out
})

// sources lists the sources of a model's rows, its own first.
func sources(name string) []string {
	var out []string
	seen := map[string]bool{}
	for depth := 0; name != "" && depth <= maxDepth; depth++ {
		_, text, err := findEmbedded(name)
		if err != nil {
			break
		}
		for rest := text; ; {
			i := strings.Index(rest, "\nsource:")
			if i < 0 {
				break
			}
			rest = rest[i+len("\nsource:"):]
			s, _, _ := strings.Cut(rest, "\n")
			if s = strings.TrimSpace(s); !seen[s] {
				seen[s] = true
				out = append(out, s)
			}
		}
		name = modelHead(text).base
	}
	return out
}
