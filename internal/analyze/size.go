package analyze

import (
	"fmt"

	"incore/internal/base/source"
	"incore/internal/report"
)

// fit bounds the memory of a document to Options.Most. Given the numbers of instructions of the kernels that would be described in full, and the number of
// machines, it returns how many of them are: the first ones, as far as they fit. It shortens the timeline to what fits beside them. The error is that of a
// first kernel, or of kernels that the user chose, which do not fit.
func (o *Options) fit(doc *report.Document, sizes []int, machines int, chosen bool) (kernels int, err error) {
	if o.Most == 0 {
		return len(sizes), nil
	}
	all := 0
	for _, n := range sizes {
		if all+n*machines > o.Most && (!chosen || kernels == 0) {
			return 0, source.Diagnostic{Pos: source.Pos{File: doc.Input.File}, Hint: "fewer machines at a time, or a part of the code",
				Msg: fmt.Sprintf("%d instructions on %d machines: at most %d, all machines together, are analysed in one request", n, machines, o.Most)}
		}
		if all+n*machines > o.Most {
			break
		}
		all += n * machines
		kernels++
	}
	if most := o.Most / max(all, 1); o.Questions.Timeline > most {
		doc.Diagnostics = append(doc.Diagnostics, report.Diagnostic{Severity: "warning", File: doc.Input.File, Message: fmt.Sprintf("a timeline of %d iterations is too long for one request: %d are shown", o.Questions.Timeline, most)})
		o.Questions.Timeline = most
	}
	return kernels, nil
}
