package lsp

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/sourcegraph/jsonrpc2"

	"incore/internal/base/source"
)

// notified takes a notification.
func (h handler) notified(ctx context.Context, method string, params json.RawMessage) {
	switch method {
	case "initialized":
		go h.configure(ctx)
	case "exit":
		h.stop()
	case "$/cancelRequest":
		h.cancelled(params)
	case "textDocument/didOpen":
		h.opened(ctx, params)
	case "textDocument/didChange":
		h.changed(ctx, params)
	case "textDocument/didSave":
		h.saved(ctx, params)
	case "textDocument/didClose":
		h.closed(ctx, params)
	case "workspace/didChangeConfiguration":
		var p struct {
			Settings json.RawMessage `json:"settings"`
		}
		_ = json.Unmarshal(params, &p)
		go func() {
			if h.client.Capabilities.Workspace.Configuration {
				h.configure(ctx)
			} else {
				h.set(ctx, p.Settings)
			}
		}()
	}
}

// cancelled stops the request that a notification names.
func (s *server) cancelled(params json.RawMessage) {
	var p struct {
		ID jsonrpc2.ID `json:"id"`
	}
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if stop := s.under[p.ID]; stop != nil {
		stop()
	}
}

func (s *server) opened(ctx context.Context, params json.RawMessage) {
	var p openParams
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := &document{uri: p.TextDocument.URI, path: pathOf(p.TextDocument.URI), language: p.TextDocument.LanguageID, memory: &memory{}, cancel: func() {}}
	if old := s.documents[d.uri]; old != nil {
		old.cancel()
	}
	s.documents[d.uri] = d
	s.renew(ctx, d, newText(p.TextDocument.Text, s.utf16()), p.TextDocument.Version)
}

// changed applies changes in their order. After one that does not fit the document the server no longer knows its text: it says so, and forgets the document until
// the client sends it whole.
func (s *server) changed(ctx context.Context, params json.RawMessage) {
	var p changeParams
	err := json.Unmarshal(params, &p) // sets what it can read behind a value of another type, too
	if field, words, ok := source.WrongKind(err); ok {
		err = fmt.Errorf("%s %s", field, words)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	d := s.documents[p.TextDocument.URI]
	if d == nil {
		return
	}
	t := d.now.text
	for i := 0; i < len(p.ContentChanges) && err == nil; i++ {
		t, err = t.apply(&p.ContentChanges[i])
	}
	if err != nil {
		d.cancel()
		delete(s.documents, d.uri)
		s.show(ctx, fmt.Errorf("%s: a change does not fit the document (%w); open it again", d.path, err))
		return
	}
	s.renew(ctx, d, t, p.TextDocument.Version)
}

// saved looks at a document anew, since the build may have made another object file.
func (s *server) saved(ctx context.Context, params json.RawMessage) {
	var p documentParams
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.documents[p.TextDocument.URI]; d != nil {
		s.renew(ctx, d, d.now.text, d.now.version)
	}
}

func (s *server) closed(ctx context.Context, params json.RawMessage) {
	var p documentParams
	if json.Unmarshal(params, &p) != nil {
		return
	}
	s.mu.Lock()
	d := s.documents[p.TextDocument.URI]
	if d != nil {
		d.cancel()
		delete(s.documents, d.uri)
	}
	s.mu.Unlock()
	if d != nil && d.assembly() {
		s.publish(ctx, d.uri, d.now.version, nil)
	}
}

// renew makes a document's next snapshot and starts the work on its diagnostics. s.mu is held.
func (s *server) renew(ctx context.Context, d *document, t *text, version int) {
	d.cancel()
	if d.now != nil && d.now.settings.Arch+d.now.settings.Syntax+d.now.settings.ISA != s.settings.Arch+s.settings.Syntax+s.settings.ISA {
		d.memory.forget()
	}
	d.now = &snapshot{document: d, version: version, text: t, settings: s.settings, server: s}
	if !d.assembly() {
		return
	}
	ctx, d.cancel = context.WithCancel(ctx)
	s.group.Add(1)
	go func(x *snapshot) {
		defer s.group.Done()
		_, _ = s.guarded(ctx, func(ctx context.Context) (any, error) { x.diagnose(ctx); return nil, nil })
	}(d.now)
}

// pause is the time without a change after which diagnostics are made.
const pause = 150 * time.Millisecond

// snapshot returns the last version of a document.
func (s *server) snapshot(uri string) (*snapshot, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if d := s.documents[uri]; d != nil {
		return d.now, nil
	}
	return nil, badParams(fmt.Errorf("%s is not open", cmp.Or(uri, "a document without a URI")))
}

// settledOn waits for the settings and returns a snapshot under them, unless its text has changed since.
func (s *server) settledOn(ctx context.Context, x *snapshot) *snapshot {
	s.await(ctx)
	s.mu.Lock()
	defer s.mu.Unlock()
	if now := x.document.now; now.text == x.text {
		return now
	}
	return x
}

func (s *server) publish(ctx context.Context, uri string, version int, list []diagnostic) {
	if list == nil {
		list = []diagnostic{}
	}
	_ = s.conn.Notify(ctx, "textDocument/publishDiagnostics", publishParams{uri, version, list})
}
