// Package yamlfile reads the YAML files that users write: machine files and plans of explorations.
package yamlfile

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/lexer"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"incore/internal/base/finite"
)

// Bounds of a file. The parser's time grows with the square of the depth of lists and mappings, and it takes gigabytes for some 10,000 of them.
const (
	maxDepth  = 200       // lists and mappings around a value that are in brackets, or begin on one line
	maxValues = 2_000_000 // values of a file with aliases, each of which stands for as many as its anchor has: 9 lines may stand for 10^9
	maxWords  = 300       // bytes of the parser's words in an error, which may quote a long line
)

// Read decodes a text into a value; name is the file's, for messages, which have the line. Where strict is set, fields that the value does not have are errors.
//
// The parser (goccy/go-yaml 1.19.2) panics on some texts that are no YAML, as on a list that is but a tag; that is an error of the text, too.
func Read(name string, text []byte, into any, strict bool) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%s: the YAML parser cannot cope with this text (%v)", name, p)
		}
	}()
	text = bytes.TrimPrefix(text, []byte("\xef\xbb\xbf")) // a byte order mark, which the parser takes for a part of the first key
	if line, err := check(string(text)); err != nil {
		return fmt.Errorf("%s:%d: %w", name, line, err)
	}
	var o []yaml.DecodeOption
	if strict {
		o = append(o, yaml.Strict())
	}
	if err := yaml.UnmarshalWithOptions(text, into, o...); err != nil {
		var placed yaml.Error
		if errors.As(err, &placed) && placed.GetToken() != nil {
			return fmt.Errorf("%s:%d: %s", name, placed.GetToken().Position.Line, words(placed))
		}
		return fmt.Errorf("%s: %s", name, strings.TrimSpace(yaml.FormatError(err, false, false)))
	}
	if line, number := fraction(text, reflect.TypeOf(into)); number != "" {
		return fmt.Errorf("%s:%d: %.60q stands where a whole number is needed", name, line, number)
	}
	if err := finite.Check(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

// check returns the line at which a text nests too deep, has an alias in a text of too many values, or begins a second document, of which the parser would say nothing.
func check(text string) (line int, err error) {
	depth, dashes, alias, content := 0, 0, 0, false
	for _, t := range lexer.Tokenize(text) {
		if t.Position.Line != line {
			line, dashes = t.Position.Line, 0
		}
		switch t.Type {
		case token.SequenceStartType, token.MappingStartType:
			depth++
		case token.SequenceEndType, token.MappingEndType:
			depth--
		case token.SequenceEntryType, token.MappingKeyType:
			dashes++
		case token.AliasType:
			alias = line
		case token.DocumentHeaderType:
			if content {
				return line, errors.New("a second document begins (---); a file has one")
			}
			continue
		}
		if depth+dashes > maxDepth {
			return line, fmt.Errorf("lists and mappings nest more than %d deep", maxDepth)
		}
		content = content || t.Type != token.CommentType && t.Type != token.DirectiveType
	}
	if alias == 0 {
		return 0, nil
	}
	f, err := parser.ParseBytes([]byte(text), 0)
	if err != nil {
		return 0, nil // Read says what is wrong
	}
	w := weigher{}
	for _, d := range f.Docs {
		if w.values(d.Body) > maxValues {
			return alias, fmt.Errorf("with its aliases the file has more than %d values", maxValues)
		}
	}
	return 0, nil
}

// weigher counts the values of a file with its aliases put in, by the name of an anchor.
type weigher map[string]int

// values returns the number of values of a node, at most about maxValues times the length of its list.
func (w weigher) values(n ast.Node) (sum int) {
	switch n := n.(type) {
	case *ast.AnchorNode:
		sum = w.values(n.Value)
		w[n.Name.String()] = min(sum, maxValues+1)
		return sum
	case *ast.AliasNode:
		return 1 + w[n.Value.String()]
	case *ast.TagNode:
		return w.values(n.Value)
	case *ast.MappingNode:
		for _, v := range n.Values {
			sum += w.values(v)
		}
	case *ast.MappingValueNode:
		return w.values(n.Key) + w.values(n.Value)
	case *ast.SequenceNode:
		for _, v := range n.Values {
			sum += w.values(v)
		}
	}
	return 1 + sum
}

// words says in one line what is wrong at a place, in words of the file and not of this program.
func words(err yaml.Error) string {
	var (
		kind *yaml.TypeError
		over *yaml.OverflowError
	)
	text := err.GetMessage()
	switch {
	case errors.As(err, &kind):
		text = given(kind) + " stands where " + needed(kind.DstType) + " is needed"
	case errors.As(err, &over):
		text = over.SrcNum + " is too large or too small a number"
	}
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "\t", `\t`)), " ")
	if len(text) > maxWords {
		text = strings.ToValidUTF8(text[:maxWords], "") + " …"
	}
	return text
}

// given names the value that is of the wrong kind.
func given(err *yaml.TypeError) string {
	switch err.SrcType.Kind() {
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map:
		return "a mapping"
	}
	return fmt.Sprintf("%.60q", err.Token.Value)
}

// needed names the kind of value that a field takes.
func needed(t reflect.Type) string {
	switch t.Kind() {
	case reflect.String:
		return "a text"
	case reflect.Bool:
		return "true or false"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Map, reflect.Struct:
		return "a mapping"
	case reflect.Float32, reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
