// Package results writes and reads the results files of incore bench, and makes machine models from them.
//
// A Form holds the measurements of one instruction form (form.go); rows.go writes it as a row of a model, results.go
// writes the file. build.go makes a model from a file; confirm.go and refute.go compare it with its base;
// memory_params.go determines parameters of the core. layer.go makes rows from the results on which several runs agree.
// diff.go and winic.go compare models with each other and with WINIC's measurements.
package results

import (
	"bytes"
	"fmt"
	"io"
	"math"
	"os"
	"runtime"
	"strings"
	"time"

	"incore/internal/bench/host"
	"incore/internal/isa"
)

// Identity identifies the machine that results are from.
type Identity struct {
	CPU     string `json:"cpu"`
	Kernel  string `json:"kernel,omitempty"`
	Date    string `json:"date"`
	Version string `json:"version"` // of incore
}

// Source names a command's measurements of a day as the source of figures in a model.
func (id Identity) Source(command string) string {
	return fmt.Sprintf("measured %s, incore %s %s", id.Date, command, id.Version)
}

// Here returns the identity of this machine.
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

// WriteHeader starts a results file: a model of an instruction set over a base. helpers documents the assumed costs
// of other instructions.
func WriteHeader(w io.Writer, id Identity, set *isa.ISA, helpers, base string) error {
	_, err := fmt.Fprintf(w, `# Measured on this machine by incore bench; a machine model (docs/model-format.md). What no row says is the base's.
# cpu: %s
# kernel: %s
# date: %s
# version: incore %s
# helpers: %s
name: measured
title: %s
isa: %s
base: %s

source: %s
`, id.CPU, id.Kernel, id.Date, id.Version, helpers, MeasuredTitle, set.Name, base, id.Source("bench"))
	return err
}

// Write appends a result: its rows, or a comment with the reason why there are none.
func (r *Form) Write(w io.Writer, forms *isa.FormTable) error {
	var s strings.Builder
	name := forms.Name(r.Form)
	row := r.Row(forms)
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
			fmt.Fprintf(&s, "# %s runs with helpers: reciprocal throughput between %s and %s\n", name, Trim(r.RThruLow, 3), Trim(r.RThru, 3))
		}
		if !math.IsNaN(r.Forward) {
			fmt.Fprintf(&s, "# %s to a load of the same bytes takes %s cycles\n", name, Trim(r.Forward, 1))
		}
		if !math.IsNaN(r.RMW) {
			fmt.Fprintf(&s, "# %s again and again at one address takes %s cycles each\n", name, Trim(r.RMW, 1))
		}
		for i := range r.Cases {
			fmt.Fprintf(&s, "# %s with %s: %s\n", name, r.Cases[i].Note, r.Cases[i].String())
		}
		s.WriteString(row + "\n")
	}
	if _, err := io.WriteString(w, s.String()); err != nil {
		return fmt.Errorf("writing results: %w", err)
	}
	return nil
}

// machineOf returns the part of a CPU description that a microcode update does not change.
func machineOf(cpu string) string {
	before, rest, _ := strings.Cut(cpu, " microcode ")
	_, after, _ := strings.Cut(rest, " ")
	return strings.TrimSpace(before + " " + after)
}

// Measured returns the names of the forms in a results file, and the length of its valid part. It is an error if the
// results are of another CPU than the given one; files that name no CPU are accepted.
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
			// a row with µops comes from the inference of ports, and has no latency and throughput
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
