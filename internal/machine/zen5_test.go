package machine

import (
	"strings"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/x86"
)

// TestZen5Vectors checks what Zen 5 must not borrow of Zen 4: 512-bit operations take one pass, a store of 512 bits
// the turn of two, operations of one vector cycle two, and every load of vectors one of two address units.
func TestZen5Vectors(t *testing.T) {
	m, err := Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	vld, _ := m.PortSet("VLD")
	stq, _ := m.PortSet("STQ")
	a := x86.ISA()
	c := m.compile(a)
	for id := range a.Forms.Len() {
		f := isa.FormID(id)
		r := c.lookup(&isa.Inst{Form: f})
		if r.uops == nil {
			continue
		}
		stores := 0
		for _, u := range r.uops.uops {
			if u.Ports&^stq == 0 {
				stores++
			}
		}
		switch name := a.Forms.Name(f); name {
		case "VADDPDZrr", "VMULPSZrr", "VPSHUFBZrr", "VPERMBZrr", "VPMULLDZrr", "VMAXPSZrr":
			if u := r.uops.uops[0]; len(r.uops.uops) != 1 || u.Cycles != 1 {
				t.Errorf("%s: %s, want one pass", name, m.UopText(r.uops.uops))
			}
		case "VMOVUPSZmr", "VMOVDQU64Zmr", "VMOVAPDZmrk":
			if stores != 2 {
				t.Errorf("%s: %s, want both turns of a store", name, m.UopText(r.uops.uops))
			}
		case "VMOVUPSYmr", "VMOVUPSZ256mr", "VMOVPDI2DImr":
			if stores != 1 {
				t.Errorf("%s: %s, want one turn of a store", name, m.UopText(r.uops.uops))
			}
		case "VPADDDZ256rr", "VPSLLVDYrr", "PBLENDVBrr0", "PMAXUWrr":
			if l := r.lat.lat.defs[0].cycles; l != 2 {
				t.Errorf("%s: %v cycles, want 2", name, l)
			}
		case "VPERM2F128rm", "VPERMDYrm", "VPADDDZrm", "PSHUFHWmi", "VMOVUPSZrm", "PBLENDVBrm0":
			if u := r.uops.uops[0]; u.Kind != UopLoad || u.Ports != vld {
				t.Errorf("%s: %s, want a load of vectors", name, m.UopText(r.uops.uops))
			}
		}
	}
}

// TestZen5Stores: every measured form that stores takes a turn of the store queue, of which there are two a cycle, and an address unit. Microcode that
// exchanges 8 or 16 bytes lists its time on the ALUs alone.
func TestZen5Stores(t *testing.T) {
	m, err := Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	turns, _ := m.PortSet("STQ")
	address, _ := m.PortSet("AGU")
	a := x86.ISA()
	c, checked := m.compile(a), 0
	for id := range a.Forms.Len() {
		f := isa.FormID(id)
		r, name := c.lookup(&isa.Inst{Form: f}), a.Forms.Name(f)
		if r.uops == nil || r.from[0].origin() == BorrowedOf || a.Forms.Flags(f)&isa.MayStore == 0 || a.Forms.MemOp(f) < 0 ||
			strings.HasPrefix(name, "PREFETCH") || name == "CMPXCHG8B" || name == "CMPXCHG16B" {
			continue
		}
		turn, at := false, false
		for _, u := range r.uops.uops {
			turn, at = turn || u.Ports&^turns == 0, at || u.Ports&^address == 0
		}
		if checked++; !turn || !at {
			t.Errorf("%s: %s", name, m.UopText(r.uops.uops))
		}
	}
	if checked < 400 {
		t.Errorf("%d forms checked", checked)
	}
}

// TestZen5Measured: a form of Zen 5 that was measured does not cost what Zen 4's does, and what is called measured was measured.
func TestZen5Measured(t *testing.T) {
	m, err := Get("zen5")
	if err != nil {
		t.Fatal(err)
	}
	a := x86.ISA()
	for _, s := range m.Check(a).Suspicious {
		t.Error(&s)
	}
	c, record, unexplained := m.compile(a), m.record(a), 0
	for f := isa.FormID(1); int(f) < a.Forms.Len(); f++ {
		if len(record.layer.index().naming(a, f, a.Forms.SchedClass(f))) == 0 {
			continue
		}
		if r := c.lookup(&isa.Inst{Form: f}); r.from[0].origin() == BorrowedOf {
			unexplained++ // fences, and a transfer from MMX registers
		}
	}
	if unexplained > 3 {
		t.Errorf("%d measured forms have borrowed µops", unexplained)
	}
}

// TestClaims: a row that calls a form measured is suspicious if the layer of measurements does not have the form.
func TestClaims(t *testing.T) {
	const head = "name: x\nisa: x86-64\nbase: zen5\n\nsource: "
	for source, want := range map[string]int{"measured here\nVADDPHZrr | FADD | 3\nVADDPDZrr | FADD | 3\n": 1, "as measured\nVADDPHZrr | FADD | 3\n": 0} {
		m, err := Load(strings.NewReader(head+source), "x.model")
		if err != nil {
			t.Fatal(err)
		}
		if got := m.Check(x86.ISA()).Suspicious; len(got) != want || want > 0 && !strings.Contains(got[0].Why, "called measured") {
			t.Errorf("%s: %v", source, got)
		}
	}
}

// TestSameFields: "==" keeps what earlier rows say, and makes the row's source answer for it.
func TestSameFields(t *testing.T) {
	m, err := Load(strings.NewReader("name: x\nisa: x86-64\nbase: zen4\nborrowed: so\n\nsource: here\nIMUL64rr | == | 5\nADD64rr | = | ==\n"), "x.model")
	if err != nil {
		t.Fatal(err)
	}
	a := x86.ISA()
	at := func(form string) found { return m.compile(a).lookup(&isa.Inst{Form: a.Forms.Named(form)}) }
	if r := at("IMUL64rr"); r.from[0].source != "here" || r.uops.source == "here" || len(r.uops.uops) == 0 || r.lat.source != "here" {
		t.Errorf("IMUL64rr: µops of %q, answered by %q; latency by %q", r.uops.source, r.from[0].source, r.lat.source)
	}
	if r := at("ADD64rr"); !r.from[0].borrowed || r.from[1].borrowed {
		t.Errorf("ADD64rr: borrowed µops %v, latency %v; want true, false", r.from[0].borrowed, r.from[1].borrowed)
	}
}
