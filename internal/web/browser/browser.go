// Package browser drives chromium for the tests of the web pages and for the pictures in the documentation: it opens a page, notes what it asks of the
// network and what it complains of, and takes pictures.
package browser

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
)

// ErrNone is that there is no browser.
var ErrNone = errors.New("no chromium here (Debian package: chromium)")

// names are the browsers that are looked for.
var names = []string{"chromium", "chromium-browser", "google-chrome"}

// Browser is one that runs.
type Browser struct {
	ctx  context.Context
	stop []context.CancelFunc
}

// New starts a browser that resolves no name, so that pages reach nothing but this machine.
func New() (*Browser, error) {
	path := ""
	for _, n := range names {
		if p, err := exec.LookPath(n); err == nil {
			path = p
			break
		}
	}
	if path == "" {
		return nil, ErrNone
	}
	o := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.DisableGPU, chromedp.Flag("host-resolver-rules", "MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"), chromedp.Flag("hide-scrollbars", true),
		chromedp.WSURLReadTimeout(time.Minute))
	if os.Geteuid() == 0 {
		o = append(o, chromedp.NoSandbox)
	}
	alloc, end := chromedp.NewExecAllocator(context.Background(), o...)
	ctx, close := chromedp.NewContext(alloc)
	b := &Browser{ctx, []context.CancelFunc{close, end}}
	if err := chromedp.Run(ctx); err != nil {
		b.Close()
		return nil, fmt.Errorf("starting %s: %w", path, err)
	}
	return b, nil
}

// Close ends the browser.
func (b *Browser) Close() {
	for _, f := range b.stop {
		f()
	}
}

// Page is an open page.
type Page struct {
	ctx   context.Context
	close context.CancelFunc

	mu       sync.Mutex
	requests []string
	problems []string
}

// timeout is how long each thing with a page may take, on a machine that others use.
const timeout = 2 * time.Minute

// Open opens an address in a window of a width and height, in light or dark colours.
func (b *Browser) Open(url string, width, height int64, dark bool) (*Page, error) {
	p := &Page{}
	p.ctx, p.close = chromedp.NewContext(b.ctx)
	chromedp.ListenTarget(p.ctx, p.note)
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	err := chromedp.Run(p.ctx) // the page lives as long as the context of its first run
	if err == nil {
		err = p.Do(network.Enable(), log.Enable(), runtime.Enable(), chromedp.EmulateViewport(width, height),
			emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}), chromedp.Navigate(url))
	}
	if err != nil {
		p.Close()
		return nil, fmt.Errorf("opening %s: %w", url, err)
	}
	return p, nil
}

// Close closes the page.
func (p *Page) Close() { p.close() }

func (p *Page) note(event any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch e := event.(type) {
	case *network.EventRequestWillBeSent:
		p.requests = append(p.requests, e.Request.URL)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError || e.Type == runtime.APITypeWarning {
			var s []string
			for _, a := range e.Args {
				s = append(s, string(a.Value)+a.Description)
			}
			p.problems = append(p.problems, strings.Join(s, " "))
		}
	case *runtime.EventExceptionThrown:
		p.problems = append(p.problems, e.ExceptionDetails.Error())
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			p.problems = append(p.problems, e.Entry.Text+" "+e.Entry.URL)
		}
	}
}

// Problems are the errors and warnings of the page's console so far, those left out that hold one of the texts.
func (p *Page) Problems(but ...string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Clone(p.problems), func(s string) bool {
		return slices.ContainsFunc(but, func(t string) bool { return strings.Contains(s, t) })
	})
}

// Elsewhere are the addresses that the page has asked for and that do not begin with one of the prefixes.
func (p *Page) Elsewhere(prefixes ...string) (out []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, u := range p.requests {
		if !slices.ContainsFunc(append(prefixes, "data:", "blob:"), func(prefix string) bool { return strings.HasPrefix(u, prefix) }) {
			out = append(out, u)
		}
	}
	return out
}

// Do runs actions.
func (p *Page) Do(actions ...chromedp.Action) error {
	ctx, cancel := context.WithTimeout(p.ctx, timeout)
	defer cancel()
	return chromedp.Run(ctx, actions...)
}

// Eval evaluates an expression.
func (p *Page) Eval(js string, into any) error { return p.Do(chromedp.Evaluate(js, into)) }

// Await waits until an expression is true.
func (p *Page) Await(js string) error {
	for end := time.Now().Add(timeout); ; time.Sleep(30 * time.Millisecond) {
		var ok bool
		if err := p.Eval("!!("+js+")", &ok); err != nil {
			return fmt.Errorf("waiting for %s: %w", js, err)
		}
		if ok {
			return nil
		}
		if time.Now().After(end) {
			return fmt.Errorf("waiting for %s: it does not come true", js)
		}
	}
}

// Picture is what the window shows, as PNG.
func (p *Page) Picture() ([]byte, error) {
	var data []byte
	err := p.Do(chromedp.ActionFunc(func(ctx context.Context) (err error) {
		data, err = page.CaptureScreenshot().WithFormat(page.CaptureScreenshotFormatPng).Do(ctx)
		return err
	}))
	return data, err
}
