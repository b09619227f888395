package serve

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"os/exec"
	"slices"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/web/api"
	"incore/internal/web/jail"
)

// compilers lists the compilers for C and C++ in the order of preference.
var compilers = []string{"gcc", "g++", "clang", "clang++", "clang-19", "clang++-19", "aarch64-linux-gnu-gcc", "riscv64-linux-gnu-gcc"}

// Compilers returns the installed compilers that can run in a sandbox. The error is the reason for which there is none.
func Compilers(ctx context.Context) (names []string, err error) {
	for _, name := range compilers {
		if _, e := exec.LookPath(name); e != nil {
			continue
		}
		switch _, _, e := Contained(ctx, name, nil, []byte("int f(void) { return 0; }\n")); {
		case errors.Is(e, jail.ErrUnavailable):
			return nil, e
		case e == nil:
			names = append(names, name)
		default:
			err = e
		}
	}
	if len(names) == 0 && err == nil {
		err = errors.New("no compiler was found (Debian package: gcc)")
	}
	if len(names) > 0 {
		err = nil
	}
	return names, err
}

// Contained is a Compiler whose programs run in a sandbox: without a network, with only the system's programs and headers, and with limits on memory, time and disk.
func Contained(ctx context.Context, compiler string, options []string, source []byte) (text, messages string, err error) {
	language := "c"
	if strings.Contains(compiler, "++") {
		language = "c++"
	}
	args := append([]string{"-O2", "-x", language, "-S", "-o", "-", "-fno-asynchronous-unwind-tables", "-g1"}, options...)
	r, err := jail.Run(ctx, source, compiler, append(args, "-")...)
	if err != nil {
		return "", "", err
	}
	if r.Failed != "" {
		return "", r.Messages, fmt.Errorf("%s: %s\n%s", compiler, r.Failed, strings.TrimSpace(r.Messages))
	}
	return tidy(string(r.Output)), r.Messages, nil
}

// option matches the allowed compiler options: none that names a file, a program or a plugin.
var option = regex.Lazy(`^-(O[0-3sgz]?|Ofast|g[0-3]?|w|pedantic|ansi|W[a-z][a-z0-9+=-]*|std=[a-z0-9+:]+|m[a-z][a-z0-9+=.,_-]*|f[a-z][a-z0-9=_-]*|D[A-Za-z_][A-Za-z0-9_]*(=[A-Za-z0-9_.+-]*)?|U[A-Za-z_][A-Za-z0-9_]*)$`)

// refused lists the prefixes of options that match option but name files or programs.
var refused = []string{"-fplugin", "-fpass-plugin", "-fdump", "-fprofile", "-fauto-profile", "-fmodule", "-fopt-info", "-fsave", "-frecord", "-fcallgraph", "-fstack-usage", "-fdiagnostics", "-ftime", "-ffile", "-fdebug", "-fcrash", "-fproc", "-Wa,", "-Wl,", "-Wp,", "-fuse-ld", "-femit"}

func (s *server) compile(ctx context.Context, body []byte) (any, error) {
	var q struct {
		Source   string `json:"source"`
		Compiler string `json:"compiler"`
		Options  string `json:"options"`
	}
	bad := func(message, hint string) error {
		return &api.Error{Status: http.StatusBadRequest, Message: message, Hint: hint}
	}
	if s.Compile == nil {
		return nil, &api.Error{Status: http.StatusForbidden, Message: "nothing is compiled here", Hint: "incore serve --allow-cc allows it"}
	}
	if err := api.Decode(body, &q, `{"source": "…", "compiler": "gcc", "options": "-O3"}`); err != nil {
		return nil, err
	}
	if !slices.Contains(s.Compiles, q.Compiler) {
		return nil, bad(fmt.Sprintf("there is no compiler %q", q.Compiler), "there are "+strings.Join(s.Compiles, ", "))
	}
	options := strings.Fields(q.Options)
	for _, o := range options {
		if !option().MatchString(o) || slices.ContainsFunc(refused, func(p string) bool { return strings.HasPrefix(o, p) }) {
			return nil, bad(fmt.Sprintf("the option %q is not allowed here", o), "options of optimisation, of the machine, of the language and macros are: -O3 -march=znver4 -ffast-math -std=c11 -DN=8")
		}
	}
	text, messages, err := s.Compile(ctx, q.Compiler, options, []byte(q.Source))
	if err != nil {
		return nil, &api.Error{Status: http.StatusUnprocessableEntity, Message: err.Error()}
	}
	return map[string]string{"text": text, "messages": messages}, nil
}
