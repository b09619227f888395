package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"incore/internal/base/long"
)

// program builds incore, and puts it into the path.
func program(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	name := filepath.Join(dir, "incore")
	cmd := exec.Command("go", "build", "-o", name, "incore/cmd/incore")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Setenv("PATH", dir+string(os.PathListSeparator)+os.Getenv("PATH"))
	return name
}

// ranIn runs a program in a folder and returns its output and status.
func ranIn(t *testing.T, dir string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if cmd.ProcessState == nil {
		t.Fatalf("%v: %v", args, err)
	}
	return string(out), cmd.ProcessState.ExitCode()
}

// TestCI: the script of the action and the template writes the files of the services for the examples, with the status of the check; the snippet for CMake makes a test that
// passes, and fails when the loop becomes slower.
func TestCI(t *testing.T) {
	long.Only(t, "builds incore and a project")
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip("no sh")
	}
	program(t)
	dir := t.TempDir()
	kernel, text := withBaseline(t, dir)
	script, _ := filepath.Abs("../../ci/check.sh")
	check := []string{"sh", script, "incore-baseline.json", "sarif=out.sarif", "gitlab=gl.json", "junit=j.xml", "metrics=m.txt", "benchmark=b.json", "--"}
	if out, code := ranIn(t, dir, check...); code != 0 || !strings.Contains(out, "1 the same") {
		t.Errorf("status %d\n%s", code, out)
	}
	slower := strings.ReplaceAll(string(text), "vadd", "vdiv")
	if err := os.WriteFile(kernel, []byte(slower), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, code := ranIn(t, dir, check...); code != exitSlower || !strings.Contains(out, "slower") {
		t.Errorf("status %d\n%s", code, out)
	}
	for _, name := range []string{"out.sarif", "gl.json", "b.json"} {
		data, err := os.ReadFile(filepath.Join(dir, name))
		var v any
		if err != nil || json.Unmarshal(data, &v) != nil {
			t.Errorf("%s: %v\n%s", name, err, data)
		}
	}
	t.Run("CMake", func(t *testing.T) { testCMake(t) })
	t.Run("Meson", func(t *testing.T) { testMeson(t) })
	t.Run("pre-commit", func(t *testing.T) { testPreCommit(t) })
	t.Run("schemas", func(t *testing.T) { testSchemas(t) })
}

func testCMake(t *testing.T) {
	for _, tool := range []string{"cmake", "ctest", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool)
		}
	}
	dir := t.TempDir()
	module, _ := filepath.Abs("../../ci/cmake")
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("CMakeLists.txt", "cmake_minimum_required(VERSION 3.19)\nproject(p C)\nenable_testing()\nlist(APPEND CMAKE_MODULE_PATH "+module+")\nset(CMAKE_C_FLAGS \"-O2\")\nadd_library(kernels SHARED k.c)\n"+
		"include(Incore)\nincore_baseline_test(loops BASELINE ${CMAKE_SOURCE_DIR}/incore-baseline.json OBJECTS kernels)\n")
	const sum = "double sum(double *a, long n) {\n\tdouble s = 1;\n\tfor (long i = 0; i < n; i++)\n\t\ts OP a[i];\n\treturn s;\n}\n"
	write("k.c", strings.Replace(sum, "OP", "+=", 1))
	for _, args := range [][]string{{"cmake", "-S", ".", "-B", "build"}, {"cmake", "--build", "build"}, {"cmake", "--build", "build", "--target", "loops-write"}, {"ctest", "--test-dir", "build", "--output-on-failure"}} {
		if out, code := ranIn(t, dir, args...); code != 0 {
			t.Fatalf("%v: status %d\n%s", args, code, out)
		}
	}
	data, err := os.ReadFile(filepath.Join(dir, "incore-baseline.json"))
	if err != nil || !strings.Contains(string(data), `"file": "libkernels.`) {
		t.Errorf("%v: the names are not relative to the build folder\n%s", err, data)
	}
	write("k.c", strings.Replace(sum, "OP", "/=", 1))
	if out, code := ranIn(t, dir, "cmake", "--build", "build"); code != 0 {
		t.Fatal(out)
	}
	if out, code := ranIn(t, dir, "ctest", "--test-dir", "build", "--output-on-failure"); code == 0 || !strings.Contains(out, "slower") {
		t.Errorf("a division for an addition: status %d\n%s", code, out)
	}
}

// testMeson: the snippet makes a test that passes, and fails when the loop becomes slower.
func testMeson(t *testing.T) {
	for _, tool := range []string{"meson", "ninja", "cc"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool)
		}
	}
	dir := t.TempDir()
	snippet, err := os.ReadFile("../../ci/meson/meson.build")
	if err != nil {
		t.Fatal(err)
	}
	const sum = "double sum(double *a, long n) {\n\tdouble s = 1;\n\tfor (long i = 0; i < n; i++)\n\t\ts OP a[i];\n\treturn s;\n}\n"
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("meson.build", "project('p', 'c', default_options : ['buildtype=release'])\nkernels = shared_library('kernels', 'k.c')\n"+string(snippet))
	write("k.c", strings.Replace(sum, "OP", "+=", 1))
	build := filepath.Join(dir, "build")
	if out, code := ranIn(t, dir, "meson", "setup", "build"); code != 0 {
		t.Fatal(out)
	}
	if out, code := ranIn(t, dir, "meson", "compile", "-C", "build"); code != 0 {
		t.Fatal(out)
	}
	libraries, _ := filepath.Glob(filepath.Join(build, "libkernels.*"))
	libraries = slices.DeleteFunc(libraries, func(name string) bool { return strings.HasSuffix(name, ".p") })
	if len(libraries) != 1 {
		t.Fatalf("libraries %v", libraries)
	}
	if out, code := ranIn(t, build, "incore", "baseline", "write", "--arch", "zen4", "--baseline", "../incore-baseline.json", filepath.Base(libraries[0])); code != 0 {
		t.Fatal(out)
	}
	if out, code := ranIn(t, dir, "meson", "test", "-C", "build"); code != 0 {
		t.Errorf("status %d\n%s", code, out)
	}
	write("k.c", strings.Replace(sum, "OP", "/=", 1))
	if out, code := ranIn(t, dir, "meson", "test", "-C", "build", "--print-errorlogs"); code == 0 || !strings.Contains(out, "slower") {
		t.Errorf("a division for an addition: status %d\n%s", code, out)
	}
}

// testPreCommit: the hook for an installed incore passes, and fails when the loop becomes slower. That which builds incore differs in this alone.
func testPreCommit(t *testing.T) {
	for _, tool := range []string{"pre-commit", "git"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skip("no " + tool)
		}
	}
	if out, code := ranIn(t, "../..", "pre-commit", "validate-manifest", ".pre-commit-hooks.yaml"); code != 0 {
		t.Fatal(out)
	}
	hooks, err := os.ReadFile("../../.pre-commit-hooks.yaml")
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("PRE_COMMIT_HOME", t.TempDir())
	t.Setenv("GIT_CONFIG_GLOBAL", os.DevNull)
	commit := func(dir string) {
		for _, args := range [][]string{{"git", "init", "-q"}, {"git", "add", "-A"}, {"git", "-c", "user.name=a", "-c", "user.email=a@example.org", "commit", "-q", "-m", "all"}} {
			if out, code := ranIn(t, dir, args...); code != 0 {
				t.Fatal(out)
			}
		}
	}
	source, dir := t.TempDir(), t.TempDir()
	if err := os.WriteFile(filepath.Join(source, ".pre-commit-hooks.yaml"), hooks, 0o666); err != nil {
		t.Fatal(err)
	}
	commit(source)
	kernel, text := withBaseline(t, dir)
	commit(dir)
	try := []string{"pre-commit", "try-repo", source, "incore-baseline-system", "--all-files"}
	if out, code := ranIn(t, dir, try...); code != 0 || !strings.Contains(out, "Passed") {
		t.Errorf("status %d\n%s", code, out)
	}
	if err := os.WriteFile(kernel, []byte(strings.ReplaceAll(string(text), "vadd", "vdiv")), 0o666); err != nil {
		t.Fatal(err)
	}
	if out, code := ranIn(t, dir, try...); code == 0 || !strings.Contains(out, "slower") {
		t.Errorf("a division for an addition: status %d\n%s", code, out)
	}
}

// testSchemas holds the action, the template and the hook to the services' schemas, where check-jsonschema is installed.
func testSchemas(t *testing.T) {
	if _, err := exec.LookPath("check-jsonschema"); err != nil {
		t.Skip("no check-jsonschema")
	}
	for schema, file := range map[string]string{"vendor.github-actions": "ci/github/action.yml", "vendor.gitlab-ci": "ci/gitlab/incore.yml"} {
		if out, code := ranIn(t, "../..", "check-jsonschema", "--builtin-schema", schema, file); code != 0 {
			t.Errorf("%s: %s", file, out)
		}
	}
}

// withBaseline writes an example and its baseline into a directory. It returns the file of the example and its text.
func withBaseline(t *testing.T, dir string) (kernel string, text []byte) {
	t.Helper()
	text, err := os.ReadFile("../../examples/dot.gcc-zen.s")
	if err != nil {
		t.Fatal(err)
	}
	kernel = filepath.Join(dir, "dot.s")
	if err := os.WriteFile(kernel, text, 0o666); err != nil {
		t.Fatal(err)
	}
	if out, code := ranIn(t, dir, "incore", "baseline", "write", "--arch", "zen4", "dot.s"); code != 0 {
		t.Fatal(out)
	}
	return kernel, text
}
