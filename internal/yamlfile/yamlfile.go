// Package yamlfile reads the YAML files that users write: machine files and plans of explorations.
package yamlfile

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"

	"incore/internal/finite"
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
	var o []yaml.DecodeOption
	if strict {
		o = append(o, yaml.Strict())
	}
	if err := yaml.UnmarshalWithOptions(text, into, o...); err != nil {
		return fmt.Errorf("%s: %s", name, strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	if err := finite.Check(into); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}
