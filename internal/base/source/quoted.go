package source

import "io"

// JoinQuoted returns a reader of a table in which fields in quotes do not go over the ends of lines: as RFC 4180 allows that, and code of several lines stands in
// such fields, the ends become semicolons.
func JoinQuoted(r io.Reader) io.Reader { return &quoted{r: r, start: true} }

type quoted struct {
	r      io.Reader
	start  bool // a field begins
	within bool // a field in quotes
}

// Read implements io.Reader.
func (q *quoted) Read(p []byte) (int, error) {
	n, err := q.r.Read(p)
	kept := 0
	for _, c := range p[:n] {
		switch {
		case c == '"' && (q.start || q.within): // of two quotes within a field the second one begins it again
			q.within, q.start = !q.within, q.within
		case q.within && c == '\r':
			continue
		case q.within && c == '\n':
			c = ';'
		case !q.within:
			q.start = c == ',' || c == '\t' || c == '\n'
		}
		p[kept] = c
		kept++
	}
	return kept, err
}

// Spans reports whether a field in quotes goes over the end of the first lines of a table.
func Spans(head []byte) bool {
	q := quoted{start: true}
	for _, c := range head {
		switch {
		case c == '"' && (q.start || q.within):
			q.within, q.start = !q.within, q.within
		case q.within && c == '\n':
			return true
		case !q.within:
			q.start = c == ',' || c == '\t' || c == '\n'
		}
	}
	return false
}
