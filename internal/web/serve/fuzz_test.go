package serve

import (
	"bytes"
	"encoding/json"
	"net/http/httptest"
	"net/url"
	"testing"

	"incore/internal/web/api"
)

// FuzzRequest sends requests: every answer is JSON, with a status that says whose mistake it is, never the server's own.
func FuzzRequest(f *testing.F) {
	f.Add(uint8(0), "", []byte(loop))
	f.Add(uint8(0), "", []byte(`{"text": "1: ldr x0, [x1], #8\n b 1b", "arch": ["n1"], "sensitivity": true, "what_if": ["rob=2x", "ports.load+1"]}`))
	f.Add(uint8(0), "", []byte(`{"text": ".rept 9\nnop\n.endr", "arch": ["zen4"], "syntax": "intel", "sources": {"a.c": "x"}, "timeline": 1000000}`))
	f.Add(uint8(0), "", []byte(`{"text": 7, "arch": null}{`))
	f.Add(uint8(1), "", []byte(`{"texts": ["1: imulq %rax,%rax\njmp 1b", "1: imulq %rax,%rax\nnop\njmp 1b"], "arch": ["skx"]}`))
	f.Add(uint8(1), "", []byte(`{"texts": []}`))
	f.Add(uint8(2), "name=a.o&arch=zen4&timeline=2", []byte("\x7fELF\x02\x01\x01"))
	f.Add(uint8(2), "name=%00&arch=,&function=f&loop=9&timeline=-1", []byte("!<arch>\n"))
	f.Add(uint8(3), "", []byte(`{"source": "int f;", "compiler": "gcc", "options": "-O3"}`))
	f.Add(uint8(4), "x=1", []byte{})
	paths := []string{"analyze", "compare", "object", "compile", "info"}
	h := Handler(Options{Options: api.Options{Machine: "zen4", MaxText: 2000, MaxArchs: 2}})
	f.Fuzz(func(t *testing.T, which uint8, query string, body []byte) {
		if _, err := url.ParseQuery(query); err != nil || len(body) > 4000 {
			return
		}
		path, method := paths[int(which)%len(paths)], "POST"
		if path == "info" {
			method = "GET"
		}
		r := local(method, "/api/"+path, bytes.NewReader(body))
		r.URL.RawQuery = query
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		switch w.Code {
		case 200, 400, 403, 404, 413, 422, 503:
		default:
			t.Fatalf("%s answers %d: %.300s", path, w.Code, w.Body)
		}
		if !json.Valid(w.Body.Bytes()) {
			t.Fatalf("%s answers %d with what is no JSON: %.300s", path, w.Code, w.Body)
		}
	})
}
