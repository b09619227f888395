package source

import (
	"io"
	"strings"
	"testing"
	"testing/iotest"
)

// TestJoinQuoted: ends of lines in fields in quotes become semicolons, others and quotes elsewhere stay.
func TestJoinQuoted(t *testing.T) {
	for in, want := range map[string]string{
		"\"add %rax,%rbx\nimul %rbx,%rcx\",3\n": "\"add %rax,%rbx;imul %rbx,%rcx\",3\n",
		"n,asm\r\n1,\"nop\r\n.L:\r\nnop\"\r\n":  "n,asm\r\n1,\"nop;.L:;nop\"\r\n",
		"\"a \"\"q\"\"\nb\"\t1\nc\t2\n":         "\"a \"\"q\"\";b\"\t1\nc\t2\n",
		"call \"f g\"; nop\nadd %rax, %rbx\n":   "call \"f g\"; nop\nadd %rax, %rbx\n",
		"\"nop\",\"nop\"\n\"nop\",\"a\"\n":      "\"nop\",\"nop\"\n\"nop\",\"a\"\n",
		"4801c3,1\n480fafc3,3\n":                "4801c3,1\n480fafc3,3\n",
	} {
		for _, r := range []io.Reader{strings.NewReader(in), iotest.OneByteReader(strings.NewReader(in))} {
			got, err := io.ReadAll(JoinQuoted(r))
			if err != nil || string(got) != want {
				t.Errorf("%q: %q, %v, want %q", in, got, err, want)
			}
		}
		if Spans([]byte(in)) != (in != want) {
			t.Errorf("%q: a field goes over lines: %v", in, Spans([]byte(in)))
		}
	}
}
