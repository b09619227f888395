package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/spf13/cobra"

	"incore/internal/machine"
	"incore/internal/web/api"
	"incore/internal/web/rpc"
	"incore/internal/web/serve"
)

// serveFlags are the options of incore serve.
type serveFlags struct {
	addr, export, wasm string
	allowCC, stdio     bool
	run                bool
	hosts              []string
}

func newServe(e *env) *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "a web page in which loops are analysed as one types",
		Long: `Serves a web page on this machine: an editor, machines side by side, port pressure, dependence graph and
pipeline, two versions compared, object files. POST /api/analyze with {"text": "…", "arch": ["zen4"]}
answers the document of 'incore analyze --format json'.

It executes nothing and reads no file, unless --allow-cc lets it run compilers on what is typed: without
network, with no other files than the system's programs and headers, bounded in time, memory and disk
(Linux). A request has at most 1 MiB, an object file 8 MiB, and requests take turns.

--export writes the same page as files for any web server, with the analyser as WebAssembly: that is built
by Go in a clone of incore, or given by --wasm. Nothing is sent anywhere then.

--stdio answers the same requests as a worker of another program: JSON-RPC 2.0 on standard input and
output, many at once, until the input ends. docs/callable.md has the methods and a client in Python.`,
		Example: `  incore serve
  incore serve --addr 127.0.0.1:9000 --allow-cc
  incore serve --export public
  incore serve --stdio
  curl -s --json '{"text": "1: add %rax, %rbx; jnz 1b", "arch": ["zen4"]}' http://127.0.0.1:8080/api/analyze`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			ctx, stop := untilSignal(context.Background())
			defer stop()
			if f.stdio {
				return f.worker(ctx, e)
			}
			if f.run {
				return errors.New("--allow-run is for --stdio: what others send over a network is never run")
			}
			if f.export != "" {
				return f.write(ctx, e)
			}
			if f.wasm != "" {
				return errors.New("--wasm is what --export writes; give that, too")
			}
			return f.serve(ctx, e)
		},
	}
	fl := cmd.Flags()
	fl.StringVar(&f.addr, "addr", "127.0.0.1:8080", "listen on `HOST:PORT`; port 0: any that is free")
	fl.StringSliceVar(&f.hosts, "host", nil, "answer requests for this `NAME`, too: others than addresses, localhost and this machine's name are refused")
	fl.BoolVar(&f.allowCC, "allow-cc", false, "compile C and C++ that is typed into the page, contained (Linux)")
	fl.StringVar(&f.export, "export", "", "write the page as static files to a `FOLDER` in place of serving it")
	fl.StringVar(&f.wasm, "wasm", "", "of --export: the analyser as WebAssembly, a `FILE` with Go's wasm_exec.js beside it; default: built from the sources")
	fl.BoolVar(&f.stdio, "stdio", false, "answer JSON-RPC on standard input and output in place of HTTP")
	allowRun(cmd, &f.run)
	fl.Lookup("allow-run").Usage = "of --stdio: " + fl.Lookup("allow-run").Usage
	cmd.MarkFlagsMutuallyExclusive("export", "addr", "stdio")
	cmd.MarkFlagsMutuallyExclusive("stdio", "allow-cc")
	cmd.MarkFlagsMutuallyExclusive("stdio", "wasm")
	cmd.MarkFlagsMutuallyExclusive("export", "allow-cc")
	return cmd
}

// write exports the page.
func (f *serveFlags) write(ctx context.Context, e *env) error {
	names, err := serve.Export(ctx, f.export, f.wasm)
	if err != nil {
		return inputError{err}
	}
	fmt.Fprintf(e.stderr, "incore: %s in %s, for any web server\n", counted(len(names), "file"), f.export)
	return nil
}

// worker answers the requests on standard input.
func (f *serveFlags) worker(ctx context.Context, e *env) error {
	if err := rpc.Serve(ctx, e.stdin, e.stdout, rpc.Options{Options: allowed(f.run), Log: e.stderr}); err != nil {
		return inputError{fmt.Errorf("standard input: %w", err)}
	}
	return nil
}

// Bounds of the heap while requests are answered: from the first on garbage is collected as often as needed, beyond the second a request is stopped.
const (
	softMemory = 1 << 30
	hardMemory = 2 << 30
)

// served are the options of the API.
func served() api.Options {
	debug.SetMemoryLimit(min(softMemory, debug.SetMemoryLimit(-1)))
	o := api.Options{Version: Version, Guard: api.NewGuard(hardMemory)}
	if name, _, ok := machine.Host(); ok {
		o.Machine = name
	}
	return o
}

// Time limits of the server: for a client to send the head of its request and all of it, and for pending answers at shutdown.
const (
	headTime = 10 * time.Second
	readTime = 30 * time.Second
	stopTime = 5 * time.Second
)

func (f *serveFlags) serve(ctx context.Context, e *env) error {
	if _, _, err := net.SplitHostPort(f.addr); err != nil {
		return fmt.Errorf("--addr %s: HOST:PORT is needed, as 127.0.0.1:8080", f.addr)
	}
	o := serve.Options{Options: served(), Log: e.stderr, Hosts: f.hosts}
	if f.allowCC {
		names, err := serve.Compilers(ctx)
		if err != nil {
			return inputError{fmt.Errorf("--allow-cc: %w", err)}
		}
		o.Compiles, o.Compile = names, serve.Contained
	}
	l, err := net.Listen("tcp", f.addr)
	if err != nil {
		return inputError{fmt.Errorf("serving: %w", err)}
	}
	s := &http.Server{Handler: serve.Handler(o), ReadHeaderTimeout: headTime, ReadTimeout: readTime, WriteTimeout: 2 * readTime, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 16}
	fmt.Fprintf(e.stderr, "incore: http://%s (Ctrl-C stops)\n", l.Addr())
	failed := make(chan error, 1)
	go func() { failed <- s.Serve(l) }()
	select {
	case err := <-failed:
		return inputError{fmt.Errorf("serving: %w", err)}
	case <-ctx.Done():
	}
	end, cancel := context.WithTimeout(context.Background(), stopTime)
	defer cancel()
	if err := s.Shutdown(end); err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return inputError{err}
	}
	return nil
}
