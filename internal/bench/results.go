package bench

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"slices"
	"sort"
	"strings"
	"time"

	"incore/internal/isa"
)

// Identity says which machine results are from.
type Identity struct {
	CPU, Kernel, Date, Version string
}

// Here is the identity of this machine.
func Here(version string) Identity {
	id := Identity{CPU: runtime.GOARCH, Date: time.Now().UTC().Format("2006-01-02"), Version: version}
	if b, err := os.ReadFile("/proc/sys/kernel/osrelease"); err == nil {
		id.Kernel = runtime.GOOS + " " + strings.TrimSpace(string(b))
	}
	b, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return id
	}
	f := map[string]string{}
	for _, l := range strings.Split(string(b), "\n") {
		k, v, ok := strings.Cut(l, ":")
		if k = strings.TrimSpace(k); !ok || f[k] != "" {
			continue
		}
		f[k] = strings.TrimSpace(v)
	}
	switch {
	case f["CPU part"] != "": // Arm: by MIDR_EL1
		id.CPU = fmt.Sprintf("Arm implementer %s part %s variant %s revision %s", f["CPU implementer"], f["CPU part"], f["CPU variant"], f["CPU revision"])
	case f["isa"] != "": // RISC-V
		id.CPU = strings.Join(strings.Fields(fmt.Sprintf("%s mvendorid %s marchid %s mimpid %s %s", f["uarch"], f["mvendorid"], f["marchid"], f["mimpid"], f["isa"])), " ")
	}
	if f["vendor_id"] != "" {
		id.CPU = fmt.Sprintf("%s family %s model %s stepping %s microcode %s (%s)", f["vendor_id"], f["cpu family"], f["model"], f["stepping"], f["microcode"], f["model name"])
	}
	return id
}

// WriteHeader starts a file of results: a model that stands over base.
func (b *Bench) WriteHeader(w io.Writer, id Identity, base string) error {
	_, err := fmt.Fprintf(w, `# Measured on this machine by incore bench; a machine model (docs/model-format.md). What no row says is the base's.
# cpu: %s
# kernel: %s
# date: %s
# version: incore %s
# helpers: %s
name: measured
title: This machine, as measured
isa: %s
base: %s

source: measured %s, incore bench %s
`, id.CPU, id.Kernel, id.Date, id.Version, b.describeHelpers(), b.Target.ISA.Name, base, id.Date, id.Version)
	return err
}

// describeHelpers lists the helpers with their latencies.
func (b *Bench) describeHelpers() string {
	var s []string
	for i, h := range b.Target.helpers {
		text, _, _ := strings.Cut(h.text, " ")
		s = append(s, fmt.Sprintf("%s %s>%s %s", text, kindNames[h.from], kindNames[h.to], trim(b.helpers[i], 1)))
	}
	return strings.Join(s, ", ") + fmt.Sprintf("; largest residual %.2f cycles", b.Residual)
}

// Write appends a result: its rows, or a comment that says why there is none.
func (b *Bench) Write(w io.Writer, r *FormResult) error {
	var s strings.Builder
	name := b.Target.ISA.Forms.Name(r.Form)
	row := b.Row(r)
	switch {
	case r.Reason != "":
		fmt.Fprintf(&s, "# %s: %s\n", name, r.Reason)
	case row == "":
		fmt.Fprintf(&s, "# %s: no figure\n", name)
	default:
		if r.Note != "" {
			fmt.Fprintf(&s, "# %s with %s\n", name, r.Note)
		}
		if r.RThruLow < r.RThru {
			fmt.Fprintf(&s, "# %s runs with helpers: reciprocal throughput between %s and %s\n", name, trim(r.RThruLow, 3), trim(r.RThru, 3))
		}
		if !math.IsNaN(r.Forward) {
			fmt.Fprintf(&s, "# %s to a load of the same bytes takes %s cycles\n", name, trim(r.Forward, 1))
		}
		if !math.IsNaN(r.RMW) {
			fmt.Fprintf(&s, "# %s again and again at one address takes %s cycles each\n", name, trim(r.RMW, 1))
		}
		for i := range r.Cases {
			fmt.Fprintf(&s, "# %s with %s: %s\n", name, r.Cases[i].Note, r.Cases[i].String())
		}
		s.WriteString(row + "\n")
	}
	_, err := io.WriteString(w, s.String())
	return err
}

// machineOf is what of a description of a CPU stays the same when its microcode is updated.
func machineOf(cpu string) string {
	before, rest, _ := strings.Cut(cpu, " microcode ")
	_, after, _ := strings.Cut(rest, " ")
	return strings.TrimSpace(before + " " + after)
}

// Measured reads which forms a file of results has, by name, and the length of its valid part. The results must be of
// the CPU given, unless the file does not say of which they are.
func Measured(r io.Reader, cpu string) (done map[string]bool, valid int64, err error) {
	b, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, err
	}
	for l := range strings.Lines(string(b)) {
		if strings.HasPrefix(l, "source:") {
			break
		}
		if of, ok := strings.CutPrefix(l, "# cpu: "); ok && machineOf(strings.TrimSpace(of)) != machineOf(cpu) {
			return nil, 0, fmt.Errorf("has results of another machine (%s; this is %s)", strings.TrimSpace(of), cpu)
		}
	}
	end := bytes.LastIndexByte(b, '\n') + 1
	done = map[string]bool{}
	rows := false
	for _, l := range strings.Split(string(b[:end]), "\n") {
		switch {
		case strings.HasPrefix(l, "source:"):
			rows = true
		case !rows:
		case strings.HasPrefix(l, memoryPrefix):
			if name, rest, ok := strings.Cut(l[len(memoryPrefix):], ": "); ok && !strings.HasPrefix(rest, unstablePrefix) {
				done[name] = true
			}
		case strings.HasPrefix(l, "# "):
			if name, rest, ok := strings.Cut(l[2:], ": "); ok && !strings.Contains(name, " ") && !strings.HasPrefix(rest, unstablePrefix) {
				done[name] = true
			}
		default:
			// a row that gives µops is of the inference of ports, and says nothing of latency and throughput
			if name, rest, ok := strings.Cut(l, " | "); ok && strings.HasPrefix(rest, "= ") {
				done[name] = true
			}
		}
	}
	if end > 0 && !rows {
		return nil, 0, fmt.Errorf("is no file of results of incore bench")
	}
	return done, int64(end), nil
}

// rounds is how often forms are tried that noise has spoilt.
const rounds = 4

// Forms measures forms and writes each as it comes. What noise spoils is tried again at the end.
func (b *Bench) Forms(ctx context.Context, forms []isa.FormID, what int, w io.Writer, progress func(done, failed int)) error {
	done, failed := 0, 0
	workers := b.workers()
	for round := range rounds {
		var again []isa.FormID
		err := spread(ctx, len(workers), len(forms), func(ctx context.Context, worker, i int) (*FormResult, error) {
			return workers[worker].Form(ctx, forms[i], what)
		}, func(i int, r *FormResult) error {
			if strings.HasPrefix(r.Reason, unstablePrefix) && round < rounds-1 {
				again = append(again, forms[i])
				return nil
			}
			if done++; r.Reason != "" {
				failed++
			}
			if err := b.Write(w, r); err != nil {
				return fmt.Errorf("writing results: %w", err)
			}
			if progress != nil {
				progress(done, failed)
			}
			return nil
		})
		if forms = again; err != nil || len(forms) == 0 {
			return err
		}
	}
	return nil
}

// Build makes a compact model of a file of results: forms with equal rows share one; of each field of a form, of each
// parameter of the core the last one counts.
func Build(r io.Reader, w io.Writer, name, title string) error {
	s := bufio.NewScanner(r)
	var head []string
	last, when := map[string]string{}, map[string][]string{}
	var params []string
	memory, date := memoryResults{}, ""
	inRows, no := false, 0
	for s.Scan() {
		l := s.Text()
		no++
		form, rest, isRow := strings.Cut(l, " | ")
		switch {
		case strings.HasPrefix(l, "name:"):
			head = append(head, "name: "+name)
		case strings.HasPrefix(l, "title:"):
			head = append(head, "title: "+title)
		case !inRows:
			head = append(head, l)
			inRows = strings.HasPrefix(l, "source:")
			if d, ok := strings.CutPrefix(l, "# date: "); ok {
				date = " " + d
			}
		case strings.HasPrefix(l, "#"), strings.TrimSpace(l) == "":
			memory.add(l)
		case strings.HasPrefix(l, "param "), strings.HasPrefix(l, "feature "), strings.HasPrefix(l, "fuses: "):
			key, _, _ := strings.Cut(l, ": ")
			params = slices.DeleteFunc(params, func(p string) bool { return strings.HasPrefix(p, key+": ") })
			params = append(params, l)
		case !isRow || strings.ContainsAny(form, " \t"):
			return fmt.Errorf("line %d: not a row 'FORM | µops | latency | attributes': %q", no, l)
		case strings.Contains(rest, "when="):
			when[form] = append(when[form], rest)
		default:
			if !strings.Contains(rest, "| = |") && !strings.HasSuffix(rest, "| =") {
				delete(when, form)
			}
			last[form] = overlay(last[form], rest)
		}
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("line %d: %w", no+1, err)
	}
	if !inRows {
		return fmt.Errorf("is no file of results of incore bench")
	}
	for _, p := range memory.params("measured" + date) {
		key, _, _ := strings.Cut(p, ": ")
		if !slices.ContainsFunc(params, func(q string) bool { return strings.HasPrefix(q, key+": ") }) { // what a probe of the core was made for counts
			params = append(params, p)
		}
	}
	render := func(w io.Writer, rows map[string]string) error {
		out := bufio.NewWriter(w)
		for i, l := range head {
			if i == len(head)-1 { // the source of the rows
				for _, p := range params {
					fmt.Fprintln(out, p)
				}
			}
			fmt.Fprintln(out, l)
		}
		writeGroups(out, rows)
		for i := 0; ; i++ { // of a form, one after another: later ones count
			rows := map[string]string{}
			for form, list := range when {
				if i < len(list) {
					rows[form] = list[i]
				}
			}
			if len(rows) == 0 {
				break
			}
			writeGroups(out, rows)
		}
		return out.Flush()
	}
	var plain strings.Builder
	if err := render(&plain, last); err != nil {
		return err
	}
	rows, err := confirm(plain.String(), last)
	if err != nil {
		return err
	}
	return render(w, rows)
}

// overlay puts a row's fields over an older one's of the same form: µops, latency, attributes. "=" leaves a field; a row without µops
// is of latency and throughput and leaves the dispatch slots, one with µops leaves all attributes that it doesn't give.
func overlay(old, row string) string {
	if old == "" {
		return row
	}
	a, b := strings.SplitN(old+" |  | ", " | ", 4), strings.SplitN(row+" |  | ", " | ", 4)
	ports := b[0] != "="
	for i := range 2 {
		if b[i] == "=" {
			b[i] = a[i]
		}
	}
	attrs := strings.Fields(strings.Trim(b[2], " |"))
	for _, t := range strings.Fields(strings.Trim(a[2], " |")) {
		key, _, _ := strings.Cut(t, "=")
		has := slices.ContainsFunc(attrs, func(u string) bool { return u == key || strings.HasPrefix(u, key+"=") })
		if !has && (ports || key == "slots") {
			attrs = append(attrs, t)
		}
	}
	return strings.TrimRight(b[0]+" | "+b[1]+" | "+strings.Join(attrs, " "), " |")
}

// writeGroups writes rows, forms of equal rows together, in the order of their names.
func writeGroups(w io.Writer, rows map[string]string) {
	groups := map[string][]string{}
	for f, r := range rows {
		groups[r] = append(groups[r], f)
	}
	type group struct {
		forms []string
		rest  string
	}
	var list []group
	for r, f := range groups {
		sort.Strings(f)
		list = append(list, group{f, r})
	}
	sort.Slice(list, func(i, j int) bool { return list[i].forms[0] < list[j].forms[0] })
	for _, g := range list {
		line := ""
		for _, f := range g.forms {
			if len(line)+len(f) > 110 {
				fmt.Fprintln(w, line)
				line = "   "
			}
			if line != "" && line != "   " {
				line += " "
			} else if line == "   " {
				line += " "
			}
			line += f
		}
		fmt.Fprintf(w, "%s | %s\n", line, g.rest)
	}
}
