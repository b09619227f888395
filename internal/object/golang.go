package object

import (
	"slices"
	"strings"
)

// goLibrary are the first elements of the import paths of Go's own packages.
var goLibrary = func() map[string]bool {
	names := map[string]bool{}
	for _, n := range strings.Fields("archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar flag fmt go hash html image index internal io iter log maps " +
		"math mime net os path plugin reflect regexp runtime slices sort strconv strings structs sync syscall testing text time type type: go: unicode unique unsafe vendor weak") {
		names[n] = true
	}
	return names
}()

// OfRuntime reports whether a function of a Go program belongs to Go's run-time system or standard library and not to the program's own packages, or one of a
// statically linked program to the C library.
func (fn *Function) OfRuntime() bool {
	if !fn.file.golang {
		return fn.file.ofLibrary(fn)
	}
	name := fn.Name
	if i := strings.IndexByte(name, '['); i >= 0 { // type arguments
		name = name[:i]
	}
	dir, _, nested := strings.Cut(name, "/")
	if !nested {
		var symbol string
		if dir, symbol, _ = strings.Cut(name, "."); symbol == "" { // assembly code: memeqbody
			return true
		}
	}
	return goLibrary[dir]
}

// isOfGo reports whether a section of this name tells a program of Go.
func isOfGo(s section) bool {
	return slices.Contains([]string{".gopclntab", "__gopclntab", ".go.buildinfo", "__go_buildinfo"}, s.name)
}
