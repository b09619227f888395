package rpc

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/sourcegraph/jsonrpc2"

	"incore/internal/web/api"
)

// Bounds of what a client sends.
const (
	maxMessage = api.MaxObject/3*4 + 1<<16 // bytes of a message: an object file in base64 and what surrounds it
	maxHeader  = 16                        // lines of a header
	lineBuffer = 1 << 16
)

// stream reads and writes messages. A message is a line, or has a header with Content-Length as in the Language Server Protocol; answers have the
// form of the last message that came. What is no request is answered with an error here, and the next message is read.
type stream struct {
	in     *bufio.Reader
	drain  func() // waits until the requests that were read are answered
	params json.RawMessage
	broken error // why no further message can be read

	headed atomic.Bool // not guarded by mu, which a writer holds while the client doesn't read

	mu  sync.Mutex // guards out
	out io.Writer
}

// refusal is an error about a message. If final is set, the place where the next message begins is not known.
type refusal struct {
	code  int64
	text  string
	final bool
}

func (r *refusal) Error() string { return r.text }

var errCut = &refusal{jsonrpc2.CodeParseError, "the message did not come whole", true}

// errLarge reports a message that is too long.
func errLarge(final bool) error {
	return &refusal{jsonrpc2.CodeInvalidRequest, fmt.Sprintf("a message of more than %d bytes", maxMessage), final}
}

// ReadObject reads the next request into v. Its parameters stay in params until the next call, because the library would decode them into maps, which take
// many times their size.
func (s *stream) ReadObject(v any) error {
	for {
		data, err := s.next()
		var id json.RawMessage
		if err == nil {
			var small []byte
			if small, id, err = s.request(data); err == nil {
				return json.Unmarshal(small, v)
			}
		}
		var no *refusal
		if !errors.As(err, &no) { // the end of the input, or an error of reading
			s.drain()
			return err
		}
		if err := s.refuse(id, no); err != nil {
			return err
		}
		if no.final {
			s.broken = no
			s.drain()
			return io.EOF
		}
	}
}

// next reads the bytes of a message.
func (s *stream) next() ([]byte, error) {
	for {
		line, err := s.line(maxMessage)
		if err != nil {
			return nil, err
		}
		line = bytes.TrimSpace(line)
		if len(line) == 0 {
			continue
		}
		headed := len(line) >= 8 && strings.EqualFold(string(line[:8]), "content-")
		s.headed.Store(headed)
		if headed {
			return s.body(line)
		}
		return line, nil
	}
}

// line reads a line of at most limit bytes. The rest of a longer line is skipped.
func (s *stream) line(limit int) ([]byte, error) {
	var line []byte
	long := false
	for {
		part, err := s.in.ReadSlice('\n')
		if long = long || len(line)+len(part) > limit; !long {
			line = append(line, part...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case long:
			return nil, errLarge(false)
		case err == io.EOF && len(line) > 0:
			return line, nil // the last line needs no end
		}
		return line, err
	}
}

// body reads the rest of a header, whose first line is given, and the message behind it.
func (s *stream) body(line []byte) ([]byte, error) {
	length := -1
	for lines := 1; len(line) > 0; lines++ {
		name, value, _ := strings.Cut(string(line), ":")
		if strings.EqualFold(name, "content-length") {
			n, err := strconv.ParseUint(strings.TrimSpace(value), 10, 31)
			if err != nil {
				return nil, &refusal{jsonrpc2.CodeParseError, fmt.Sprintf("Content-Length: %.40q is no number of bytes", strings.TrimSpace(value)), true}
			}
			length = int(n)
		}
		next, err := s.line(lineBuffer)
		if err != nil || lines == maxHeader {
			return nil, errCut
		}
		line = bytes.TrimSpace(next)
	}
	switch {
	case length < 0:
		return nil, &refusal{jsonrpc2.CodeParseError, "a header without Content-Length", true}
	case length > maxMessage:
		_, err := io.CopyN(io.Discard, s.in, int64(length))
		return nil, errLarge(err != nil)
	}
	var b bytes.Buffer // grows as bytes come, whatever length the header claims
	if _, err := io.CopyN(&b, s.in, int64(length)); err != nil {
		return nil, errCut
	}
	return b.Bytes(), nil
}

// request takes a message apart. It returns the message without its parameters, for the library, and the id as far as there is a valid one.
func (s *stream) request(data []byte) (small []byte, id json.RawMessage, err error) {
	invalid := func(text string) ([]byte, json.RawMessage, error) {
		return nil, id, &refusal{code: jsonrpc2.CodeInvalidRequest, text: text}
	}
	var m struct {
		JSONRPC json.RawMessage `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Method  json.RawMessage `json:"method"`
		Params  json.RawMessage `json:"params"`
	}
	if data = bytes.TrimSpace(data); len(data) > 0 && data[0] == '[' && json.Valid(data) {
		return invalid("a batch of messages: send them one by one; several may be under way")
	}
	var wrong *json.UnmarshalTypeError
	if err := json.Unmarshal(data, &m); errors.As(err, &wrong) {
		return invalid("the message is no JSON object")
	} else if err != nil {
		return nil, nil, &refusal{code: jsonrpc2.CodeParseError, text: "the message is no JSON: " + err.Error()}
	}
	if m.ID != nil {
		if !validID(m.ID) {
			return invalid("the id is neither a string of at most 200 bytes nor a whole number from 0")
		}
		id = m.ID
	}
	var method string
	if json.Unmarshal(m.Method, &method) != nil || method == "" {
		return invalid("there is no method")
	}
	if string(m.JSONRPC) != `"2.0"` {
		return invalid(`"jsonrpc": "2.0" is missing`)
	}
	if string(m.Params) == "null" {
		m.Params = nil
	}
	if m.Params != nil && m.Params[0] != '{' {
		return nil, id, &refusal{code: jsonrpc2.CodeInvalidParams, text: "the params are no JSON object"}
	}
	s.params = m.Params
	small, err = json.Marshal(struct {
		ID     json.RawMessage `json:"id,omitempty"`
		Method string          `json:"method"`
	}{id, method})
	return small, id, err
}

// validID reports whether an id is one that the library keeps as it is.
func validID(id json.RawMessage) bool {
	if id[0] == '"' {
		return len(id) <= 200
	}
	_, err := strconv.ParseInt(string(id), 10, 64)
	return err == nil && id[0] != '-'
}

// refuse answers a message that is no request. A notification, too, is answered then, with the id null.
func (s *stream) refuse(id json.RawMessage, r *refusal) error {
	if id == nil {
		id = json.RawMessage("null")
	}
	return s.WriteObject(struct {
		JSONRPC string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Error   jsonrpc2.Error  `json:"error"`
	}{"2.0", id, jsonrpc2.Error{Code: r.code, Message: r.text}})
}

// WriteObject writes a message.
func (s *stream) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	if s.headed.Load() {
		data = append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(data)), data...)
	} else {
		data = append(data, '\n')
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.out.Write(data)
	return err
}

// Close does nothing: the caller owns the input and the output.
func (s *stream) Close() error { return nil }
