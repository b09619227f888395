// Command screenshots takes the pictures of the web pages that the documentation shows, by chromium, in light and dark colours, 1280 and 390 pixels wide:
//
//	go run ./tools/screenshots [-o docs/images]
package main

import (
	"bytes"
	"flag"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"

	"incore/internal/analyze"
	"incore/internal/base/source"
	"incore/internal/report/page"
	"incore/internal/web/api"
	"incore/internal/web/browser"
	"incore/internal/web/serve"
)

func main() {
	out := flag.String("o", "docs/images", "the folder of the pictures")
	input := flag.String("input", "examples/triad.s", "the assembly of the report")
	flag.Parse()
	if err := run(*out, *input); err != nil {
		fmt.Fprintln(os.Stderr, "error:", err)
		os.Exit(1)
	}
}

func run(out, input string) error {
	report, err := report(input)
	if err != nil {
		return err
	}
	b, err := browser.New()
	if err != nil {
		return err
	}
	defer b.Close()
	if err := os.MkdirAll(out, 0o777); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/report.html", func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write(report) })
	mux.Handle("/", serve.Handler(serve.Options{Options: api.Options{Machine: "zen4,skylake-server"}}))
	s := httptest.NewServer(mux)
	defer s.Close()
	for name, path := range map[string]string{"report": "/report.html", "editor": "/"} {
		for _, width := range []int64{1280, 390} {
			for _, dark := range []bool{false, true} {
				colours := map[bool]string{false: "light", true: "dark"}[dark]
				file := filepath.Join(out, fmt.Sprintf("%s-%s-%d.png", name, colours, width))
				if err := take(b, s.URL+path, file, width, dark); err != nil {
					return err
				}
				fmt.Println(file)
			}
		}
	}
	return nil
}

// report returns the page of an input on two machines.
func report(input string) ([]byte, error) {
	f, err := source.Read(input, os.Stdin)
	if err != nil {
		return nil, err
	}
	d, err := analyze.Run(f, analyze.Options{Archs: []string{"zen4", "skylake-server"}, Questions: analyze.Questions{Timeline: 3, TimelineFrom: -1}})
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = page.HTML(&b, d)
	return b.Bytes(), err
}

// take takes a picture of a page when it is completely drawn.
func take(b *browser.Browser, url, file string, width int64, dark bool) error {
	height := int64(1500)
	if width < 600 {
		height = 900
	}
	p, err := b.Open(url, width, height, dark)
	if err != nil {
		return err
	}
	defer p.Close()
	if err := p.Await(`document.querySelector("canvas.pipeline")?.height > 100 && document.querySelector(".depgraph .node")`); err != nil {
		return err
	}
	if err := p.Eval(`new Promise(r => setTimeout(() => r(true), 300))`, nil); err != nil {
		return err
	}
	data, err := p.Picture()
	if err != nil {
		return err
	}
	return os.WriteFile(file, data, 0o666)
}
