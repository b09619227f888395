package lsp

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"

	"github.com/sourcegraph/jsonrpc2"
)

// Bounds of a message.
const (
	maxMessage = 128 << 20 // bytes
	maxHeader  = 1 << 12   // bytes of a header's line
)

// stream reads and writes messages with a header.
type stream struct {
	in     *bufio.Reader
	broken error // why no further message can be read

	mu   sync.Mutex // guards out
	out  io.Writer
	gone func() // called when nobody reads any more; nil: nothing is
}

func newStream(in io.Reader, out io.Writer) *stream {
	return &stream{in: bufio.NewReaderSize(in, maxHeader), out: out}
}

// WriteObject writes a message.
func (s *stream) WriteObject(v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_, err = s.out.Write(append(fmt.Appendf(nil, "Content-Length: %d\r\n\r\n", len(data)), data...))
	if err != nil && s.gone != nil {
		s.gone()
	}
	return err
}

// ReadObject reads a message. One that is JSON but no message is refused, and the next is read: the header has told where that begins.
func (s *stream) ReadObject(v any) error {
	for {
		n, err := s.header()
		if err != nil {
			return err
		}
		var b strings.Builder // grows with what comes, not with what the header says
		if got, err := io.CopyN(&b, s.in, int64(n)); err != nil {
			return s.end(fmt.Errorf("the input ends in a message, after %d of its %d bytes", got, n))
		}
		data := []byte(b.String())
		id, text := unfit(data)
		if text == "" {
			if err = json.Unmarshal(data, v); err == nil {
				return nil
			}
			text = "the message is neither a request nor a notification nor an answer"
		}
		var syntax *json.SyntaxError
		if errors.As(err, &syntax) {
			return s.end(fmt.Errorf("a message is not JSON-RPC: %w", err))
		}
		refused := map[string]any{"jsonrpc": "2.0", "id": id, "error": jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: text}}
		if err := s.WriteObject(refused); err != nil {
			return err
		}
	}
}

// unfit says why JSON is no message that the library reads as it is, with the id that the answer has: the library would end the connection for a batch or an
// odd id, and answer the id -1 as 2^64-1. It returns "" for what is no JSON.
func unfit(data []byte) (id json.RawMessage, text string) {
	var m struct {
		ID json.RawMessage `json:"id"`
	}
	var kind *json.UnmarshalTypeError
	switch err := json.Unmarshal(data, &m); {
	case errors.As(err, &kind) && kind.Value == "array":
		return nil, "a batch of messages: the Language Server Protocol sends them one by one"
	case err != nil || m.ID == nil || m.ID[0] == '"' || string(m.ID) == "null":
		return m.ID, ""
	}
	if _, err := strconv.ParseUint(string(m.ID), 10, 63); err != nil {
		if m.ID[0] == '[' || m.ID[0] == '{' || m.ID[0] == 't' || m.ID[0] == 'f' {
			m.ID = nil
		}
		return m.ID, "the id is neither a string nor a whole number from 0 to 2^63-1"
	}
	return m.ID, ""
}

// end notes why no further message can be read.
func (s *stream) end(err error) error {
	s.broken = err
	return err
}

// header reads a header and returns the length of the message. io.EOF is returned at the end of the input.
func (s *stream) header() (int, error) {
	length := -1
	for first := true; ; first = false {
		line, err := s.in.ReadSlice('\n')
		switch {
		case err == io.EOF && first && len(line) == 0:
			return 0, io.EOF
		case err == io.EOF:
			return 0, s.end(fmt.Errorf("the input ends in a header"))
		case err == bufio.ErrBufferFull:
			return 0, s.end(fmt.Errorf("a line of a header is longer than %d bytes: incore lsp speaks the Language Server Protocol on standard input and output", maxHeader))
		case err != nil:
			return 0, err
		}
		text := strings.TrimSpace(string(line))
		if text == "" {
			break
		}
		name, value, ok := strings.Cut(text, ":")
		if !ok {
			return 0, s.end(fmt.Errorf("%.60q is no header: incore lsp speaks the Language Server Protocol on standard input and output", text))
		}
		if strings.EqualFold(name, "content-length") {
			if length, err = strconv.Atoi(strings.TrimSpace(value)); err != nil || length < 0 || length > maxMessage {
				return 0, s.end(fmt.Errorf("Content-Length %.40q: 0 to %d bytes are expected", strings.TrimSpace(value), maxMessage))
			}
		}
	}
	if length < 0 {
		return 0, s.end(fmt.Errorf("a header has no Content-Length"))
	}
	return length, nil
}

// Close does nothing: the streams belong to the caller.
func (s *stream) Close() error { return nil }
