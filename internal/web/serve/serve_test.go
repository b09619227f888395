package serve

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"incore/internal/report"
	"incore/internal/web/api"
)

func post(t *testing.T, h http.Handler, body string) (int, string) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, local("POST", "/api/analyze", strings.NewReader(body)))
	return w.Code, w.Body.String()
}

const loop = `{"text": "1: vaddsd (%rdi), %xmm0, %xmm0\n addq $8, %rdi\n cmpq %rdi, %rsi\n jne 1b", "arch": ["zen4", "skx"], "timeline": 2}`

// TestAnalyze: the answer is the document of analyze --format json.
func TestAnalyze(t *testing.T) {
	code, body := post(t, Handler(Options{}), loop)
	var d report.Document
	if err := json.Unmarshal([]byte(body), &struct {
		Schema *string `json:"schema"`
	}{&d.Schema}); err != nil || code != http.StatusOK || d.Schema != report.Schema {
		t.Fatalf("%d %v: %.300s", code, err, body)
	}
	var doc struct {
		Kernels []struct {
			Targets []struct {
				Arch       string
				Prediction struct{ Cycles float64 }
				Timeline   struct{ Uops []any }
			}
		}
	}
	if err := json.Unmarshal([]byte(body), &doc); err != nil {
		t.Fatal(err)
	}
	if targets := doc.Kernels[0].Targets; len(targets) != 2 || targets[0].Arch != "zen4" || targets[0].Prediction.Cycles != 3 || len(targets[0].Timeline.Uops) == 0 {
		t.Errorf("%+v", doc)
	}
}

// TestRefusals: each bad request has its status and a message, and the server goes on.
func TestRefusals(t *testing.T) {
	h := Handler(Options{Options: api.Options{MaxText: 1000, MaxArchs: 2}})
	large, _ := json.Marshal(map[string]any{"text": strings.Repeat("nop\n", 1000), "arch": []string{"zen4"}})
	for _, c := range []struct {
		body string
		code int
		want string
	}{
		{string(large), http.StatusRequestEntityTooLarge, "more than 1000 bytes"},
		{strings.Repeat("x", 2000), http.StatusRequestEntityTooLarge, "more than 1000 bytes"},
		{"", http.StatusBadRequest, "not a JSON object"},
		{"[1]", http.StatusBadRequest, "has a list where an object is expected"},
		{`{"text": "  "}`, http.StatusBadRequest, "there is no text"},
		{`{"text": "nop", "arch": ["a", "b", "c"]}`, http.StatusBadRequest, "at most 2"},
		{`{"text": "nop", "timeline": 1000000}`, http.StatusBadRequest, "0 to 20"},
		{`{"text": "nop", "arch": ["zen99"]}`, http.StatusUnprocessableEntity, "unknown machine"},
		{`{"text": "\u0000\u0001 <img onerror=x>", "arch": ["zen4"]}`, http.StatusUnprocessableEntity, "not assembly"},
	} {
		code, body := post(t, h, c.body)
		var e struct{ Error string }
		if err := json.Unmarshal([]byte(body), &e); err != nil || code != c.code || !strings.Contains(e.Error, c.want) {
			t.Errorf("%.60s: %d %s, want %d with %q", c.body, code, body, c.code, c.want)
		}
	}
	if code, _ := post(t, Handler(Options{}), loop); code != http.StatusOK {
		t.Errorf("afterwards: %d", code)
	}
}

// TestNoSuchRequest: requests that the API does not have are answered as it answers, in JSON.
func TestNoSuchRequest(t *testing.T) {
	h := Handler(Options{})
	for _, c := range []struct {
		method, path string
		code         int
		want, allow  string
	}{
		{"GET", "/api/analyze", http.StatusMethodNotAllowed, "takes POST, not GET", "POST"},
		{"DELETE", "/api/info", http.StatusMethodNotAllowed, "takes GET, not DELETE", "GET"},
		{"POST", "/api/info", http.StatusMethodNotAllowed, "takes GET, not POST", "GET"},
		{"GET", "/api/", http.StatusNotFound, "no such request: /api/", ""},
		{"POST", "/api/analyse", http.StatusNotFound, "no such request: /api/analyse", ""},
		{"PUT", "/api/v1/analyze", http.StatusNotFound, "no such request: /api/v1/analyze", ""},
	} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, local(c.method, c.path, nil))
		var e struct{ Error, Hint string }
		if err := json.Unmarshal(w.Body.Bytes(), &e); err != nil || w.Code != c.code || !strings.Contains(e.Error, c.want) || w.Header().Get("Allow") != c.allow {
			t.Errorf("%s %s: %d %v %s", c.method, c.path, w.Code, w.Header(), w.Body)
		}
		if c.code == http.StatusNotFound && !strings.Contains(e.Hint, "/api/analyze") {
			t.Errorf("%s %s: no hint: %s", c.method, c.path, w.Body)
		}
	}
}

// TestCrowd: of many requests at once some are refused, and none is lost.
func TestCrowd(t *testing.T) {
	h := Handler(Options{Jobs: 1, Waiting: 3})
	var wg sync.WaitGroup
	var mu sync.Mutex
	codes := map[int]int{}
	for range 200 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			code, _ := post(t, h, loop)
			mu.Lock()
			codes[code]++
			mu.Unlock()
		}()
	}
	wg.Wait()
	if codes[http.StatusOK] == 0 || codes[http.StatusOK]+codes[http.StatusServiceUnavailable] != 200 {
		t.Errorf("answers by status: %v", codes)
	}
	if code, _ := post(t, h, loop); code != http.StatusOK {
		t.Errorf("afterwards: %d", code)
	}
}

// TestThousand: of a thousand clients at once each has an answer, or is told when to come again.
func TestThousand(t *testing.T) {
	s := httptest.NewServer(Handler(Options{Wait: 5 * time.Minute})) // so that all who wait for a turn get one, however slow the machine
	defer s.Close()
	client := &http.Client{Transport: &http.Transport{MaxConnsPerHost: 0, DisableKeepAlives: true}}
	var wg sync.WaitGroup
	var answered, refused, other atomic.Int64
	for range 1000 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			r, err := client.Post(s.URL+"/api/analyze", "application/json", strings.NewReader(loop))
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			_, err = io.Copy(io.Discard, r.Body)
			switch {
			case err == nil && r.StatusCode == http.StatusOK:
				answered.Add(1)
			case err == nil && r.StatusCode == http.StatusServiceUnavailable && r.Header.Get("Retry-After") != "":
				refused.Add(1)
			default:
				other.Add(1)
			}
		}()
	}
	wg.Wait()
	if answered.Load() < 64 || other.Load() > 0 {
		t.Errorf("%d answered, %d refused, %d other", answered.Load(), refused.Load(), other.Load())
	}
	if code, body := post(t, Handler(Options{}), loop); code != http.StatusOK {
		t.Errorf("afterwards: %d %.200s", code, body)
	}
}

// TestAbandoned: an analysis whose client went away stops, and gives back its turn. It would take minutes, and the next request waits seconds.
func TestAbandoned(t *testing.T) {
	h := Handler(Options{Jobs: 1, Waiting: 1, Wait: 10 * time.Second})
	s := httptest.NewServer(h)
	defer s.Close()
	var text strings.Builder
	text.WriteString("1:\n")
	for i := range 4000 {
		fmt.Fprintf(&text, "vfmadd231pd %d(%%rsi,%%rax), %%ymm%d, %%ymm%d\n", 32*i, i%7+8, i%8)
	}
	text.WriteString("addq $32, %rax\njne 1b\n")
	body, _ := json.Marshal(map[string]any{"text": text.String(), "arch": []string{"zen4", "zen3", "skx", "hsw", "icl", "spr"}, "sensitivity": true, "what_if": []string{"rob=2x", "ports=free", "dispatch=free", "scheduler=2x", "frontend=free"}})
	ctx, leave := context.WithCancel(context.Background())
	r, _ := http.NewRequestWithContext(ctx, "POST", s.URL+"/api/analyze", bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	gone := make(chan error)
	go func() {
		a, err := http.DefaultClient.Do(r)
		if err == nil {
			a.Body.Close()
		}
		gone <- err
	}()
	time.Sleep(500 * time.Millisecond) // until it has begun; sooner, it would have no turn to give back
	leave()
	if err := <-gone; err == nil {
		t.Fatal("the long analysis had an answer at once")
	}
	if code, body := post(t, h, loop); code != http.StatusOK {
		t.Errorf("the next request: %d %.200s", code, body)
	}
}

// TestParts: the page and its parts are served with a policy that allows no script but theirs.
func TestParts(t *testing.T) {
	var log bytes.Buffer
	h := Handler(Options{Log: &log})
	for path, want := range map[string]int{"/": 200, "/app.js": 200, "/view.js": 200, "/style.css": 200, "/api/info": 200, "/../etc/passwd": 307, "/nosuch": 404, "/api/analyze": 405} {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, local("GET", path, nil))
		if policy := w.Header().Get("Content-Security-Policy"); w.Code != want && !(want == 307 && w.Code == 301) || !strings.Contains(policy, "script-src 'self'") || strings.Contains(policy, "unsafe") {
			t.Errorf("%s: %d, want %d; policy %q", path, w.Code, want, policy)
		}
	}
	if n := strings.Count(log.String(), "\n"); n != 8 {
		t.Errorf("%d lines of log for 8 requests:\n%s", n, log.String())
	}
}

// TestExamples: each example is analysed without a complaint.
func TestExamples(t *testing.T) {
	h := Handler(Options{})
	for _, x := range api.Examples() {
		arch := x.Arch
		if arch == "" {
			arch = "zen4"
		}
		body, _ := json.Marshal(map[string]any{"text": x.Text, "arch": []string{arch}})
		code, text := post(t, h, string(body))
		if code != http.StatusOK || strings.Contains(text, `"severity": "error"`) {
			t.Errorf("%s: %d %.300s", x.Name, code, text)
		}
	}
}
