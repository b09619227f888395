package serve

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

// TestIdle: clients that never send the bodies that they announce keep nobody waiting, and lose their connection.
func TestIdle(t *testing.T) {
	s := httptest.NewServer(Handler(Options{}))
	defer s.Close()
	var idle []net.Conn
	for i := range 200 {
		c, err := net.Dial("tcp", s.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST /api/analyze HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n{", []int{100, 1000000}[i%2])
		idle = append(idle, c)
	}
	begin := time.Now()
	r, err := http.Post(s.URL+"/api/analyze", "application/json", strings.NewReader(loop))
	if err != nil {
		t.Fatal(err)
	}
	r.Body.Close()
	if took := time.Since(begin); r.StatusCode != http.StatusOK || took > bodyTime/2 {
		t.Errorf("%d after %v", r.StatusCode, took)
	}
	if testing.Short() {
		return
	}
	for _, c := range idle[:2] {
		_ = c.SetReadDeadline(time.Now().Add(3 * bodyTime))
		answer, err := io.ReadAll(c)
		if err != nil || !strings.Contains(string(answer), "not in time") {
			t.Errorf("%q, %v", answer, err)
		}
	}
}

// TestKind: a request that a form of another site could send is refused.
func TestKind(t *testing.T) {
	h := Handler(Options{})
	for kind, want := range map[string]int{"": 415, "text/plain": 415, "application/x-www-form-urlencoded": 415, "application/json": 200, "application/json; charset=utf-8": 200} {
		r := local("POST", "/api/analyze", strings.NewReader(loop))
		r.Header.Set("Content-Type", kind)
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != want {
			t.Errorf("%q: %d, want %d: %s", kind, w.Code, want, w.Body)
		}
	}
}

// TestZipped: a client that can read compressed answers gets them, another one does not.
func TestZipped(t *testing.T) {
	h := Handler(Options{})
	for accept, want := range map[string]bool{"": false, "gzip": true, "br, gzip;q=0.5": true, "gzip;q=0": false, "deflate": false} {
		r := local("POST", "/api/analyze", strings.NewReader(loop))
		r.Header.Set("Accept-Encoding", accept)
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		body := w.Body.Bytes()
		if got := w.Header().Get("Content-Encoding") == "gzip"; got != want {
			t.Errorf("%q: compressed %v", accept, got)
		}
		if want {
			z, err := gzip.NewReader(bytes.NewReader(body))
			if err != nil {
				t.Fatal(err)
			}
			if body, err = io.ReadAll(z); err != nil {
				t.Fatal(err)
			}
		}
		if !strings.Contains(string(body), `"incore.analyze/1"`) {
			t.Errorf("%q: %.100q", accept, body)
		}
	}
}
