package main

import (
	"testing"

	"incore/internal/base/blob"
)

// TestAsmText checks that the two parts of asm strings make the whole again.
func TestAsmText(t *testing.T) {
	in := [][2]string{{"", ""}, {"ret", ""}, {"addq\t$src2, $src1", "add\t$src1, $src2"}, {"subq\t$src2, $src1", "sub\t$src1, $src2"}, {"nop\t", ""}}
	var a asmText
	for _, s := range in {
		a.add(s[0], s[1])
	}
	var w blob.Writer
	a.write(&w)
	b, err := blob.Open(string(w.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	head, tail := b.Strings("asm.head"), b.Strings("asm.tail")
	part := func(variant string, i int) string {
		return head.At(int(b.U16("form."+variant+"head").At(i))) + tail.At(int(b.U16("form."+variant+"tail").At(i)))
	}
	for i, s := range in {
		if part("asm", i) != s[0] || part("alt", i) != s[1] {
			t.Errorf("%q and %q came back as %q and %q", s[0], s[1], part("asm", i), part("alt", i))
		}
	}
	if tail.Len() != 4 { // "", two orders of operands, a tab alone
		t.Errorf("%d different tails", tail.Len())
	}
}

func TestClassNames(t *testing.T) {
	long := "WriteVFMulAddF_ReadVFMulAddV_ReadVFMulAddF_ReadVFMulAddV"
	b := &builder{src: &source{}}
	b.src.forms.Classes = []string{"NoInstrModel", "WriteALU", long, long + "2"}
	got := b.classNames([]form{{}, {N: "ADD", SC: 1}, {N: "MUL", SC: 2}, {N: "MUL2", SC: 2}})
	for i, want := range []string{"NoInstrModel", "WriteALU", "class of MUL", ""} {
		if got[i] != want {
			t.Errorf("class %d is %q, want %q", i, got[i], want)
		}
	}
}

func TestUnmangle(t *testing.T) {
	for in, want := range map[string]string{
		"95_addImmScaledOperands_LT_4_GT_":              "addImmScaledOperands<4>",
		"95_addGPR64as32Operands":                       "addGPR64as32Operands",
		"95_addSVELogicalImmOperands_LT_int16_95_t_GT_": "addSVELogicalImmOperands<int16_t>",
	} {
		if got := unmangle(in); got != want {
			t.Errorf("unmangle(%q) = %q, want %q", in, got, want)
		}
	}
}
