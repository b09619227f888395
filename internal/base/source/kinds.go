package source

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
)

// kinds names the types of values by the names of Go and of encoding/json.
var kinds = map[string]string{"string": "a string", "int": "a whole number", "number": "a number", "float64": "a number", "bool": "true or false", "slice": "a list", "array": "a list",
	"map": "an object", "struct": "an object", "object": "an object"}

// WrongKind rewords an error of encoding/json about a value of another type: the path of its field, "" for the whole
// document, and "has a string where a number is expected". ok is false for other errors.
func WrongKind(err error) (field, words string, ok bool) {
	var wrong *json.UnmarshalTypeError
	if !errors.As(err, &wrong) {
		return "", "", false
	}
	got, want := cmp.Or(kinds[wrong.Value], wrong.Value), cmp.Or(kinds[wrong.Type.Kind().String()], "another value")
	return wrong.Field, fmt.Sprintf("has %.60s where %s is expected", got, want), true
}
