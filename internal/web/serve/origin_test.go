package serve

import (
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

// local makes a request to this machine.
func local(method, target string, body io.Reader) *http.Request {
	r := httptest.NewRequest(method, target, body)
	r.Header.Set("Content-Type", "application/json")
	r.Host = "127.0.0.1:8080"
	return r
}

// TestForeign: pages of other sites, and names that others let lead here, get nothing; programs and the server's own pages do.
func TestForeign(t *testing.T) {
	h := Handler(Options{Hosts: []string{"loops.example"}})
	mine, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		host, origin, site string
		want               int
	}{
		{"127.0.0.1:8080", "", "", http.StatusOK},
		{"[::1]:8080", "", "", http.StatusOK},
		{"localhost:8080", "http://localhost:8080", "same-origin", http.StatusOK},
		{"LOCALHOST", "http://localhost", "", http.StatusOK},
		{mine + ":8080", "", "none", http.StatusOK},
		{"loops.example", "https://loops.example", "", http.StatusOK},
		{"evil.example:8080", "", "", http.StatusForbidden},
		{"evil.example:8080", "http://evil.example:8080", "same-origin", http.StatusForbidden},
		{"localhost.evil.example", "", "", http.StatusForbidden},
		{"127.0.0.1.evil.example", "", "", http.StatusForbidden},
		{"127.0.0.1:8080", "http://evil.example", "cross-site", http.StatusForbidden},
		{"127.0.0.1:8080", "http://127.0.0.1:9090", "", http.StatusForbidden},
		{"127.0.0.1:8080", "null", "", http.StatusForbidden},
		{"127.0.0.1:8080", "", "cross-site", http.StatusForbidden},
		{"127.0.0.1:8080", "::", "", http.StatusForbidden},
	} {
		r := local("POST", "/api/analyze", strings.NewReader(`{"text": "1: add %rax, %rbx; jnz 1b", "arch": ["zen4"]}`))
		r.Host = c.host
		if c.origin != "" {
			r.Header.Set("Origin", c.origin)
		}
		if c.site != "" {
			r.Header.Set("Sec-Fetch-Site", c.site)
		}
		w := httptest.NewRecorder()
		if h.ServeHTTP(w, r); w.Code != c.want {
			t.Errorf("host %q, origin %q, %q: %d, want %d: %s", c.host, c.origin, c.site, w.Code, c.want, w.Body)
		}
	}
}
