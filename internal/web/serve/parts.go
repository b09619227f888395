package serve

import (
	"bytes"
	_ "embed"
	"strings"

	"incore/internal/report/page"
)

// The parts of the page; dist is made from web/src.
var (
	//go:embed index.html
	index []byte
	//go:embed app.css
	style []byte
	//go:embed worker.js
	worker []byte
	//go:embed dist/app.js
	app []byte
)

// part is a file of the page.
type part struct {
	name, kind string
	data       []byte
}

const script = "text/javascript; charset=utf-8"

// parts returns the files of the page, for a server or for an exported page with the analyser as WebAssembly.
func parts(static bool) []part {
	html := strings.NewReplacer("{{policy}}", "", "{{analyser}}", "server").Replace(string(index))
	if static {
		meta := `<meta http-equiv="Content-Security-Policy" content="` + policy + `; worker-src 'self'">`
		html = strings.NewReplacer("{{policy}}", meta, "{{analyser}}", "wasm").Replace(string(index))
	}
	out := []part{{"index.html", "text/html; charset=utf-8", []byte(html)}, {"app.js", script, app}, {"view.js", script, page.View},
		{"style.css", "text/css; charset=utf-8", bytes.Join([][]byte{page.Style, style}, nil)}}
	if static {
		out = append(out, part{"worker.js", script, worker})
	}
	return out
}
