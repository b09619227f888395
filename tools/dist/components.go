package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"time"

	"incore/internal/report"
)

// components writes the list of components: those of the programs of all platforms, since some modules are for one system only.
func (d *dist) components() error {
	var all any
	for i, program := range d.programs {
		name := filepath.Join(d.work, fmt.Sprintf("%d.cdx.json", i))
		cmd := exec.Command("go", "run", cyclonedx, "bin", "-json", "-licenses", "-noserial", "-std", "-version", "v"+report.Version, "-output", name, program)
		cmd.Env = append(os.Environ(), "GOOS=", "GOARCH=")
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("cyclonedx-gomod: %w\n%s", err, out)
		}
		data, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		v, err := componentsOf(data, d.when)
		if err != nil {
			return fmt.Errorf("cyclonedx-gomod: %w", err)
		}
		if i == 0 {
			all = v
		} else {
			all = union(all, v)
		}
	}
	data, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(d.out, fmt.Sprintf("incore-%s.cdx.json", report.Version)), append(data, '\n'), 0o666)
}

// platformOf is what the name of a component says of the platform of the program that it was found in.
var platformOf = regexp.MustCompile(`(?:&|\\u0026)goos=\w+(?:&|\\u0026)goarch=\w+`)

// componentsOf reads the list of components of a program, without what only holds for its platform, and dates it.
func componentsOf(data []byte, when time.Time) (map[string]any, error) {
	var v map[string]any
	if err := json.Unmarshal(platformOf.ReplaceAll(data, nil), &v); err != nil {
		return nil, err
	}
	if m, ok := v["metadata"].(map[string]any); ok {
		delete(m, "tools")
		delete(m, "properties") // of the program's bytes
		m["timestamp"] = when.Format(time.RFC3339)
	}
	return v, nil
}

// union returns a JSON value that has what either of two has. Of two objects with a key, and of two elements of a list with the same name, the union stands for both; else the
// first counts.
func union(a, b any) any {
	switch x := a.(type) {
	case map[string]any:
		y, _ := b.(map[string]any)
		for k, v := range y {
			if old, ok := x[k]; ok {
				v = union(old, v)
			}
			x[k] = v
		}
		return x
	case []any:
		y, _ := b.([]any)
		for _, v := range y {
			i := slices.IndexFunc(x, func(old any) bool { return reflect.DeepEqual(named(old), named(v)) })
			if i < 0 {
				x = append(x, v)
			} else {
				x[i] = union(x[i], v)
			}
		}
		slices.SortStableFunc(x, func(a, b any) int { return cmp.Compare(fmt.Sprint(named(a)), fmt.Sprint(named(b))) })
		return x
	}
	return a
}

// named returns the name of an element of a list; what has none is its own name.
func named(v any) any {
	if m, ok := v.(map[string]any); ok {
		for _, key := range []string{"bom-ref", "ref", "aggregate"} {
			if s, ok := m[key]; ok {
				return s
			}
		}
	}
	return v
}
