package accuracy

import (
	"strings"
	"testing"
)

func TestRows(t *testing.T) {
	rows, err := Rows()
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	b.WriteString(Header + "\n")
	for _, r := range rows {
		if r.Blocks == 0 || r.Lower > r.Median || r.Median > r.Upper || r.Within10 > r.Within20 || r.Tau > 1 {
			t.Errorf("impossible figures: %s", r)
		}
		b.WriteString(r.String() + "\n")
	}
	if b.String() != table {
		t.Error("the table is not what its rows print")
	}
	if len(Of("emeraldrapids", "sim")) == 0 || len(Of("no such core", "sim")) != 0 {
		t.Error("Of finds nothing, or too much")
	}
}

func TestParse(t *testing.T) {
	row := "c\tm\tloop\tsame\tsim\t1\t0\t0\t0\t0\t0\t0\t0"
	for _, bad := range []string{"", "corpus\n" + row, Header + "\nc\tm", Header + "\n" + strings.Replace(row, "sim\t1", "sim\tx", 1), Header + "\n" + row[:len(row)-1] + "?"} {
		if _, err := parse(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
	if _, err := parse(Header + "\n" + row + "\n"); err != nil {
		t.Error(err)
	}
}
