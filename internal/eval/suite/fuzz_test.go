package suite

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
)

// FuzzRows reads files of stored rows, as killed runs and other versions leave them: complete lines are read or refused by number, a half one behind them is left
// out, and what was read is the same when it is written and read again.
func FuzzRows(f *testing.F) {
	f.Add(`{"header":{"format":1,"target":"x86-64","seed":7}}` + "\n" + `{"benchmark":{"id":"a"}}` + "\n\n" + `{"measured":{"id":"a","cycles":12.5}}` + "\n" + `{"predict`)
	f.Add(`{"prediction":{"id":"a","cycles":1e400}}` + "\n")
	f.Add(`{"dropped":{"reason":"\u0000"}}` + "\n" + `[]` + "\n")
	f.Add("null\n{}\n 7\n")
	f.Add(`{"coverage":{}}`)
	f.Fuzz(func(t *testing.T, text string) {
		rows, whole, err := readRows(strings.NewReader(text))
		if err != nil {
			if len(rows) > 0 || !strings.HasPrefix(err.Error(), "line ") {
				t.Fatalf("%d rows beside the error %v", len(rows), err)
			}
			return
		}
		if want := int64(strings.LastIndexByte(text, '\n') + 1); whole != want || len(rows) > strings.Count(text, "\n") {
			t.Fatalf("%d rows in %d bytes of %d", len(rows), whole, want)
		}
		var again strings.Builder
		for i := range rows {
			line, err := json.Marshal(&rows[i])
			if err != nil {
				t.Fatalf("row %d cannot be written: %v", i, err)
			}
			again.Write(append(line, '\n'))
		}
		back, n, err := readRows(strings.NewReader(again.String()))
		if err != nil || n != int64(again.Len()) || len(back) != len(rows) {
			t.Fatalf("%d rows become %d: %v", len(rows), len(back), err)
		}
		for i := range rows {
			if x, y := written(t, &rows[i]), written(t, &back[i]); !reflect.DeepEqual(x, y) {
				t.Fatalf("row %d becomes another: %s, %s", i, x, y)
			}
		}
	})
}

func written(t *testing.T, r *Row) string {
	b, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestWrongRow: a line that is JSON of another kind is told in words of the file.
func TestWrongRow(t *testing.T) {
	for text, want := range map[string]string{
		"{}\n[]\n": "line 2: the row has a list where an object is expected", `{"header": {"format": "x"}}` + "\n": "line 1: header.format has a string where a whole number is expected",
	} {
		if _, _, err := readRows(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", text, err, want)
		}
	}
}
