package source

import (
	"errors"
	"strings"
)

// Names gives the name of a setting in the words of those who read an error: an option, the field of a request. It is "" for a setting that they do not have, and a
// nil Names knows none. Besides options of the command line, "machines" and "loops" are the lists of these, and "objects" is what reads object files.
type Names func(setting string) string

// About adds to an error the settings by which the user can avoid it. The error's text does not name them: Names.Text does.
func About(err error, settings ...string) error { return about{err, settings} }

type about struct {
	error
	settings []string
}

func (a about) Unwrap() error { return a.error }

// Text returns the text of an error with the names of its settings.
func (n Names) Text(err error) string {
	var a about
	errors.As(err, &a)
	return err.Error() + n.Listed(a.settings)
}

// Listed returns the names of settings in parentheses, to be written behind a hint: " (--lines, --label)".
func (n Names) Listed(settings []string) string {
	var names []string
	for _, s := range settings {
		if n == nil {
			break
		}
		if name := n(s); name != "" {
			names = append(names, name)
		}
	}
	if names == nil {
		return ""
	}
	return " (" + strings.Join(names, ", ") + ")"
}
