package machine

import (
	"testing"

	"incore/internal/isa"
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
	a := tables(t)["x86-64"]
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
		case "VPADDDZ256rr", "VPSLLVDYrr", "PBLENDVBrr0", "VPTERNLOGDZrri", "PMAXUWrr":
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
