package machine

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"incore/internal/isa"
)

func TestDump(t *testing.T) {
	q := os.Getenv("DUMP")
	if q == "" {
		t.Skip("DUMP=model:form,form prints rows")
	}
	n, forms, _ := strings.Cut(q, ":")
	m, err := Get(n)
	if err != nil {
		t.Fatal(err)
	}
	a := tables(t)[m.ISA]
	c := m.compile(a)
	for _, f := range strings.Split(forms, ",") {
		id := a.Forms.Named(f)
		r := c.lookup(&isa.Inst{Form: id})
		fmt.Printf("%s class %s\n", f, a.Forms.ClassName(a.Forms.SchedClass(id)))
		if r.uops != nil {
			for _, u := range r.uops.uops {
				fmt.Printf("   %s:%v kind %d res %v\n", m.SetName(u.Ports), u.Cycles, u.Kind, u.Resource)
			}
			fmt.Printf("   count %v rthru %v line %s:%d\n", r.uops.count, r.uops.rthru, r.uops.file, r.uops.line)
		}
		if r.lat != nil {
			fmt.Printf("   lat %+v\n", r.lat.lat)
		}
	}
}
