package cli

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
	"time"

	"incore/internal/base/output"
)

// endings are the signals that end a command: Ctrl-C, a closed terminal, and what init systems and batch systems send. Those that the caller ignores, as nohup does,
// stay ignored.
func endings() (list []os.Signal) {
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}

// handled is the number of contexts that signals end at present; one that a signal has ended stays counted, as the
// command then keeps what it has.
var handled atomic.Int32

// untilSignal returns a context that ends with the first signal that ends a command, so that it keeps what it has. All commands that write results piece by piece
// use it.
func untilSignal(parent context.Context) (context.Context, context.CancelFunc) {
	handled.Add(1)
	ctx, stop := signal.NotifyContext(parent, endings()...)
	var once atomic.Bool
	return ctx, func() {
		if once.CompareAndSwap(false, true) && ctx.Err() == nil {
			handled.Add(-1)
		}
		stop()
	}
}

// impatient is the time after which a further signal ends a command that still keeps what it has. Some senders send
// theirs twice at once: to the command, and to its group.
const impatient = time.Second

// cleanUp removes temporary files when a signal ends a command that has no context for it, and on a later signal in
// any case.
func cleanUp() (stop func()) {
	c := make(chan os.Signal, 4)
	signal.Notify(c, endings()...)
	done := make(chan struct{})
	go func() {
		var first time.Time
		for {
			select {
			case <-done:
				return
			case s := <-c:
				if first.IsZero() {
					first = time.Now()
				}
				if handled.Load() > 0 && time.Since(first) < impatient {
					continue
				}
				output.RemoveTemporary()
				os.Exit(128 + signalNumber(s))
			}
		}
	}()
	return func() {
		signal.Stop(c)
		close(done)
	}
}

// signalNumber returns the number of a signal, for the exit status.
func signalNumber(s os.Signal) int {
	if n, ok := s.(syscall.Signal); ok {
		return int(n)
	}
	return 2
}
