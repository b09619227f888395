package serve

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"incore/internal/web/api"
)

func compile(h http.Handler, body string) (int, string) {
	w := httptest.NewRecorder()
	h.ServeHTTP(w, local("POST", "/api/compile", strings.NewReader(body)))
	return w.Code, w.Body.String()
}

// TestCompile compiles where that is allowed, contained, and refuses everything else.
func TestCompile(t *testing.T) {
	if code, body := compile(Handler(Options{}), `{"source": "int x;", "compiler": "gcc"}`); code != http.StatusForbidden || !strings.Contains(body, "--allow-cc") {
		t.Errorf("without --allow-cc: %d %s", code, body)
	}
	names, err := Compilers(context.Background())
	if err != nil {
		t.Skip(err)
	}
	h := Handler(Options{Options: api.Options{Compiles: names}, Compile: Contained})
	for _, c := range []struct {
		body, want string
		code       int
	}{
		{`{"source": "int f(int a) { return a + 42; }", "compiler": "` + names[0] + `", "options": "-O3 -DN=4"}`, "42", http.StatusOK},
		{`{"source": "int f(", "compiler": "` + names[0] + `"}`, "error", http.StatusUnprocessableEntity},
		{`{"source": "#include \"/etc/passwd\"", "compiler": "` + names[0] + `"}`, "No such file", http.StatusUnprocessableEntity},
		{`{"source": "#include \"/proc/self/environ\"", "compiler": "` + names[0] + `"}`, "No such file", http.StatusUnprocessableEntity},
		{`{"source": "int x;", "compiler": "sh"}`, "no compiler", http.StatusBadRequest},
		{`{"source": "int x;", "compiler": "` + names[0] + `", "options": "-fplugin=x.so"}`, "not allowed", http.StatusBadRequest},
		{`{"source": "int x;", "compiler": "` + names[0] + `", "options": "@/etc/passwd"}`, "not allowed", http.StatusBadRequest},
		{`{"source": "int x;", "compiler": "` + names[0] + `", "options": "-o /tmp/x"}`, "not allowed", http.StatusBadRequest},
		{`[`, "not a JSON object", http.StatusBadRequest},
	} {
		code, body := compile(h, c.body)
		if code != c.code || !strings.Contains(body, c.want) {
			t.Errorf("%s: %d %s, want %d with %q", c.body, code, body, c.code, c.want)
		}
	}
}

// TestTidy: unwinding and debug information go, with the labels that only these name; what the loop is made of and its lines stay.
func TestTidy(t *testing.T) {
	const text = `	.file	"<stdin>"
	.text
.Ltext0:
	.file 0 "/tmp" "<stdin>"
	.globl	f
	.type	f, @function
f:
.LFB0:
	.file 1 "<stdin>"
	.loc 1 2 1
	.cfi_startproc
.L3:
	addq	$1, %rax
	cmpq	.LC0(%rip), %rax
	jne	.L3
	.cfi_endproc
	.size	f, .-f
	.section	.rodata.cst8,"aM",@progbits,8
.LC0:
	.quad	7
	.section	.debug_info,"",@progbits
	.quad	.Ltext0
	.section	".note.GNU-stack","",@progbits
`
	const want = `	.text
	.globl	f
f:
	.file 1 "<stdin>"
	.loc 1 2 1
.L3:
	addq	$1, %rax
	cmpq	.LC0(%rip), %rax
	jne	.L3
	.section	.rodata.cst8,"aM",@progbits,8
.LC0:
	.quad	7
`
	if got := tidy(text); got != want {
		t.Errorf("tidied:\n%s", got)
	}
}
