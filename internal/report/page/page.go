// Package page writes self-contained web pages, which are one file and need no network: a document as data, and the script that draws it. The script is built from web/src
// into dist; the web server uses the same script.
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
	//go:embed dist/view.js
	View []byte // draws documents: incore.draw(node, document)
	//go:embed style.css
	Style []byte
)

// start draws the page's own document.
var start = []byte("incore.start();")

// Page is a page in one file. Its Content-Security-Policy allows only its own scripts and styles, so that text of the input is never executed or
// styled. Style attributes in Body therefore have no effect; attributes of SVG do.
type Page struct {
	Title string
	Note  string // a line under the title
	Body  string // escaped markup, above the drawing of Data
	Data  any    // a document whose schema View knows; nil: none
	Style []byte // style sheet after the common one
}

// Write writes the page.
func (p *Page) Write(w io.Writer) error {
	scripts := [][]byte{View, start}
	style := append(append([]byte{}, Style...), p.Style...)
	var data bytes.Buffer
	if p.Data != nil {
		if err := json.NewEncoder(&data).Encode(p.Data); err != nil { // which writes <, > and & as escapes
			return fmt.Errorf("writing the page's data: %w", err)
		}
	}
	e := html.EscapeString
	_, err := fmt.Fprintf(w, `<!DOCTYPE html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="%s">
<meta name="color-scheme" content="light dark"><link rel="icon" href="data:,">
<title>%s</title><style>%s</style></head>
<body><header class="top"><h1>%s</h1><p class="soft">%s</p></header>%s<main id="report"><noscript>A script draws this report; its data are in the page as JSON.</noscript></main>
`, e(policy(style, scripts...)), e("incore: "+p.Title), style, e(p.Title), e(p.Note), p.Body)
	if err == nil && p.Data != nil {
		_, err = fmt.Fprintf(w, "<script type=\"application/json\" id=\"document\">%s</script>\n", bytes.TrimSpace(data.Bytes()))
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "<script>%s</script>\n<script>%s</script>\n</body></html>\n", View, start)
	}
	return err
}

// policy returns the Content-Security-Policy that allows only these scripts and this style.
func policy(style []byte, scripts ...[]byte) string {
	p := "default-src 'none'; base-uri 'none'; form-action 'none'; img-src data:; style-src " + hashOf(style) + "; script-src"
	for _, s := range scripts {
		p += " " + hashOf(s)
	}
	return p
}

func hashOf(b []byte) string {
	h := sha256.Sum256(b)
	return "'sha256-" + base64.StdEncoding.EncodeToString(h[:]) + "'"
}

// HTML writes a report as a self-contained page.
func HTML(w io.Writer, d *report.Document) error {
	p := Page{Title: d.Input.File, Note: d.Input.ISA + ", incore " + d.Version, Data: d}
	return p.Write(w)
}
