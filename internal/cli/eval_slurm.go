package cli

import (
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"incore/internal/eval/suite"
)

func newEvalSlurm(e *env) *cobra.Command {
	var file string
	var s suite.SlurmJob
	cmd := &cobra.Command{
		Use:   "slurm DIR",
		Short: "write a Slurm job array that runs the benchmarks of a directory",
		Long: `Writes a batch script whose tasks are the shards of a directory, which all nodes must see. A task that is killed goes on where it was when it is
submitted again, and results of all shards are one table.`,
		Example: `  incore eval slurm suite --shards 16 -o run.sh
  sbatch run.sh`,
		Args: evalDir,
		RunE: func(cmd *cobra.Command, args []string) (err error) {
			if _, err := suite.TargetOf(args[0]); err != nil {
				return inputError{err}
			}
			if s.Dir, err = filepath.Abs(args[0]); err != nil {
				return inputError{err}
			}
			if s.Program == "" {
				if s.Program, err = os.Executable(); err != nil {
					return inputError{err}
				}
			}
			for _, text := range append([]string{s.Dir, s.Time, s.Program, s.Predictors}, s.Options...) {
				if strings.ContainsAny(text, "\n\"'`$;&| ") && text != "" && !strings.HasPrefix(text, "--") {
					return inputError{errors.New(text + ": has characters that a batch script cannot have in it")}
				}
			}
			if _, err := suite.Choose(strings.FieldsFunc(s.Predictors, func(r rune) bool { return r == ',' })); err != nil {
				return err
			}
			return e.output(file, s.Write)
		},
	}
	fl := cmd.Flags()
	fl.StringVarP(&file, "output", "o", "", "write to a `FILE`")
	count(fl, &s.Shards, 8, option{"shards", "", 1, 10000, "tasks of the job array"})
	fl.StringVar(&s.Time, "time", "04:00:00", "limit of a task's time, as Slurm has it")
	fl.StringVar(&s.Predictors, "predictors", "", "only these; default: all that are installed")
	fl.StringVar(&s.Program, "program", "", "the incore that nodes run; default: this one")
	fl.BoolVar(&s.Exclusive, "exclusive", true, "give each task a node of its own, as measurements need")
	fl.StringArrayVar(&s.Options, "sbatch", nil, "a further `OPTION` for #SBATCH lines; may be repeated")
	return cmd
}
