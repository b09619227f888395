// Package page renders a report as a web page: one file that needs no network, with the document as data and the script that draws it. The web server
// uses the same script.
package page

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html"
	"io"

	"incore/internal/report"
)

// The parts of a page.
var (
	//go:embed view.js
	View []byte // draws a document
	//go:embed style.css
	Style []byte
	//go:embed report.js
	start []byte
)

// policy is the Content-Security-Policy of a page that has these scripts and this style in it, and may do nothing else.
func policy(style []byte, scripts ...[]byte) string {
	p := "default-src 'none'; base-uri 'none'; form-action 'none'; style-src " + hashOf(style) + "; script-src"
	for _, s := range scripts {
		p += " " + hashOf(s)
	}
	return p
}

func hashOf(b []byte) string {
	h := sha256.Sum256(b)
	return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
}

// HTML writes a document as a page of its own.
func HTML(w io.Writer, d *report.Document) error {
	var data bytes.Buffer
	e := json.NewEncoder(&data) // which writes <, > and & as escapes
	if err := e.Encode(d); err != nil {
		return err
	}
	title := "incore: " + d.Input.File
	_, err := fmt.Fprintf(w, `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="%s">
<title>%s</title><style>%s</style></head>
<body><h1>%s</h1><p>%s, incore %s</p><main id="report"><noscript>This report is drawn by its script; the data are in it as JSON.</noscript></main>
<script type="application/json" id="document">%s</script>
<script>%s</script>
<script>%s</script>
</body></html>
`, html.EscapeString(policy(Style, View, start)), html.EscapeString(title), Style, html.EscapeString(title), html.EscapeString(d.Input.ISA), html.EscapeString(d.Version), data.Bytes(), View, start)
	return err
}
