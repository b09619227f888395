package asm

import (
	"fmt"
	"strings"
	"testing"
)

// scanned lists the statements of a text: "line:col kind text".
func scanned(text string, d dialect) string {
	var b strings.Builder
	scan(text, d, func(s stmt) bool {
		fmt.Fprintf(&b, "%d:%d %c %s\n", s.line, s.col, "ILDM"[s.kind], text[s.off:s.end])
		return true
	})
	return b.String()
}

func TestScan(t *testing.T) {
	x86 := dialect{comments: []string{"#"}, separator: ';'}
	a64 := dialect{hashLine: true, separator: ';'}
	darwin := dialect{hashLine: true, comments: []string{";"}}
	masm := dialect{comments: []string{";"}, masm: true}
	for _, c := range []struct {
		name, in string
		d        dialect
		want     string
	}{
		{"plain", "\taddq\t$1, %rax\n", x86, "1:2 I addq\t$1, %rax\n"},
		{"labels", "a: b: .L3: 1:nop", x86, "1:1 L a\n1:4 L b\n1:7 L .L3\n1:12 L 1\n1:14 I nop\n"},
		{"quoted label", "\"a b: c\": nop\n", x86, "1:2 L a b: c\n1:11 I nop\n"},
		{"segment", "mov rax, fs:[0]\n", x86, "1:1 I mov rax, fs:[0]\n"},
		{"separator", "nop; nop ;\n;ret", x86, "1:1 I nop\n1:6 I nop\n2:2 I ret\n"},
		{"separator in string", ".ascii \"a;b#c//\\\"\" ; nop", x86, "1:1 D .ascii \"a;b#c//\\\"\"\n1:22 I nop\n"},
		{"char", "cmpb $'#', %al # x\ncmpb $';, %al", x86, "1:1 I cmpb $'#', %al\n2:1 I cmpb $';, %al\n"},
		{"comments", "# a\n/* b */ nop /* c\nd\n*/ ret // e\n", x86, "2:9 I nop\n4:4 I ret\n"},
		{"crlf", "nop\r\nret\r\n", x86, "1:1 I nop\n2:1 I ret\n"},
		{"hash immediate", "add x0, x0, #16 // #1\n# c\nmov x1, # 3 # c", a64, "1:1 I add x0, x0, #16\n3:1 I mov x1, # 3\n"},
		{"at", "ldr x0, [x1, sym@PAGEOFF] ; @c\nmov x0, x1 @ c", darwin, "1:1 I ldr x0, [x1, sym@PAGEOFF]\n2:1 I mov x0, x1\n"},
		{"assignment", "x = 3\ny=4\n", x86, "1:1 D x = 3\n2:1 D y=4\n"},
		{"markers", "# LLVM-MCA-BEGIN foo bar\nnop\n/* OSACA-END */\n// see the LLVM-MCA-BEGIN docs\n", x86,
			"1:3 M LLVM-MCA-BEGIN foo bar\n2:1 I nop\n3:4 M OSACA-END\n"},
		{"masm", "_TEXT\tSEGMENT\nfoo\tPROC ; COMDAT\n$LL4@foo:\n\tmov\teax, DWORD PTR [rcx]\nx$ = 8\nfoo ENDP\n\tnpad 8\nPUBLIC foo\n", masm,
			"1:1 D _TEXT\tSEGMENT\n2:1 L foo\n3:1 L $LL4@foo\n4:2 I mov\teax, DWORD PTR [rcx]\n5:1 D x$ = 8\n6:1 D foo ENDP\n7:2 D npad 8\n8:1 D PUBLIC foo\n"},
		{"comment in a statement", "/* a */ add /* b */ $1, %rax /* c */\n", x86, "1:9 I add /* b */ $1, %rax /* c */\n"},
		{"empty", "\n\n  \t\n", x86, ""},
		{"open comment", "nop /* x", x86, "1:1 I nop\n"},
		{"open string", ".ascii \"abc\nnop", x86, "1:1 D .ascii \"abc\n2:1 I nop\n"},
	} {
		if got := scanned(c.in, c.d); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

func FuzzScan(f *testing.F) {
	f.Add("a: nop # c\n/* \"x */ .byte 1;'", false)
	f.Add("\"q\": x PROC\r\n@ #", true)
	f.Add("mov r0, \\\n r1", true) // continued
	f.Fuzz(func(t *testing.T, text string, other bool) {
		d := dialect{comments: []string{"#"}, separator: ';'}
		if other {
			d = dialect{hashLine: true, comments: []string{";"}, masm: true}
		}
		last := 0
		scan(text, d, func(s stmt) bool {
			if int(s.off) < last || s.end < s.off || int(s.end) > len(text) {
				t.Fatalf("statement %v out of order in %q", s, text)
			}
			last = int(s.off)
			if joined := strings.NewReplacer("\\\n", "", "\\\r\n", ""); strings.ContainsRune(joined.Replace(text[s.off:s.end]), '\n') {
				t.Fatalf("statement %q spans lines", text[s.off:s.end])
			}
			return true
		})
	})
}
