package cli

import (
	"bufio"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"incore/internal/analyze"
	"incore/internal/isa"
)

// newForms returns the command that prints the form of every instruction.
func newForms(e *env) *cobra.Command {
	var f machineFlags
	cmd := &cobra.Command{
		Use:   "forms FILE|-",
		Short: "the instruction form of every instruction: line, form, text",
		Long: `Prints a line per instruction of an assembly text: line number, form and text, separated
by tabs. The form is LLVM's name of the opcode, or ? if the instruction is not known. A
pseudo-instruction that stands for several gives a line for each.`,
		Args: oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			var o analyze.Options
			if err := f.apply(&o); err != nil {
				return err
			}
			src, err := readText(e, args[0])
			if err != nil {
				return inputError{err}
			}
			p, _, err := analyze.Read(src, &o)
			if err != nil {
				return inputError{err}
			}
			return e.print(func(w io.Writer) error {
				out := bufio.NewWriter(w)
				var lines []isa.Line
				for i := range p.Len() {
					lines = p.Lines(lines[:0], i)
					for j := range lines {
						fmt.Fprintf(out, "%d\t%s\t%s\n", lines[j].No, p.Language.ISA.FormName(&lines[j].Inst), isa.Brief(lines[j].Text))
					}
				}
				return out.Flush()
			})
		},
	}
	f.register(cmd)
	return cmd
}

// oneLine replaces each run of white space by one blank.
