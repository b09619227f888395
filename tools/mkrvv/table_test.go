package main

import (
	"strings"
	"testing"

	"incore/internal/isa"
)

// TestTable: cells are read by the type that heads their column, and become rows: one for all element widths of an LMUL if they agree, with and
// without a mask if the table has both.
func TestTable(t *testing.T) {
	const page = `<table id="tblMaa" class="x"><thead><tr><th>instruction</th><th>e8m1</th><th>e16m1</th><th>e16mf2</th><th>e32m8</th></tr></thead>
<tr><td>vadd.vv v8,v16,v24</td><td>0.51</td><td>0.51</td><td></td><td>4.01</td></tr>
<tr><td>vadd.vv v8,v16,v24,v0.t</td><td>1.01</td><td>1.01</td><td>1.7</td><td>8.02</td></tr>
<tr><td>vnosuch.vv v8,v16</td><td>1</td><td></td><td></td><td></td></tr></table>`
	cells, err := readTable(page)
	if err != nil || len(cells) != 8 || cells[2].vtype != (isa.VType{SEW: 32, LMUL: 3}) || cells[5].vtype != (isa.VType{SEW: 16, LMUL: 7}) {
		t.Fatalf("%v, %v", cells, err)
	}
	l, err := newLayer("llvm/TTAscalonD8Model", options{vector: "V", memory: "LS"})
	if err != nil {
		t.Fatal(err)
	}
	for i := range cells {
		l.add(&cells[i])
	}
	rows := map[row][]string{}
	for form, f := range l.forms {
		l.rows(rows, l.a.Forms.Name(form), f.plain, "plain")
		l.rows(rows, l.a.Forms.Name(form), f.masked, "masked")
	}
	for want, attrs := range map[string]string{"V:1": "plain", "V:8": "plain", "V:2": "masked", "V:16": "masked", "V:3.4": "masked"} {
		if len(rows[row{want, "=", attrs}]) != 1 {
			t.Errorf("no row %s %s in %v", want, attrs, rows)
		}
	}
	if got := rows[row{"V:1", "=", "plain"}]; len(got) != 1 || got[0] != "VADD_VV/m1" || len(l.strange) != 1 {
		t.Errorf("selectors %v, strange %v", got, l.strange)
	}
	if _, err := readTable("<table>"); err == nil {
		t.Error("a page without the table is read")
	}
}

// TestCheck: a model that has a table's figures without what the measuring loop adds agrees with it, and one that is slower does not.
func TestCheck(t *testing.T) {
	v := isa.VType{SEW: 32, LMUL: 0}
	for _, c := range []struct {
		cycles float64
		want   string
	}{{1.14, "100.0 %"}, {2.14, "50.0 %"}} {
		var b strings.Builder
		cells := []cell{{"vadd.vv v8,v16,v24", v, c.cycles}, {"vdivu.vv v8,v16,v24", v, 36.14}, {"vnosuch.vv v8", v, 1}}
		if err := check(&b, "andes-45", cells); err != nil || !strings.Contains(b.String(), "2 cells\t2 known\t") || !strings.Contains(b.String(), "with 0.14 cycles for the loop "+c.want) {
			t.Errorf("%v: %q, %v", c.cycles, b.String(), err)
		}
	}
}
