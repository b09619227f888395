package report

import (
	"bytes"
	"fmt"
	"io"
	"slices"
)

// Result is what a command finds out, apart from the format in which it is written. Its JSON are its exported fields. A result has further formats
// if it has their methods, which formats lists.
type Result interface {
	// Layout names the layout of the JSON with its version ("incore.measure/1"), as the field schema does.
	Layout() string
	Text(w io.Writer, o TextOptions) error
}

// writer writes a result in one format.
type writer func(io.Writer, TextOptions) error

// format is a way to write results.
type format struct {
	name string
	of   func(r Result) writer // nil if the result cannot be written so
}

// CIFormats are the formats of services for continuous integration; package findings writes them.
var CIFormats = []string{"sarif", "junit", "gitlab", "metrics", "benchmark"}

// formats are all of them; a new one is a line here.
var formats = slices.Concat([]format{
	{"text", func(r Result) writer { return r.Text }},
	{"json", func(r Result) writer {
		if x, ok := r.(interface{ JSON(io.Writer) error }); ok { // long results write their rows as they come
			return plain(x.JSON)
		}
		return plain(func(w io.Writer) error { return named(w, r) })
	}},
	{"csv", func(r Result) writer {
		x, ok := r.(interface{ CSV(io.Writer) error })
		return given(ok, func(w io.Writer) error { return x.CSV(w) })
	}},
	{"yaml", func(r Result) writer {
		x, ok := r.(interface{ YAML(io.Writer) error })
		return given(ok, func(w io.Writer) error { return x.YAML(w) })
	}},
	{"html", func(r Result) writer {
		x, ok := r.(interface{ HTML(io.Writer) error })
		return given(ok, func(w io.Writer) error { return x.HTML(w) })
	}},
	{"dot", func(r Result) writer {
		x, ok := r.(interface{ DOT(io.Writer) error })
		return given(ok, func(w io.Writer) error { return x.DOT(w) })
	}},
	{"svg", func(r Result) writer {
		x, ok := r.(interface{ SVG(io.Writer) error })
		return given(ok, func(w io.Writer) error { return x.SVG(w) })
	}},
	{"markdown", func(r Result) writer {
		x, ok := r.(interface{ Markdown(io.Writer) error })
		return given(ok, func(w io.Writer) error { return x.Markdown(w) })
	}},
	{"jsonl", func(r Result) writer {
		x, ok := r.(interface{ JSONL(io.Writer) error })
		return given(ok, func(w io.Writer) error { return x.JSONL(w) })
	}},
	{"tsv", func(r Result) writer {
		x, ok := r.(interface{ TSV(io.Writer) error })
		return given(ok, func(w io.Writer) error { return x.TSV(w) })
	}},
}, checks())

// checks are CIFormats, of results that have findings.
func checks() (out []format) {
	for _, name := range CIFormats {
		out = append(out, format{name, func(r Result) writer {
			x, ok := r.(interface {
				CI(w io.Writer, format string) error
			})
			return given(ok, func(w io.Writer) error { return x.CI(w, name) })
		}})
	}
	return out
}

// named writes the JSON of a result, whose value is an object: the result itself, unless it says otherwise. The field schema comes first; where the value
// has none, the result's layout is written.
func named(w io.Writer, r Result) error {
	v := any(r)
	if x, ok := r.(interface{ Value() any }); ok {
		v = x.Value()
	}
	var b bytes.Buffer
	if err := JSON(&b, v); err != nil {
		return err
	}
	text := b.Bytes()
	const begin, field = "{\n", `  "schema": `
	if !bytes.Contains(text, []byte("\n"+field)) {
		rest, object := bytes.CutPrefix(text, []byte(begin))
		if !object {
			return fmt.Errorf("%T is written as JSON that is no object with fields", r)
		}
		text = fmt.Appendf(nil, "%s%s%q,\n%s", begin, field, r.Layout(), rest)
	}
	_, err := w.Write(text)
	return err
}

// given is a writer without options, nil unless the result has the format.
func given(has bool, write func(io.Writer) error) writer {
	if !has {
		return nil
	}
	return plain(write)
}

func plain(write func(io.Writer) error) writer {
	return func(w io.Writer, _ TextOptions) error { return write(w) }
}

// Formats lists the formats of a result, of which only the type counts.
func Formats(r Result) (names []string) {
	for _, f := range formats {
		if f.of(r) != nil {
			names = append(names, f.name)
		}
	}
	return names
}

// Write writes a result in one of its formats; o applies to text only.
func Write(w io.Writer, r Result, name string, o TextOptions) error {
	i := slices.IndexFunc(formats, func(f format) bool { return f.name == name })
	if i >= 0 {
		if write := formats[i].of(r); write != nil {
			return write(w, o)
		}
	}
	return fmt.Errorf("unknown format %q", name)
}
