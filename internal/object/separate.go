package object

import (
	"bytes"
	"debug/dwarf"
	"debug/elf"
	"encoding/binary"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
	"strings"

	"incore/internal/base/platform"
)

// separate is what an ELF file says of debugging information in a file of its own.
type separate struct {
	wanted  bool   // the file itself has none
	unnamed bool   // it has no symbols but those for the dynamic linker
	link    string // the name in .gnu_debuglink, "" if there is none
	sum     uint32 // the CRC-32 of that file
}

// separated notes whether debugging information may be in another file.
func (l *loader) separated(e *elf.File) {
	s := &l.f.separate
	s.wanted, s.unnamed = true, e.Section(".symtab") == nil
	for _, x := range e.Sections {
		if isDebug(x.Name) && strings.HasSuffix(x.Name, "debug_info") && x.Type != elf.SHT_NOBITS {
			s.wanted = false
		}
		if x.Name != ".gnu_debuglink" {
			continue
		}
		data, err := l.contents(x)
		name, _, ok := bytes.Cut(data, []byte{0})
		if at := (len(name) + 4) &^ 3; err == nil && ok && at+4 <= len(data) && len(name) > 0 && filepath.Base(string(name)) == string(name) {
			s.link, s.sum = string(name), binary.LittleEndian.Uint32(data[at:])
		}
	}
}

// debugRoot is the folder of the system's debugging information.
const debugRoot = "/usr/lib/debug"

// debuginfodCache is the folder in which the client of debuginfod keeps what it has fetched, "" if there is none.
func debuginfodCache() string {
	if path := os.Getenv("DEBUGINFOD_CACHE_PATH"); path != "" {
		return path
	}
	if path := os.Getenv("XDG_CACHE_HOME"); path != "" {
		return filepath.Join(path, "debuginfod_client")
	}
	if path := os.Getenv("HOME"); path != "" {
		return filepath.Join(path, ".cache", "debuginfod_client")
	}
	return ""
}

// FollowDebug takes source lines, and symbols if the file has none, from a file of their own, as gdb finds it: by the
// build id, also among the files that debuginfod has sent, else by the name and the checksum in .gnu_debuglink.
// Nothing is fetched. Open calls it; those who read a file that lies at a path by other means may do so before they
// use the File. A warning tells of a file that is not the right one, or that .gnu_debuglink names one that is not
// there.
func (f *File) FollowDebug(path string) { f.followDebug(path, debugRoot, debuginfodCache()) }

// unreadable is the reason not to take a damaged file, or one without debugging information.
const unreadable = " has no debugging information that can be read"

func (f *File) followDebug(path, root, cache string) {
	s := &f.separate
	if !s.wanted {
		return
	}
	wrong := ""
	for _, name := range f.byBuild(root, cache) {
		switch found, same := f.debugFile(name); {
		case same && f.take(name):
			return
		case same:
			wrong = name + unreadable
		case found:
			wrong = name + " is not of this build"
		}
	}
	if s.link == "" && wrong == "" {
		return
	}
	for _, name := range s.places(path, root) {
		switch sum, err := checksum(name); {
		case err != nil:
		case sum != s.sum:
			wrong = name + " has another checksum"
		case f.take(name):
			return
		default:
			wrong = name + unreadable
		}
	}
	if wrong == "" {
		wrong = s.link + ", which has it, is not here"
		if f.buildID != "" {
			wrong += " ('debuginfod-find debuginfo " + path + "' may fetch it)"
		}
	}
	f.warn("debugging information is left out: %s", wrong)
}

// byBuild lists where the file of this build may be.
func (f *File) byBuild(root, cache string) (names []string) {
	if len(f.buildID) > 2 {
		names = append(names, filepath.Join(root, ".build-id", f.buildID[:2], f.buildID[2:]+".debug"))
		if cache != "" {
			names = append(names, filepath.Join(cache, f.buildID, "debuginfo"))
		}
	}
	return names
}

// places lists where the file that .gnu_debuglink names may be.
func (s *separate) places(path, root string) []string {
	if s.link == "" {
		return nil
	}
	if real, err := filepath.EvalSymlinks(path); err == nil {
		path = real
	}
	dir, err := filepath.Abs(filepath.Dir(path))
	if err != nil {
		return nil
	}
	return []string{filepath.Join(dir, s.link), filepath.Join(dir, ".debug", s.link), filepath.Join(root, dir, s.link)}
}

// debugFile reports whether there is an ELF file of a name, and whether it has this file's build id.
func (f *File) debugFile(name string) (found, same bool) {
	x, err := openRegular(name)
	if err != nil {
		return false, false
	}
	defer x.Close()
	e, err := elf.NewFile(x)
	if err != nil {
		return true, false
	}
	var other File
	other.placed(e)
	return true, other.buildID == f.buildID
}

// openRegular opens a file that is no pipe and no device, whose reading might not end.
func openRegular(name string) (*os.File, error) {
	if info, err := os.Stat(name); err != nil || !info.Mode().IsRegular() || info.Size() > maxFile {
		return nil, os.ErrNotExist
	}
	return os.Open(name)
}

// checksum is the CRC-32 of a file.
func checksum(name string) (uint32, error) {
	x, err := openRegular(name)
	if err != nil {
		return 0, err
	}
	defer x.Close()
	h := crc32.NewIEEE()
	_, err = io.Copy(h, x)
	return h.Sum32(), err
}

// take has source lines read from another file when they are first needed, and takes symbols from it. It reports whether it is such a file.
func (f *File) take(name string) (ok bool) {
	defer func() { // the standard library's readers are hardened, but the data may be hostile
		ok = recover() == nil && ok
	}()
	x, err := openRegular(name)
	if err != nil {
		return false
	}
	defer x.Close()
	e, err := elf.NewFile(x)
	if err != nil || platform.OfELF(e.Machine) != f.ISA.Name || e.Section(".debug_info") == nil && e.Section(".zdebug_info") == nil {
		return false
	}
	var sizes expansion
	if sizes.addAll(e) != nil || sizes.debug != "" {
		return false
	}
	f.dwarfOf = func() (*dwarf.Data, error) {
		x, err := elf.Open(name)
		if err != nil {
			return nil, err
		}
		defer x.Close()
		return x.DWARF()
	}
	if f.separate.unnamed {
		syms, _ := e.Symbols()
		l := loader{f: f}
		l.elfSymbols(e, syms, func(s elf.Symbol) uint64 { return s.Value })
	}
	return true
}
