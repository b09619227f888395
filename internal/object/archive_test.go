package object_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"incore/internal/base/growth"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// archive makes a static library as ar does; long names stand in a table.
func archive(members map[string][]byte, order ...string) []byte {
	var names, out bytes.Buffer
	out.WriteString("!<arch>\n")
	put := func(name string, data []byte) {
		fmt.Fprintf(&out, "%-16s%-12d%-6d%-6d%-8s%-10d`\n", name, 0, 0, 0, "644", len(data))
		out.Write(data)
		if len(data)%2 == 1 {
			out.WriteByte('\n')
		}
	}
	at := map[string]int{}
	for _, n := range order {
		at[n] = names.Len()
		names.WriteString(n + "/\n")
	}
	put("/", []byte{0, 0, 0, 0})
	put("//", names.Bytes())
	for _, n := range order {
		if len(n) > 15 {
			put(fmt.Sprintf("/%d", at[n]), members[n])
		} else {
			put(n+"/", members[n])
		}
	}
	return out.Bytes()
}

func TestArchive(t *testing.T) {
	as, err := exec.LookPath("as")
	if err != nil {
		t.Skip("needs as (Debian package binutils)")
	}
	compile := func(text string) []byte {
		out := filepath.Join(t.TempDir(), "x.o")
		cmd := exec.Command(as, "-o", out, "-")
		cmd.Stdin = strings.NewReader(text)
		if msg, err := cmd.CombinedOutput(); err != nil {
			t.Skipf("as: %s", msg)
		}
		data, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		return data
	}
	const loop = "\t.globl %[1]s\n\t.type %[1]s, @function\n%[1]s:\n1:\tcall other\n\tdec %%ecx\n\tjne 1b\n\tret\n\t.size %[1]s, .-%[1]s\n"
	members := map[string][]byte{"first.o": compile(fmt.Sprintf(loop, "first")), "a_very_long_name_of_a_member.o": compile(fmt.Sprintf(loop, "second")), "notes.txt": []byte("odd")}
	lib := archive(members, "first.o", "notes.txt", "a_very_long_name_of_a_member.o")
	f, err := object.Read(lib, catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	for name, member := range map[string]string{"first": "first.o", "second": "a_very_long_name_of_a_member.o"} {
		fn := f.Function(name)
		if fn == nil {
			t.Fatalf("no function %s", name)
		}
		if fn.Member() != member || len(f.Loops(fn)) != 1 {
			t.Errorf("%s lies in %q and has %d loops, want %q and 1", name, fn.Member(), len(f.Loops(fn)), member)
		}
	}
	if w := strings.Join(f.Warnings(), "; "); !strings.Contains(w, "members passed over: 1 of 3") {
		t.Errorf("warnings: %s", w)
	}
	for cut := range len(lib) / 64 { // damaged ones are errors or less, never more
		_, _ = object.Read(lib[:cut*64], catalog.ISAs()...)
	}
	nested := archive(map[string][]byte{"a.a": lib}, "a.a")
	if _, err := object.Read(nested, catalog.ISAs()...); err == nil || !strings.Contains(err.Error(), "without object files") {
		t.Errorf("a library in a library: %v", err)
	}
}

// TestOfRuntime looks at this test itself, a program of Go.
func TestOfRuntime(t *testing.T) {
	name, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	f, err := object.Open(name, catalog.ISAs()...)
	if err != nil {
		t.Skip(err)
	}
	own, others := 0, 0
	for _, fn := range f.Functions() {
		switch {
		case strings.HasPrefix(fn.Name, "incore/"):
			if own++; fn.OfRuntime() {
				t.Fatalf("%s is taken for Go's", fn.Name)
			}
		case strings.HasPrefix(fn.Name, "runtime.") || strings.HasPrefix(fn.Name, "fmt.") || strings.HasPrefix(fn.Name, "internal/"):
			if others++; !fn.OfRuntime() {
				t.Fatalf("%s is taken for the program's", fn.Name)
			}
		}
	}
	if own == 0 || others == 0 {
		t.Skipf("%d functions of incore and %d of Go have names in this program", own, others)
	}
}

// assemble returns the object file of assembly text.
func assemble(t *testing.T, text string) []byte {
	t.Helper()
	as, err := exec.LookPath("as")
	if err != nil {
		t.Skip("needs as (Debian package binutils)")
	}
	out := filepath.Join(t.TempDir(), "x.o")
	cmd := exec.Command(as, "--64", "-o", out, "-")
	cmd.Stdin = strings.NewReader(text)
	if msg, err := cmd.CombinedOutput(); err != nil {
		t.Skipf("%v: %s", err, msg)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestEmptyMember: members without code, as C libraries have them, leave the others where they are.
func TestEmptyMember(t *testing.T) {
	empty, members, order := assemble(t, ""), map[string][]byte{}, []string(nil)
	for i := range 9 {
		name := fmt.Sprintf("m%d.o", i)
		members[name] = assemble(t, fmt.Sprintf(".type f%d, @function\nf%d: dec %%rdi\n jne f%d\n ret\n.size f%d, .-f%d\n", i, i, i, i, i))
		members["e"+name] = empty
		order = append(order, name, "e"+name)
	}
	f, err := object.Read(archive(members, order...), catalog.ISAs()...)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(f.Functions()); n != 9 || len(f.Warnings()) != 0 {
		t.Errorf("%d functions of 9, warnings %v", n, f.Warnings())
	}
}

// TestLibraryGrowth: the loops of a library take time and memory in proportion to its members.
func TestLibraryGrowth(t *testing.T) {
	member := assemble(t, ".globl f\n.type f, @function\nf: dec %rdi\n jne f\n ret\n.size f, .-f\n")
	growth.Check(t, 500, func(n int) func() {
		members, order := map[string][]byte{}, make([]string, n)
		for i := range order {
			order[i] = fmt.Sprintf("a_member_of_a_long_name_%d.o", i)
			members[order[i]] = member
		}
		lib := archive(members, order...)
		return func() {
			f, err := object.Read(lib, catalog.ISAs()...)
			if err != nil {
				t.Fatal(err)
			}
			found := 0
			for _, fn := range f.Functions() {
				if !fn.OfRuntime() {
					found += len(f.Loops(fn))
				}
			}
			if found != n {
				t.Fatalf("%d loops in %d members", found, n)
			}
		}
	})
}
