package bench

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"incore/internal/bench/host"
	"incore/internal/isa"
	"incore/internal/parallel"
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
			if name, rest, ok := strings.Cut(l[len(memoryPrefix):], ": "); ok && !strings.HasPrefix(rest, host.UnstablePrefix) {
				done[name] = true
			}
		case strings.HasPrefix(l, "# "):
			if name, rest, ok := strings.Cut(l[2:], ": "); ok && !strings.Contains(name, " ") && !strings.HasPrefix(rest, host.UnstablePrefix) {
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
		err := parallel.Ordered(ctx, len(workers), len(forms), func(ctx context.Context, worker, i int) (*FormResult, error) {
			return workers[worker].Form(ctx, forms[i], what)
		}, func(i int, r *FormResult) error {
			if strings.HasPrefix(r.Reason, host.UnstablePrefix) && round < rounds-1 {
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
