package machine

import (
	"embed"
	"fmt"
	"sort"
	"strings"
	"sync"
)

// embedded holds the models: models/NAME.model, each over a base that a converter
// made (models/llvm/…), which no one edits by hand.
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

// index maps names and aliases (lower case) to the models that bear them.
type index struct {
	names  []string            // canonical, sorted
	byName map[string][]string // name or alias → canonical names (several if ISAs share one: "generic")
	isa    map[string]string
}

var loadIndex = sync.OnceValue(func() *index {
	ix := &index{byName: map[string][]string{}, isa: map[string]string{}}
	entries, err := embedded.ReadDir("models")
	if err != nil {
		panic(err) // the folder is part of the program
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), modelExt)
		if !ok {
			continue
		}
		head := modelHead(readEmbedded("models/" + e.Name()))
		ix.names = append(ix.names, name)
		ix.isa[name] = head["isa"]
		for _, a := range append(strings.Fields(head["aliases"]), name) {
			a = strings.ToLower(a)
			ix.byName[a] = append(ix.byName[a], name)
		}
	}
	sort.Strings(ix.names)
	return ix
})

func readEmbedded(path string) string {
	b, err := embedded.ReadFile(path)
	if err != nil {
		return ""
	}
	return string(b)
}

// modelHead reads the plain keys of a model's header.
func modelHead(text string) map[string]string {
	out := map[string]string{}
	lines(text, func(l logical) bool {
		if isRow(l.text) || strings.HasPrefix(l.text, "source:") {
			return false
		}
		if k, v, ok := strings.Cut(l.text, ":"); ok {
			out[k] = strings.TrimSpace(out[k] + " " + strings.TrimSpace(v))
		}
		return true
	})
	return out
}

// Names returns the canonical names of the embedded models, sorted.
func Names() []string { return loadIndex().names }

// resolve finds the canonical name of a model; isaName, if not empty, settles names that several ISAs use.
func (ix *index) resolve(isaName, name string) (string, error) {
	l := ix.byName[strings.ToLower(strings.TrimSpace(name))]
	for _, n := range l {
		if isaName == "" || ix.isa[n] == isaName {
			return n, nil
		}
	}
	if len(l) > 0 {
		return l[0], nil
	}
	all := make([]string, 0, len(ix.byName))
	for k := range ix.byName {
		all = append(all, k)
	}
	sort.Strings(all)
	if near := nearest(name, all, 4); len(near) > 0 {
		return "", fmt.Errorf("unknown machine '%s' (nearest: %s)", clip(name), strings.Join(near, ", "))
	}
	return "", fmt.Errorf("unknown machine '%s'; 'incore archs' lists all", clip(name))
}

// findEmbedded opens an embedded base: "llvm/Znver4Model", "winic/neoverse-v2" or the name of a model.
func findEmbedded(name string) (file, text string, err error) {
	path := "models/" + name + modelExt
	if !strings.Contains(name, "/") {
		n, err := loadIndex().resolve("", name)
		if err != nil {
			return "", "", err
		}
		path = "models/" + n + modelExt
	}
	if text = readEmbedded(path); text == "" {
		return "", "", fmt.Errorf("there is no embedded model '%s'", clip(name))
	}
	return path, text, nil
}

var cache sync.Map // canonical name → func() (*Model, error)

// Get returns an embedded model by name or alias, in any case. Models are parsed
// once. Names that several ISAs use ("generic") mean the x86-64 one; see GetFor.
func Get(name string) (*Model, error) { return GetFor("", name) }

// GetFor is Get, but prefers the model of an ISA where several share the name.
func GetFor(isaName, name string) (*Model, error) {
	n := name
	if !strings.Contains(name, "/") { // the converters' results as they are
		var err error
		if n, err = loadIndex().resolve(isaName, name); err != nil {
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
			return parseModel(file, text, findEmbedded, 0)
		}))
	}
	return load.(func() (*Model, error))()
}

// All describes every embedded model, sorted by ISA and name, without reading the cost rows.
func All() []*Info {
	var out []*Info
	for _, n := range Names() {
		file, text, err := findEmbedded(n)
		if err != nil {
			continue
		}
		p := parsed{file: file, find: findEmbedded, headOnly: true}
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
}

// sources lists where a model's rows come from, its own first.
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
		name = modelHead(text)["base"]
	}
	return out
}
