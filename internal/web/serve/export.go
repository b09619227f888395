package serve

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"incore/internal/base/output"
)

// The analyser as WebAssembly and its loader, which must be of the same version of Go.
const (
	wasmName    = "incore.wasm"
	starterName = "wasm_exec.js"
)

// ErrNoAnalyser is the error for a missing WebAssembly file; it tells how to make one.
var ErrNoAnalyser = errors.New("the analyser as WebAssembly is needed: run this in a clone of incore with Go installed; or build it there " +
	"(GOOS=js GOARCH=wasm go build -ldflags='-s -w' -o incore.wasm ./cmd/incore-wasm), put Go's lib/wasm/wasm_exec.js beside it, and give --wasm incore.wasm")

// Export writes the page with the analyser as WebAssembly into a folder, as static files for any web server, and returns the names of the files. wasm is a WebAssembly file
// next to Go's wasm_exec.js; "": Go builds it if the working folder is in a clone of incore, otherwise it is the file next to the program.
func Export(ctx context.Context, dir, wasm string) (names []string, err error) {
	starter := filepath.Join(filepath.Dir(wasm), starterName)
	if wasm == "" {
		built, err := os.MkdirTemp("", "incore-wasm")
		if err != nil {
			return nil, err
		}
		defer os.RemoveAll(built)
		if wasm, starter, err = analyser(ctx, built); err != nil {
			return nil, err
		}
	}
	files := parts(true)
	for name, from := range map[string]string{wasmName: wasm, starterName: starter} {
		data, err := os.ReadFile(from)
		if err != nil {
			return nil, fmt.Errorf("reading the analyser as WebAssembly: %w", err)
		}
		files = append(files, part{name: name, data: data})
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	for _, p := range files {
		if err := write(filepath.Join(dir, p.name), p.data); err != nil {
			return names, err
		}
		names = append(names, p.name)
	}
	return names, nil
}

func write(name string, data []byte) error {
	f, err := output.Create(name)
	if err != nil {
		return err
	}
	defer f.Abort()
	if _, err := f.Write(data); err != nil {
		return err
	}
	return f.Commit()
}

// analyser builds the WebAssembly in a folder if Go and the sources are available, otherwise it finds the file next to the program.
func analyser(ctx context.Context, dir string) (wasm, starter string, err error) {
	if tool, err := exec.LookPath("go"); err == nil && tell(ctx, tool, "list", "-m") == "incore" {
		wasm = filepath.Join(dir, wasmName)
		build := exec.CommandContext(ctx, tool, "build", "-trimpath", "-ldflags=-s -w", "-o", wasm, "incore/cmd/incore-wasm")
		build.Env = append(os.Environ(), "GOOS=js", "GOARCH=wasm", "CGO_ENABLED=0")
		if text, err := build.CombinedOutput(); err != nil {
			return "", "", fmt.Errorf("building the analyser as WebAssembly: %w\n%s", err, strings.TrimSpace(string(text)))
		}
		root := tell(ctx, tool, "env", "GOROOT")
		for _, folder := range []string{"lib", "misc"} { // the latter before Go 1.24
			starter = filepath.Join(root, folder, "wasm", starterName)
			if _, err := os.Stat(starter); err == nil {
				return wasm, starter, nil
			}
		}
		return "", "", fmt.Errorf("the installation of Go in %s lacks lib/wasm/%s", root, starterName)
	}
	if self, err := os.Executable(); err == nil {
		wasm = filepath.Join(filepath.Dir(self), wasmName)
		starter = filepath.Join(filepath.Dir(self), starterName)
		if _, err := os.Stat(wasm); err == nil {
			return wasm, starter, nil
		}
	}
	return "", "", ErrNoAnalyser
}

// tell returns the line that a call of the go command prints, "" if it fails.
func tell(ctx context.Context, tool string, args ...string) string {
	text, err := exec.CommandContext(ctx, tool, args...).Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}
