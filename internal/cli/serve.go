package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"incore/internal/machine"
	"incore/internal/serve"
)

func newServe(e *env) *cobra.Command {
	var addr string
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "a web page in which loops are analysed as one types",
		Long: `Serves a web page on this machine: an editor, machines side by side, port pressure, dependence graph and
pipeline. POST /api/analyze with {"text": "…", "arch": ["zen4"]} answers the document of 'incore analyze
--format json'.

It executes nothing and reads no file. A request has at most 1 MiB, and requests take turns.`,
		Example: `  incore serve
  incore serve --addr 127.0.0.1:9000
  curl -s -d '{"text": "1: add %rax, %rbx; jnz 1b", "arch": ["zen4"]}' http://127.0.0.1:8080/api/analyze`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return serveOn(e, addr) },
	}
	cmd.Flags().StringVar(&addr, "addr", "127.0.0.1:8080", "listen on `HOST:PORT`; port 0: any that is free")
	return cmd
}

// Times of the server: for what a client may take to send its request, and for answers under way at the end.
const (
	readTime = 30 * time.Second
	stopTime = 5 * time.Second
)

func serveOn(e *env, addr string) error {
	if _, _, err := net.SplitHostPort(addr); err != nil {
		return fmt.Errorf("--addr %s: HOST:PORT is needed, as 127.0.0.1:8080", addr)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	l, err := net.Listen("tcp", addr)
	if err != nil {
		return inputError{fmt.Errorf("serving: %w", err)}
	}
	o := serve.Options{Version: Version, Log: e.stderr}
	if name, _, ok := machine.Host(); ok {
		o.Machine = name
	}
	s := &http.Server{Handler: serve.Handler(o), ReadHeaderTimeout: readTime, ReadTimeout: readTime, IdleTimeout: time.Minute, MaxHeaderBytes: 1 << 16}
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
