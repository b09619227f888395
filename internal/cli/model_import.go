package cli

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/base/source"
	"incore/internal/foreign/osaca"
	"incore/internal/isa/catalog"
	"incore/internal/machine"
)

// newModelImport returns the command that makes a model of another tool's.
func newModelImport(e *env) *cobra.Command {
	var out, name string
	var all bool
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "make a machine model of a machine file of OSACA's",
		Long: `Reads a machine model file of OSACA (YAML; x86 and AArch64) and writes it as a model: ports, latencies and port pressure of each
instruction form that OSACA would find in it. A form with a memory operand and without an entry is made of its register form and a
load or store, as OSACA does. Loops then have OSACA's figures: incore analyze --engine bounds --policy uniform --model FILE.

A message says how much of the file has no counterpart; --all lists it.`,
		Example: "  incore model import zen4.yml -o zen4-osaca.model && incore analyze --model zen4-osaca.model kernel.s",
		Args:    oneFile,
		RunE: func(_ *cobra.Command, args []string) error {
			data, err := source.ReadBytes(args[0])
			if err != nil {
				return inputError{err}
			}
			as := name
			if as == "" {
				as = strings.TrimSuffix(strings.ToLower(filepath.Base(args[0])), filepath.Ext(args[0])) + "-osaca"
			}
			var b bytes.Buffer
			told, err := osaca.Import(&b, args[0], data, catalog.ISAs(), as)
			if err != nil {
				return inputError{err}
			}
			m, err := machine.Load(bytes.NewReader(b.Bytes()), "imported")
			if err == nil {
				err = m.Validate(catalog.ISA(m.ISA))
			}
			if err != nil {
				return inputError{fmt.Errorf("the model made of %s: %w", args[0], err)}
			}
			if err := e.output(out, func(w io.Writer) error { _, err := w.Write(b.Bytes()); return err }); err != nil {
				return err
			}
			few := 5
			if all {
				few = 0
			}
			return told.Text(e.stderr, few)
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&out, "output", "o", "", "write to a `FILE`")
	fl.StringVar(&name, "name", "", "the model's name; default: that of the file, and -osaca")
	fl.BoolVar(&all, "all", false, "list all that has no counterpart")
	return cmd
}
