package dyndeps

import (
	"encoding/csv"
	"errors"
	"fmt"
	"incore/internal/report"
	"io"
	"math"
	"slices"
	"strconv"
)

// Subject is the coverage of one program.
type Subject struct {
	Program string `json:"program"`
	Key     string `json:"key"` // of the file's contents, arguments and machine
	Failure string `json:"failure,omitempty"`
	Exit    string `json:"exit,omitempty"` // "exit status 1"; such a program was observed to its end
	// Accesses is the number of executed loads and stores, Missing the number of these that were not observed (Trace.Unseen): the figures do not contain
	// their dependences.
	Accesses uint64  `json:"accesses"`
	Missing  uint64  `json:"accesses_missing"`
	Scopes   []Share `json:"scopes"`
}

// Share is the coverage in one scope.
type Share struct {
	Scope  Scope        `json:"scope"`
	Code   int          `json:"code"`   // basic blocks, or loops
	Static int          `json:"static"` // dependences that the analysis found
	Extra  int          `json:"extra"`  // of these, those that never occurred
	Rows   []Row        `json:"rows"`
	Missed []Dependence `json:"missed,omitempty"`   // the most frequent
	Unseen []Unseen     `json:"not_seen,omitempty"` // the dependences that Extra counts
}

// Unseen is a dependence that the analysis found and that did not occur.
type Unseen struct {
	From Place  `json:"from"`
	To   Place  `json:"to"`
	Runs uint64 `json:"runs"` // executions of the code that holds them
}

// maxListed is the number of missed and of extra dependences that are listed for a program.
const maxListed = 100

// Describe makes a coverage part of a report.
func (c *Coverage) Describe(t *Trace) Share {
	s := Share{Scope: c.Scope, Code: c.Code, Static: c.Static, Extra: len(c.Extra), Rows: c.Rows}
	n := newNamer(t)
	for i := range c.Missed[:min(len(c.Missed), maxListed)] {
		s.Missed = append(s.Missed, t.dependence(n, c.Missed[i]))
	}
	for _, e := range c.Extra[:min(len(c.Extra), maxListed)] {
		s.Unseen = append(s.Unseen, Unseen{n.place(e.From), n.place(e.To), e.Runs})
	}
	return s
}

// Experiment is the coverage of a set of programs.
type Experiment struct {
	Machine  map[string]string `json:"machine"` // by instruction set
	Subjects []Subject         `json:"programs"`
	Total    []Share           `json:"total"`
	Accesses uint64            `json:"accesses"` // of all programs
	Missing  uint64            `json:"accesses_missing"`
	Means    []Mean            `json:"means"`
}

// Mean returns the mean of the programs' coverage; it leaves out programs without dependences.
type Mean struct {
	Scope      Scope   `json:"scope"`
	Lifetime   uint64  `json:"lifetime"`
	Programs   int     `json:"programs"`
	Unweighted float64 `json:"cov_u"`
	Weighted   float64 `json:"cov_w"`
}

// Finish computes totals and means.
func (x *Experiment) Finish() {
	x.Total, x.Means, x.Accesses, x.Missing = nil, nil, 0, 0
	for i := range x.Subjects {
		x.Accesses, x.Missing = x.Accesses+x.Subjects[i].Accesses, x.Missing+x.Subjects[i].Missing
	}
	for _, scope := range Scopes {
		total := Share{Scope: scope}
		for i := range x.Subjects {
			for _, s := range x.Subjects[i].Scopes {
				if s.Scope == scope {
					total.add(&s)
				}
			}
		}
		x.Total = append(x.Total, total)
		for _, r := range total.Rows {
			x.Means = append(x.Means, x.mean(scope, r.Lifetime))
		}
	}
}

func (s *Share) add(o *Share) {
	s.Code, s.Static, s.Extra = s.Code+o.Code, s.Static+o.Static, s.Extra+o.Extra
	for _, r := range o.Rows {
		i := slices.IndexFunc(s.Rows, func(x Row) bool { return x.Lifetime == r.Lifetime })
		if i < 0 {
			s.Rows = append(s.Rows, r)
			continue
		}
		s.Rows[i].sum(&r.Tally)
		s.Rows[i].Own.sum(&r.Own)
	}
}

func (x *Experiment) mean(scope Scope, lifetime uint64) Mean {
	m := Mean{Scope: scope, Lifetime: lifetime}
	for i := range x.Subjects {
		for _, s := range x.Subjects[i].Scopes {
			for _, r := range s.Rows {
				if u, ok := r.Unweighted(); ok && s.Scope == scope && r.Lifetime == lifetime {
					w, _ := r.Weighted()
					m.Programs, m.Unweighted, m.Weighted = m.Programs+1, m.Unweighted+u, m.Weighted+w
				}
			}
		}
	}
	if m.Programs > 0 {
		m.Unweighted /= float64(m.Programs)
		m.Weighted /= float64(m.Programs)
	}
	return m
}

// Layout implements report.Result.
func (*Experiment) Layout() string { return "incore.deps-coverage/1" }

// CSV writes a row for each program and the total.
func (x *Experiment) CSV(w io.Writer) error {
	err := Header(w)
	for i := range x.Subjects {
		err = errors.Join(err, x.Subjects[i].CSV(w))
	}
	total := Subject{Program: "total", Scopes: x.Total, Accesses: x.Accesses, Missing: x.Missing}
	return errors.Join(err, total.CSV(w))
}

// Text writes a table of the programs and the means; o.Verbose lists the first o.Most dependences of each that were missed, all if it is 0.
func (x *Experiment) Text(w io.Writer, o report.TextOptions) error {
	top := 0
	if o.Verbose {
		if top = o.Most; top <= 0 {
			top = math.MaxInt
		}
	}
	head := []string{"program", "scope", "code", "static", "not seen"}
	align := "llrrr"
	for _, r := range x.Total[0].Rows {
		head = append(head, "| all: found", "missed", "cov_u %", "cov_w %", "own %")
		if r.Lifetime > 0 {
			head[len(head)-5] = fmt.Sprintf("| < %d: found", r.Lifetime)
		}
		align += "rrrrr"
	}
	rows := [][]string{head}
	for i := range x.Subjects {
		s := &x.Subjects[i]
		for _, sh := range s.Scopes {
			rows = append(rows, sh.cells(s.Program))
		}
	}
	for _, sh := range x.Total {
		rows = append(rows, sh.cells("total"))
	}
	if err := table(w, rows, align); err != nil {
		return err
	}
	for _, m := range x.Means {
		if m.Programs > 0 {
			fmt.Fprintf(w, "mean of %d programs, %s, lifetime %s: cov_u %.1f %%, cov_w %.1f %%\n", m.Programs, m.Scope, limit(m.Lifetime), 100*m.Unweighted, 100*m.Weighted)
		}
	}
	for i := range x.Subjects {
		x.Subjects[i].details(w, top)
	}
	return nil
}

// details lists the missed dependences and those that never occurred.
func (s *Subject) details(w io.Writer, top int) {
	if s.Failure != "" {
		fmt.Fprintf(w, "%s: %s\n", s.Program, s.Failure)
	}
	if s.Exit != "" {
		fmt.Fprintf(w, "%s: ended with %s\n", s.Program, s.Exit)
	}
	if s.Missing > 0 {
		fmt.Fprintf(w, "%s: %s of %s accesses (%.1f %%) were not seen, nor what depends on them: the emulator does not report them\n", s.Program,
			thousands(s.Missing), thousands(s.Accesses), 100*float64(s.Missing)/float64(s.Accesses))
	}
	for _, sh := range s.Scopes {
		for i := range sh.Missed[:min(len(sh.Missed), top)] {
			d := &sh.Missed[i]
			fmt.Fprintf(w, "%s: %s: missed %s times: %s [%s] -> %s [%s], distance %s, lifetime %d to %d\n", s.Program, sh.Scope, thousands(d.Count),
				where(&d.From), d.From.Text, where(&d.To), d.To.Text, d.distances(2), d.Lifetime.Min, d.Lifetime.Max)
		}
		for i := range sh.Unseen[:min(len(sh.Unseen), top)] {
			u := &sh.Unseen[i]
			fmt.Fprintf(w, "%s: %s: not seen in %s executions: %s [%s] -> %s [%s]\n", s.Program, sh.Scope, thousands(u.Runs), where(&u.From), u.From.Text, where(&u.To), u.To.Text)
		}
	}
}

// limit writes a lifetime.
func limit(n uint64) string {
	if n == 0 {
		return "any"
	}
	return strconv.FormatUint(n, 10)
}

func (s *Share) cells(name string) []string {
	out := []string{name, string(s.Scope), fmt.Sprint(s.Code), fmt.Sprint(s.Static), fmt.Sprint(s.Extra)}
	for _, r := range s.Rows {
		out = append(out, fmt.Sprint(r.Found), fmt.Sprint(r.Missed), percent(r.Unweighted()), percent(r.Weighted()), percent(r.Own.Weighted()))
	}
	return out
}

func percent(x float64, ok bool) string {
	if !ok {
		return "-"
	}
	return strconv.FormatFloat(100*x, 'f', 1, 64)
}

// columns are the columns of the CSV, from which an experiment can also be continued.
var columns = []string{"program", "key", "scope", "code", "static", "not_seen", "lifetime", "found", "missed", "found_count", "missed_count", "own_found", "own_missed", "own_found_count", "own_missed_count", "accesses", "accesses_missing", "cov_u", "cov_w", "cov_w_own", "failure"}

// Header writes the head of the CSV.
func Header(w io.Writer) error { return writeRows(w, [][]string{columns}) }

// CSV writes the rows of a program.
func (s *Subject) CSV(w io.Writer) error {
	var rows [][]string
	for _, sh := range s.Scopes {
		for _, r := range sh.Rows {
			rows = append(rows, []string{s.Program, s.Key, string(sh.Scope), fmt.Sprint(sh.Code), fmt.Sprint(sh.Static), fmt.Sprint(sh.Extra), fmt.Sprint(r.Lifetime),
				fmt.Sprint(r.Found), fmt.Sprint(r.Missed), fmt.Sprint(r.FoundCount), fmt.Sprint(r.MissedCount),
				fmt.Sprint(r.Own.Found), fmt.Sprint(r.Own.Missed), fmt.Sprint(r.Own.FoundCount), fmt.Sprint(r.Own.MissedCount),
				fmt.Sprint(s.Accesses), fmt.Sprint(s.Missing), fraction(r.Unweighted()), fraction(r.Weighted()), fraction(r.Own.Weighted()), ""})
		}
	}
	if s.Failure != "" {
		row := make([]string, len(columns))
		row[0], row[1], row[len(row)-1] = s.Program, s.Key, s.Failure
		rows = append(rows, row)
	}
	return writeRows(w, rows)
}

func fraction(x float64, ok bool) string {
	if !ok {
		return ""
	}
	return strconv.FormatFloat(x, 'f', 4, 64)
}

func writeRows(w io.Writer, rows [][]string) error {
	c := csv.NewWriter(w)
	_ = c.WriteAll(rows) // Error says it again
	return c.Error()
}

// ReadCSV reads the output of CSV and returns programs by key. It leaves out failures and a last row that an interruption
// cut off; valid is the number of bytes of complete programs.
func ReadCSV(r io.Reader) (done map[string]*Subject, valid int64, err error) {
	c := csv.NewReader(r)
	done = map[string]*Subject{}
	head, err := c.Read()
	switch {
	case errors.Is(err, io.EOF):
		return done, 0, nil
	case err != nil || !slices.Equal(head, columns):
		return nil, 0, errors.New("is no CSV file of a coverage experiment")
	}
	valid = c.InputOffset()
	for {
		f, err := c.Read()
		if err != nil {
			break
		}
		if f[len(f)-1] != "" {
			valid = c.InputOffset()
			continue
		}
		s := done[f[1]]
		if s == nil {
			s = &Subject{Program: f[0], Key: f[1]}
			done[f[1]] = s
		}
		if !s.parse(f) {
			return nil, 0, fmt.Errorf("row %q is damaged", f)
		}
		if s.whole() {
			valid = c.InputOffset()
		}
	}
	for k, s := range done {
		if !s.whole() {
			delete(done, k)
		}
	}
	return done, valid, nil
}

// whole reports whether a program has all its rows.
func (s *Subject) whole() bool {
	return len(s.Scopes) == len(Scopes) && len(s.Scopes[len(Scopes)-1].Rows) == len(s.Scopes[0].Rows)
}

func (s *Subject) parse(f []string) bool {
	var n [14]uint64
	for i := range n {
		v, err := strconv.ParseUint(f[3+i], 10, 64)
		if err != nil {
			return false
		}
		n[i] = v
	}
	s.Accesses, s.Missing = n[12], n[13]
	i := slices.IndexFunc(s.Scopes, func(x Share) bool { return string(x.Scope) == f[2] })
	if i < 0 {
		i = len(s.Scopes)
		s.Scopes = append(s.Scopes, Share{Scope: Scope(f[2]), Code: int(n[0]), Static: int(n[1]), Extra: int(n[2])})
	}
	s.Scopes[i].Rows = append(s.Scopes[i].Rows, Row{n[3], Tally{n[4], n[5], n[6], n[7]}, Tally{n[8], n[9], n[10], n[11]}})
	return true
}
