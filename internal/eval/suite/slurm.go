package suite

import (
	"fmt"
	"io"
	"strings"
)

// SlurmJob is a job array with one task per shard. Tasks that were killed are requeued and resume.
type SlurmJob struct {
	Dir, Time, Program, Predictors string
	Shards                         int
	Exclusive                      bool
	Options                        []string
}

// Write writes the batch script.
func (j *SlurmJob) Write(w io.Writer) error {
	var more strings.Builder
	if j.Exclusive {
		more.WriteString("#SBATCH --exclusive\n")
	}
	fmt.Fprintf(&more, "#SBATCH --time=%s\n#SBATCH --requeue\n#SBATCH --open-mode=append\n#SBATCH --output=%s/slurm-%%a.log\n", j.Time, j.Dir)
	for _, o := range j.Options {
		more.WriteString("#SBATCH " + o + "\n")
	}
	predictors := ""
	if j.Predictors != "" {
		predictors = " --predictors " + j.Predictors
	}
	_, err := fmt.Fprintf(w, `#!/bin/sh
#SBATCH --job-name=incore-eval
#SBATCH --array=1-%d
#SBATCH --nodes=1
#SBATCH --ntasks=1
%s# Submit with 'sbatch'; to go on after a failure, submit it again. 'incore eval report' shows all shards together.
exec %s eval run %s --shard "$SLURM_ARRAY_TASK_ID/%d"%s
`, j.Shards, more.String(), j.Program, j.Dir, j.Shards, predictors)
	return err
}
