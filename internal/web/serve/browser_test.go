package serve

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"incore/internal/base/long"
	"incore/internal/report"
	"incore/internal/report/page"
	"incore/internal/web/api"
	"incore/internal/web/browser"
	"incore/internal/web/jail"
)

func TestMain(m *testing.M) {
	jail.Enter()
	code := m.Run()
	if shared != nil {
		shared.Close()
	}
	os.Exit(code)
}

// shared is the browser of all tests.
var (
	shared *browser.Browser
	once   sync.Once
	failed error
)

func start(t *testing.T) *browser.Browser {
	t.Helper()
	once.Do(func() { shared, failed = browser.New() })
	if failed != nil {
		t.Skip(failed)
	}
	return shared
}

// open opens a page and holds it to its silence at the end: no complaint, and no request elsewhere.
func open(t *testing.T, b *browser.Browser, url string, width int64, but ...string) *browser.Page {
	t.Helper()
	p, err := b.Open(url, width, 1000, false)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if l := p.Problems(but...); len(l) > 0 {
			t.Errorf("the console says: %s", strings.Join(l, "\n"))
		}
		origin, _, _ := strings.Cut(url, "#")
		if l := p.Elsewhere(origin); len(l) > 0 {
			t.Errorf("requests elsewhere: %v", l)
		}
		p.Close()
	})
	return p
}

// await fails the test where an expression does not become true.
func await(t *testing.T, p *browser.Page, expressions ...string) {
	t.Helper()
	for _, e := range expressions {
		if err := p.Await(e); err != nil {
			var text string
			_ = p.Eval("document.body.innerText.slice(0, 1500)", &text)
			t.Fatalf("%v; the page says:\n%s", err, text)
		}
	}
}

func do(t *testing.T, p *browser.Page, a ...chromedp.Action) {
	t.Helper()
	if err := p.Do(a...); err != nil {
		t.Fatal(err)
	}
}

// editable is what is typed into, in the shadow tree of an editor.
const editable = `document.querySelector("#a .editor").shadowRoot.querySelector(".cm-content")`

// insert types a text in place of what the editor holds.
func insert(t *testing.T, p *browser.Page, text string) {
	t.Helper()
	do(t, p, chromedp.Evaluate(editable+".focus()", nil), chromedp.KeyEvent("a", chromedp.KeyModifiers(2)), chromedp.KeyEvent(kb.Delete))
	for _, l := range strings.SplitAfter(text, "\n") {
		do(t, p, chromedp.KeyEvent(l))
	}
}

const cyclesShown = `document.querySelector(".headline strong")?.textContent`

// TestPage types, clicks and points, and looks at what is drawn.
func TestPage(t *testing.T) {
	b := start(t)
	s := httptest.NewServer(Handler(Options{Options: api.Options{Machine: "zen4,skylake-server"}}))
	defer s.Close()
	p := open(t, b, s.URL, 1280, "status of 422") // which chromium notes of an answer to a mistake
	await(t, p, cyclesShown+` === "3 cycles"`, `document.querySelectorAll(".machines tbody tr").length === 2`, `document.querySelector("canvas.pipeline")`, `document.querySelector(".edge.lcd")`, `document.querySelector(".insts td.p[data-tip]")`)
	// The other machine, and what is pointed at lights up in graph and table, both ways.
	do(t, p, chromedp.Click(`[role=tab]:nth-child(2)`, chromedp.ByQuery))
	await(t, p, cyclesShown+` === "4 cycles"`)
	point := func(e string) string {
		return "(() => { const e = " + e + "; e.dispatchEvent(new PointerEvent('pointerenter')); e.dispatchEvent(new PointerEvent('pointerover', {bubbles: true})); })()"
	}
	do(t, p, chromedp.Evaluate(point(`document.querySelector('.insts tr[data-i="0"]')`), nil))
	await(t, p, `document.querySelector(".node.hot text").textContent`)
	do(t, p, chromedp.Evaluate(point(`document.querySelectorAll(".node")[1]`), nil))
	await(t, p, `document.querySelectorAll(".insts tr.hot").length === 1`, `!document.getElementById("tip").hidden`)
	// Zoom of the graph, steps in the pipeline by keys.
	do(t, p, chromedp.Evaluate(`window.box = document.querySelector(".depgraph").getAttribute("viewBox"); document.querySelector(".depgraph").focus()`, nil), chromedp.KeyEvent("+"))
	await(t, p, `document.querySelector(".depgraph").getAttribute("viewBox") !== box`)
	do(t, p, chromedp.Evaluate(`document.querySelector("canvas.pipeline").focus()`, nil), chromedp.KeyEvent(kb.ArrowDown))
	await(t, p, `/dispatched \d+, ready \d+/.test(document.querySelector(".info").textContent)`)
	// What is typed is analysed, and mistakes are shown beside the last report.
	insert(t, p, "1: vmulsd %xmm1, %xmm0, %xmm0\ndecq %rdi\njnz 1b\n")
	await(t, p, cyclesShown+` === "4 cycles"`, `location.hash.includes("a=")`)
	insert(t, p, "1: vmulsdx %xmm1\n")
	await(t, p, `document.getElementById("error").textContent.length > 5`)
	// The address holds the code, soon after the report is there.
	do(t, p, chromedp.Evaluate("window.was = location.hash", nil))
	insert(t, p, "1: imulq %rax, %rax\ndecq %rdi\njnz 1b\n")
	await(t, p, `document.querySelector("#report:not(.stale) .headline strong")?.textContent === "3 cycles"`, `location.hash !== was && location.hash.includes("a=")`)
	var address string
	if err := p.Eval("location.href", &address); err != nil {
		t.Fatal(err)
	}
	again := open(t, b, address, 390)
	await(t, again, cyclesShown+` === "3 cycles"`, editable+`.textContent.includes("imulq")`, `document.documentElement.scrollWidth <= innerWidth`)
	// Two versions.
	do(t, p, chromedp.Click("#compare"))
	await(t, p, `document.querySelector("#report .headline").textContent.includes("nothing changed")`)
}

// TestUnknownMachine: a name that no machine has, typed or in the address, is said beside the field; the report stays as it is, and the name can be mended.
func TestUnknownMachine(t *testing.T) {
	b := start(t)
	s := httptest.NewServer(Handler(Options{Options: api.Options{Machine: "zen4"}}))
	defer s.Close()
	p := open(t, b, s.URL, 1280)
	await(t, p, cyclesShown+` === "3 cycles"`, `document.querySelector(".editor").getBoundingClientRect().width >= 480`, `document.documentElement.scrollWidth <= innerWidth`)
	add := func(name string) {
		do(t, p, chromedp.Evaluate(`document.getElementById("machine").value = "`+name+`"; document.getElementById("machine").dispatchEvent(new Event("change"))`, nil))
	}
	add("zen99")
	await(t, p, `document.getElementById("status").textContent.startsWith('unknown machine "zen99"; near: zen')`, `document.querySelectorAll(".chip").length === 1`,
		`document.querySelector("#report:not(.stale) .headline strong").textContent === "3 cycles"`, `document.getElementById("machine").value === "zen99"`)
	add("SKX") // an alias
	await(t, p, `document.querySelectorAll(".machines tbody tr").length === 2`, `document.querySelectorAll(".chip").length === 2`, `document.getElementById("machine").value === ""`)
	again := open(t, b, s.URL+"/#arch=nosuchcore", 1280)
	await(t, again, cyclesShown+` === "3 cycles"`, `document.querySelectorAll(".chip").length === 1`, `document.querySelector("#report:not(.stale)")`)
}

// TestSource: what is typed in C is compiled, and its lines stand above the instructions that they became.
func TestSource(t *testing.T) {
	b := start(t)
	names, err := Compilers(context.Background())
	if err != nil {
		t.Skip(err)
	}
	s := httptest.NewServer(Handler(Options{Options: api.Options{Machine: "zen4", Compiles: names[:1]}, Compile: Contained}))
	defer s.Close()
	p := open(t, b, s.URL, 1280, "status of 422") // what is typed by halves does not compile
	await(t, p, cyclesShown)
	do(t, p, chromedp.Evaluate(`document.getElementById("options").value = "-O2"; document.querySelector("#csource .editor").shadowRoot.querySelector(".cm-content").focus()`, nil),
		chromedp.KeyEvent("long sum(long *a, long n) {\nlong s = 0;\nfor (long i = 0; i < n; i++)\ns += a[i];\nreturn s;\n}\n"))
	await(t, p, `[...document.querySelectorAll(".insts tr.source")].some(r => /^<stdin>:[0-9]+ s \+= a\[i\];$/.test(r.textContent))`, `location.hash.includes("c=")`)
	do(t, p, chromedp.Evaluate(`document.querySelector(".insts tr.source").dispatchEvent(new PointerEvent("pointerenter"))`, nil))
	await(t, p, `document.querySelector(".insts tr.near")`)
	var address string
	if err := p.Eval("location.href", &address); err != nil {
		t.Fatal(err)
	}
	again := open(t, b, address, 390)
	await(t, again, `[...document.querySelectorAll(".insts tr.source")].some(r => r.textContent.includes("s += a[i];"))`, `document.documentElement.scrollWidth <= innerWidth`)
}

// TestHostile: what is typed stays text, and a large paste is refused with a message.
func TestHostile(t *testing.T) {
	b := start(t)
	s := httptest.NewServer(Handler(Options{Options: api.Options{Machine: "zen4"}}))
	defer s.Close()
	p := open(t, b, s.URL, 1280, "status of 4")
	await(t, p, cyclesShown)
	do(t, p, chromedp.Evaluate(`window.alert = () => { window.fired = true; }`, nil))
	hostile := "# <img src=x onerror=alert(1)>\n\"<img/src=x/onerror=alert(1)>\":\naddq $1, %rax\njne \"<img/src=x/onerror=alert(1)>\"\n"
	do(t, p, chromedp.Evaluate(`incore.draw(document.getElementById("report"), {schema: "incore.analyze/1", diagnostics: [{severity: "error", message: "<img src=x onerror=alert(1)>"}], kernels: []})`, nil))
	await(t, p, `document.getElementById("report").textContent.includes("<img") && !document.querySelector("#report img")`)
	insert(t, p, hostile)
	await(t, p, `document.querySelectorAll("img").length === 0 && !window.fired`)
	do(t, p, chromedp.Evaluate(`fetch("api/analyze", {method: "POST", body: "x".repeat(10 << 20)}).then(r => { window.answered = r.status; })`, nil))
	await(t, p, `window.answered === 413`)
}

// TestFiles opens reports, lists and comparisons as files of their own: each draws what it holds and asks for nothing.
func TestFiles(t *testing.T) {
	b := start(t)
	const loop = "1: vfmadd231pd (%rsi,%rax), %ymm1, %ymm0\nvaddpd %ymm2, %ymm3, %ymm3\n"
	long := strings.Repeat(loop, 49) + "addq $32, %rax\njne 1b\n"
	long = strings.ReplaceAll(long, "1: ", "")
	answer := func(path, body string) any {
		v, err := (&api.Options{}).Answer(context.Background(), path, nil, []byte(body))
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	quote := func(s string) string { text, _ := json.Marshal(s); return string(text) }
	document := answer("analyze", `{"text": `+quote("1:\n"+long)+`, "arch": ["zen4", "skx"], "timeline": 8}`)
	entered := answer("analyze", `{"text": "1: call f\ndecq %rdi\njnz 1b\n", "arch": ["zen4"], "iterations": 9}`)
	least := answer("compare", `{"texts": ["1: call f\ndecq %rdi\njnz 1b\n", "1: call f\nimul %rsi, %rsi\ndecq %rdi\njnz 1b\n2: call g\nvdivpd %ymm1, %ymm1, %ymm1\ndecq %rdi\njnz 2b\n"], "arch": ["zen4"]}`).(*api.Compared)
	compared := answer("compare", `{"texts": [`+quote("1: "+loop[3:]+"decq %rdi\njnz 1b\n")+`, `+quote("1: "+loop[3:]+"vpermilpd $5, %ymm0, %ymm0\ndecq %rdi\njnz 1b\n")+`], "arch": ["zen4"]}`).(*api.Compared)
	corpus := page.Corpus{File: "corpus", Machines: []string{"m"}, Measured: true}
	for i := range 5000 {
		corpus.Add(page.Block{Number: i + 1, Block: fmt.Sprintf("block %d <b>", i), Arch: "m", Cycles: float64(i%7 + 1), Measured: float64(i%7+1) * 1.05, Bound: "ports"})
	}
	for name, c := range map[string]struct {
		write func(io.Writer) error
		want  []string
	}{
		"report":  {func(w io.Writer) error { return page.HTML(w, document.(*report.Document)) }, []string{`document.querySelectorAll(".insts tbody tr[data-i]").length === 100`, `document.querySelectorAll(".node").length === 100`, `document.querySelector("canvas.pipeline").height > 100`, `document.querySelector(".edge.lcd")`}},
		"compare": {func(w io.Writer) error { return page.Compare(w, compared.Comparison, compared.Documents) }, []string{`document.querySelector(".headline").textContent.includes("slower")`, `document.querySelectorAll(".grid tbody tr").length === 1`}},
		"entered": {func(w io.Writer) error { return page.HTML(w, entered.(*report.Document)) }, []string{`/entered for 9 iterations each time: ≥ \d.* \(a mispredicted branch costs \d+ cycles/.test(document.querySelector(".verdict").textContent)`}},
		"least":   {func(w io.Writer) error { return page.Compare(w, least.Comparison, least.Documents) }, []string{`document.querySelector(".headline").textContent.includes("only lower bounds")`, `document.querySelector(".grid tbody tr").textContent.includes(", of lower bounds")`, `/≥ .*≥ /.test(document.querySelector("details table.limits tr").textContent)`, `/in B: at least \d/.test(document.body.textContent)`}},
		"corpus":  {corpus.Write, []string{`document.querySelectorAll("canvas.plot").length === 2`, `document.querySelectorAll(".grid tbody tr").length < 200`, `document.body.textContent.includes("5000 rows")`}},
	} {
		name = filepath.Join(t.TempDir(), name+".html")
		f, err := os.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if err := c.write(f); err != nil {
			t.Fatal(err)
		}
		if size, _ := f.Seek(0, io.SeekCurrent); size > 1_500_000 {
			t.Errorf("%s has %d bytes", name, size)
		}
		f.Close()
		for _, width := range []int64{1280, 390} {
			p := open(t, b, "file://"+name, width)
			await(t, p, append(c.want, `document.documentElement.scrollWidth <= innerWidth`)...)
			if strings.HasSuffix(name, "corpus.html") {
				do(t, p, chromedp.SendKeys(`input[type=search]`, "4710 4711", chromedp.ByQuery))
				await(t, p, `document.querySelectorAll(".grid tbody tr").length === 1`)
			}
		}
	}
}

// TestExported opens the exported page: nothing answers but files.
func TestExported(t *testing.T) {
	long.Only(t, "builds the WebAssembly")
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go tool")
	}
	b := start(t)
	dir := t.TempDir()
	if _, err := Export(context.Background(), dir, ""); err != nil {
		t.Fatal(err)
	}
	s := httptest.NewServer(http.FileServer(http.Dir(dir)))
	defer s.Close()
	p := open(t, b, s.URL, 1280)
	await(t, p, cyclesShown+` === "3 cycles"`, `document.querySelector("canvas.pipeline")`)
	insert(t, p, "1: imulq %rax, %rax\nimulq %rax, %rax\ndecq %rdi\njnz 1b\n")
	await(t, p, cyclesShown+` === "6 cycles"`)
}

// TestExportRefuses says what is needed where there is no analyser.
func TestExportRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := Export(context.Background(), "out", ""); !errors.Is(err, ErrNoAnalyser) {
		t.Errorf("error %v", err)
	}
	if _, err := Export(context.Background(), "out", filepath.Join("no", "incore.wasm")); err == nil {
		t.Error("no error of a file that is not there")
	}
}
