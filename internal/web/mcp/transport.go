package mcp

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of what a client sends.
const (
	maxMessage = 8 << 20 // bytes of a line: 1 MiB of text, of which JSON may make six times as many
	maxHeld    = 64      // requests that run or wait; reading pauses at them
)

// errGone reports that the client does not read.
var errGone = errors.New("the client no longer reads")

// transport is the server's connection to its client: a message a line. Unlike the library's, it answers a line that is no message with an error and reads
// on, holds a bounded number of requests, and has them answered when the input ends.
type transport struct {
	in    *bufio.Reader
	lines chan line
	ended chan struct{}
	stop  sync.Once
	room  chan struct{} // holds one element per request that is not answered

	mu   sync.Mutex // guards out and held
	out  io.Writer
	held map[jsonrpc.ID]bool
}

// line is what was read: a line, or the error that ended the input. If long is set, the line was too long and is skipped.
type line struct {
	data []byte
	long bool
	err  error
}

func newTransport(in io.Reader, out io.Writer) *transport {
	return &transport{in: bufio.NewReaderSize(in, 1<<16), out: out, lines: make(chan line), ended: make(chan struct{}), room: make(chan struct{}, maxHeld), held: map[jsonrpc.ID]bool{}}
}

// Connect starts to read.
func (t *transport) Connect(context.Context) (sdk.Connection, error) {
	go func() {
		for {
			l := t.line()
			select {
			case t.lines <- l:
			case <-t.ended:
				return
			}
			if l.err != nil {
				return
			}
		}
	}()
	return t, nil
}

// line reads a line.
func (t *transport) line() (l line) {
	for {
		part, err := t.in.ReadSlice('\n')
		if l.long = l.long || len(l.data)+len(part) > maxMessage; l.long {
			l.data = nil
		} else {
			l.data = append(l.data, part...)
		}
		if err == nil || err == io.EOF && len(l.data) > 0 {
			return l
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			l.err = err
			return l
		}
	}
}

// Read returns the next message.
func (t *transport) Read(ctx context.Context) (jsonrpc.Message, error) {
	for {
		var l line
		select {
		case l = <-t.lines:
		case <-t.ended:
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		if l.err != nil {
			t.drain(ctx)
			return nil, l.err
		}
		m, err := t.message(ctx, l)
		if m != nil || err != nil {
			return m, err
		}
	}
}

// message makes a message of a line; it returns none if the line is empty or was refused.
func (t *transport) message(ctx context.Context, l line) (jsonrpc.Message, error) {
	switch data := bytes.TrimSpace(l.data); {
	case l.long:
		return nil, t.refuse(nil, jsonrpc.CodeInvalidRequest, fmt.Sprintf("a message of more than %d bytes", maxMessage))
	case len(data) == 0:
		return nil, nil
	case !json.Valid(data):
		return nil, t.refuse(nil, jsonrpc.CodeParseError, "the line is no JSON")
	case data[0] == '[':
		return nil, t.refuse(nil, jsonrpc.CodeInvalidRequest, "a batch of messages: send them one by one; several may be under way")
	}
	if !keepsID(l.data) {
		return nil, t.refuse(nil, jsonrpc.CodeInvalidRequest, "the id is neither a string nor a whole number of at most 2^53")
	}
	m, err := jsonrpc.DecodeMessage(l.data)
	if err != nil {
		return nil, t.refuse(nil, jsonrpc.CodeInvalidRequest, "the line is no message of JSON-RPC 2.0: "+err.Error())
	}
	r, ok := m.(*jsonrpc.Request)
	if !ok || !r.ID.IsValid() {
		return m, nil
	}
	select {
	case t.room <- struct{}{}:
	case <-t.ended:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	t.mu.Lock()
	taken := t.held[r.ID]
	t.held[r.ID] = true
	t.mu.Unlock()
	if taken {
		<-t.room
		return nil, t.refuse(r.ID.Raw(), jsonrpc.CodeInvalidRequest, "a request with this id is under way")
	}
	return m, nil
}

// keepsID reports whether the library keeps the id of a request as it is. It holds numbers as float64 and cuts them to int64: 1.5 would be answered as 1 and
// 2^53+1 as 2^53, which may be ids of other requests. A request with the id null would not be answered; notifications may have it.
func keepsID(message []byte) bool {
	var m struct {
		ID     json.RawMessage `json:"id"`
		Method string          `json:"method"`
	}
	if json.Unmarshal(message, &m) != nil || m.ID == nil || m.Method == "" || m.ID[0] == '"' {
		return true // DecodeMessage says what is wrong, if anything is
	}
	if string(m.ID) == "null" {
		return strings.HasPrefix(m.Method, "notifications/")
	}
	n, err := strconv.ParseInt(string(m.ID), 10, 64)
	return err == nil && n >= -1<<53 && n <= 1<<53
}

// drain waits until all requests are answered.
func (t *transport) drain(ctx context.Context) {
	for range maxHeld {
		select {
		case t.room <- struct{}{}:
		case <-t.ended:
			return
		case <-ctx.Done():
			return
		}
	}
}

// refuse answers a line that is no request.
func (t *transport) refuse(id any, code int64, text string) error {
	data, err := json.Marshal(map[string]any{"jsonrpc": "2.0", "id": id, "error": map[string]any{"code": code, "message": text}})
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.write(data)
}

// Write writes a message.
func (t *transport) Write(_ context.Context, m jsonrpc.Message) error {
	data, err := jsonrpc.EncodeMessage(m)
	if err != nil {
		return err
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if r, ok := m.(*jsonrpc.Response); ok && t.held[r.ID] {
		delete(t.held, r.ID)
		defer func() { <-t.room }()
	}
	return t.write(data)
}

// write writes a line; mu is held.
func (t *transport) write(data []byte) error {
	if _, err := t.out.Write(append(data, '\n')); err != nil {
		_ = t.Close()
		return errGone
	}
	return nil
}

// Close ends the reading. The caller owns the input and the output.
func (t *transport) Close() error {
	t.stop.Do(func() { close(t.ended) })
	return nil
}

// SessionID returns none: there is one session.
func (t *transport) SessionID() string { return "" }
