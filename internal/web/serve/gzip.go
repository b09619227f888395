package serve

import (
	"compress/gzip"
	"net/http"
	"strings"
)

// zipper is a writer of an answer, which is compressed if the client can read that.
type zipper struct {
	http.ResponseWriter
	asked bool
	zip   *gzip.Writer // nil: not compressed
}

// zipped returns the writer of the answer to a request.
func zipped(w http.ResponseWriter, r *http.Request) *zipper {
	asked := false
	for _, part := range strings.Split(r.Header.Get("Accept-Encoding"), ",") {
		name, quality, _ := strings.Cut(strings.TrimSpace(part), ";")
		if strings.TrimSpace(name) == "gzip" {
			asked = strings.Trim(strings.TrimPrefix(strings.TrimSpace(quality), "q="), "0.") != "" || quality == ""
		}
	}
	return &zipper{ResponseWriter: w, asked: asked}
}

// WriteHeader decides whether the answer is compressed.
func (z *zipper) WriteHeader(status int) {
	h := z.Header()
	h.Add("Vary", "Accept-Encoding")
	if z.asked && status != http.StatusNoContent && status != http.StatusNotModified && h.Get("Content-Encoding") == "" {
		h.Set("Content-Encoding", "gzip")
		h.Del("Content-Length")
		z.zip, _ = gzip.NewWriterLevel(z.ResponseWriter, gzip.BestSpeed)
	}
	z.asked = false
	z.ResponseWriter.WriteHeader(status)
}

func (z *zipper) Write(b []byte) (int, error) {
	if z.asked {
		z.WriteHeader(http.StatusOK)
	}
	if z.zip != nil {
		return z.zip.Write(b)
	}
	return z.ResponseWriter.Write(b)
}

// close writes the end of the answer.
func (z *zipper) close() {
	if z.zip != nil {
		_ = z.zip.Close()
	}
}

// Unwrap is for http.ResponseController.
func (z *zipper) Unwrap() http.ResponseWriter { return z.ResponseWriter }
