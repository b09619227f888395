package object

import (
	"path/filepath"
	"strings"
	"testing"
)

// TestLinesOfFlags: the lines of a loop are found whatever form of debug information the compiler writes.
func TestLinesOfFlags(t *testing.T) {
	const text = "volatile double a[900];\n\nint main(void) {\n  double t = 0;\n  for (int i = 0; i < 900; i++)\n    t += a[i] * a[i];\n  return t > 3;\n}\n"
	for _, flags := range []string{"-g", "-g1", "-g -c", "-g -gdwarf-4", "-g -gdwarf-5", "-g -gsplit-dwarf", "-g -gsplit-dwarf -gdwarf-4", "-g -gsplit-dwarf -c", "-g -gz", "-g -flto", "-g -no-pie -static"} {
		t.Run(flags, func(t *testing.T) {
			f := compiled(t, text, append([]string{"-O1"}, strings.Fields(flags)...)...)
			fn := f.Function("main")
			if fn == nil {
				t.Fatal("no main")
			}
			found := false
			for addr := fn.Addr; addr < fn.Addr+fn.Size; addr++ {
				file, line := f.SourceLine(addr)
				found = found || filepath.Base(file) == "a.c" && line == 6
			}
			if !found {
				t.Error("no code of line 6 in main")
			}
		})
	}
}
