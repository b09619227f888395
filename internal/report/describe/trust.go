package describe

import (
	"fmt"
	"slices"
	"strings"

	"incore/internal/machine/accuracy"
	"incore/internal/report"
)

// heldOut begins the names of corpora on which no model was fitted, published the names of corpora of other authors' measurements (docs/accuracy.md).
const (
	heldOut   = "heldout-"
	published = "published/"
)

// enough is the least number of loops or blocks from which an error is told.
const enough = 50

// compared is the errors of a core on the corpora of one kind.
type compared struct {
	n    int
	mean float64 // summed over n
}

func (c *compared) add(a *report.Accuracy) {
	c.n += a.Blocks
	c.mean += a.Mean * float64(a.Blocks)
}

// trust words the typical error of the figure: of loops on corpora of loops, of straight code on corpora of blocks, held out where there are enough. It never counts
// a corpus twice, and does not call a core validated by code on which its model was tuned.
func trust(t *report.Target, loop bool) string {
	kind := map[bool]string{true: "loops", false: "blocks of straight code"}[loop]
	var unseen, tuned, other compared // other: of the other kind
	single := 0
	for i := range t.Accuracy {
		switch a := &t.Accuracy[i]; {
		case strings.HasPrefix(a.Corpus, published):
			single += a.Blocks
		case repeated(t.Accuracy, a):
		case ofLoops(a.Corpus) != loop:
			other.add(a)
		case strings.HasPrefix(a.Corpus, heldOut):
			unseen.add(a)
		default:
			tuned.add(a)
		}
	}
	s := ""
	switch {
	case unseen.n >= enough || unseen.n > 0 && tuned.n == 0:
		s = fmt.Sprintf("validated on this core: %s mean error on %d unseen %s", unseen.percent(), unseen.n, kind)
	case tuned.n > 0:
		s = fmt.Sprintf("compared on this core: %s mean error on %d %s, which were looked at while the model was made", tuned.percent(), tuned.n, kind)
	case other.n > 0:
		s = fmt.Sprintf("no %s compared on this core; %s mean error on %d %s", kind, other.percent(), other.n, map[bool]string{false: "loops", true: "blocks of straight code"}[loop])
	case single > 0:
		s = fmt.Sprintf("no loops validated on this core, only %d published figures of single instructions", single)
	default:
		s = "not validated on this core"
		if standIn(t) {
			return s + ", and the costs are another core's"
		}
	}
	if t.Prediction.Engine == "bounds" {
		s += "; the figure is the greatest bound, not a simulation"
	}
	return s + likely(t) + doubtful(t)
}

func (c *compared) percent() string { return fmt.Sprintf("%.0f\u00a0%%", 100*c.mean/float64(c.n)) }

// ofLoops reports whether a corpus is of whole loops: its name says so.
func ofLoops(corpus string) bool {
	return strings.Contains(corpus, "loops") || strings.Contains(corpus, "kernels")
}

// repeated reports whether a corpus is another one's code again: predicted at known places, or measured with plain registers beside ones that suit the code.
func repeated(all []report.Accuracy, a *report.Accuracy) bool {
	base, placed := strings.CutSuffix(a.Corpus, accuracy.Places)
	return slices.ContainsFunc(all, func(b report.Accuracy) bool {
		return placed && b.Corpus == base || b.Corpus == a.Corpus+accuracy.Suited
	})
}

// doubtful names the instruction that limits the figure if its cost is not this core's: borrowed from another one, or not known.
func doubtful(t *report.Target) string {
	in := t.Limiting()
	if in == nil {
		return ""
	}
	name, _, _ := strings.Cut(in.Text, " ")
	switch {
	case slices.Contains(in.Flags, "unknown"):
		return fmt.Sprintf("; the cost of the limiting %s is not known", name)
	case slices.Contains(in.Flags, "borrowed"):
		return fmt.Sprintf("; the cost of the limiting %s is another core's (%s)", name, source(in.Source))
	}
	return ""
}

// likely words the interval in which most measurements lie.
func likely(t *report.Target) string {
	e := t.Prediction.Likely
	if e == nil {
		return ""
	}
	anywhere := ""
	if e.Anywhere {
		anywhere = ", wherever it lies,"
	}
	return fmt.Sprintf("; %g\u00a0%% of such code%s took %s to %s cycles where %s were predicted", 100*e.Share, anywhere, number(e.Low), number(e.High), number(t.Prediction.Cycles))
}

// standIn reports whether all costs are those of another core.
func standIn(t *report.Target) bool {
	for i := range t.Instructions {
		if in := &t.Instructions[i]; (in.Source != "" || slices.Contains(in.Flags, "unknown")) && !slices.Contains(in.Flags, "borrowed") {
			return false
		}
	}
	return len(t.Instructions) > 0
}

// source shortens the source of a cost for a line of words.
func source(s string) string {
	const most = 70
	if r := []rune(s); len(r) > most {
		return string(r[:most]) + "…"
	}
	return s
}
