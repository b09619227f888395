package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
)

// object is a JSON object; its keys are written in sorted order.
type object map[string]any

// writer writes the files of one target; the first error stays.
type writer struct {
	dir, target, version string
	err                  error
}

// file writes NAME.json with the common head added.
func (w *writer) file(name string, o object) {
	if w.err != nil {
		return
	}
	all := object{"schema": 1, "target": w.target, "llvm": w.version, "licence": licence}
	maps.Copy(all, o)
	path := filepath.Join(w.dir, name+".json")
	if w.err = writeJSON(path, all); w.err == nil {
		fmt.Println(" ", filepath.Base(path))
	}
}

func writeJSON(path string, o object) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	b := bufio.NewWriter(f)
	e := json.NewEncoder(b)
	e.SetEscapeHTML(false)
	err = e.Encode(o)
	if ferr := b.Flush(); err == nil {
		err = ferr
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	return err
}
