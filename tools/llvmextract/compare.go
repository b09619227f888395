package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"sort"
	"strings"
)

// compare reports, file by file, where the JSON files of two folders differ. Plain
// files and files compressed with xz are compared alike; the order of an object's
// keys does not count.
func compare(a, b string) error {
	left, err := jsonFiles(a)
	if err != nil {
		return err
	}
	right, err := jsonFiles(b)
	if err != nil {
		return err
	}
	names := slices.Concat(keys(left), keys(right))
	sort.Strings(names)
	names = slices.Compact(names)
	different := 0
	for _, n := range names {
		if left[n] == "" || right[n] == "" {
			fmt.Printf("%s: only in %s\n", n, map[bool]string{true: b, false: a}[left[n] == ""])
			different++
			continue
		}
		x, err := load(left[n])
		if err != nil {
			return err
		}
		y, err := load(right[n])
		if err != nil {
			return err
		}
		d := &differ{}
		d.walk("", x, y)
		if d.count > 0 {
			different++
			fmt.Printf("%s: %d differences\n%s", n, d.count, strings.Join(d.shown, ""))
		}
	}
	fmt.Printf("%d files compared, %d differ\n", len(names), different)
	if different > 0 {
		return fmt.Errorf("%d files differ", different)
	}
	return nil
}

func keys(m map[string]string) []string {
	var out []string
	for k := range m {
		out = append(out, k)
	}
	return out
}

// jsonFiles returns name → path of the .json and .json.xz files in a folder.
func jsonFiles(dir string) (map[string]string, error) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	out := map[string]string{}
	for _, e := range entries {
		name := strings.TrimSuffix(e.Name(), ".xz")
		if strings.HasSuffix(name, ".json") {
			out[name] = filepath.Join(dir, e.Name())
		}
	}
	return out, nil
}

func load(path string) (v any, err error) {
	var data []byte
	if strings.HasSuffix(path, ".xz") {
		data, err = exec.Command("xz", "-dc", path).Output()
	} else {
		var f *os.File
		if f, err = os.Open(path); err == nil {
			data, err = io.ReadAll(f)
			f.Close()
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if err := json.Unmarshal(data, &v); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return v, nil
}

// differ counts differences and keeps the first few.
type differ struct {
	count int
	shown []string
}

const maxShown = 10

func (d *differ) walk(path string, x, y any) {
	switch a := x.(type) {
	case map[string]any:
		if b, ok := y.(map[string]any); ok {
			d.objects(path, a, b)
			return
		}
	case []any:
		if b, ok := y.([]any); ok && len(a) == len(b) {
			for i := range a {
				d.walk(fmt.Sprintf("%s[%d]", path, i), a[i], b[i])
			}
			return
		}
	}
	if !reflect.DeepEqual(x, y) {
		d.report(path, x, y)
	}
}

func (d *differ) objects(path string, a, b map[string]any) {
	for k, v := range a {
		if w, ok := b[k]; ok {
			d.walk(path+"."+k, v, w)
		} else {
			d.report(path+"."+k, v, "(absent)")
		}
	}
	for k, w := range b {
		if _, ok := a[k]; !ok {
			d.report(path+"."+k, "(absent)", w)
		}
	}
}

func (d *differ) report(path string, x, y any) {
	d.count++
	if len(d.shown) < maxShown {
		d.shown = append(d.shown, fmt.Sprintf("    %s: %.120s | %.120s\n", path, fmt.Sprint(x), fmt.Sprint(y)))
	}
}
