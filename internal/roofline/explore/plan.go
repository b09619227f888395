// Package explore profiles binaries for the designs of an exploration: each binary at each vector length and with the caches of each target. A
// directory keeps the profiles, so that an interrupted or divided exploration continues where it stopped.
package explore

import (
	"fmt"
	"strconv"
	"strings"

	"incore/internal/base/yamlfile"
	"incore/internal/roofline"
)

// Plan is an exploration: the product of its lists.
type Plan struct {
	From     string            `yaml:"from"`           // machine, by name or file
	Profile  string            `yaml:"profile"`        // of the source's binary, a file
	Perf     float64           `yaml:"perf,omitempty"` // GFLOP/s on the source; 0: computed from the time in the profile
	To       []string          `yaml:"to"`             // target machines
	Binaries map[string]string `yaml:"binaries"`       // command lines by name: gcc: ./prog.gcc 20 10
	Vectors  []int             `yaml:"vectors,omitempty"`
	Memories []string          `yaml:"memories,omitempty"` // own, a machine, or GB/s
	WhatIf   []string          `yaml:"what_if,omitempty"`  // changed cores; "" is the unchanged core
	Function string            `yaml:"function,omitempty"` // the function to count, including its callees
}

// ReadPlan reads a plan. name is for messages.
func ReadPlan(name string, text []byte) (*Plan, error) {
	p := &Plan{}
	if err := yamlfile.Read(name, text, p, true); err != nil {
		return nil, err
	}
	return p, p.Check()
}

// Check returns an error for missing or wrong parts of a plan.
func (p *Plan) Check() error {
	switch {
	case p.From == "":
		return fmt.Errorf("an exploration needs a source machine (from: …, --from)")
	case p.Profile == "":
		return fmt.Errorf("an exploration needs the profile of the source's binary (profile: FILE, --profile)")
	case len(p.To) == 0:
		return fmt.Errorf("an exploration needs a target machine (to: […], --to)")
	}
	for _, v := range p.Vectors {
		if v < 64 || v > 1<<16 || v&(v-1) != 0 {
			return fmt.Errorf("a vector length of %d bits: a power of two from 64 on is needed", v)
		}
	}
	for name, command := range p.Binaries {
		if len(strings.Fields(command)) == 0 {
			return fmt.Errorf("binary %s: a command line is needed", name)
		}
	}
	return nil
}

// scalable returns the QEMU CPU with vectors of a number of bits, by instruction set.
var scalable = map[string]func(bits int) string{
	"aarch64": func(bits int) string {
		return fmt.Sprintf("max,sve%d=on,sve-default-vector-length=%d", bits, bits/8)
	},
	"riscv64": func(bits int) string { return fmt.Sprintf("rv64,v=true,vlen=%d,elen=64", bits) },
}

// limits are the vector lengths that the architectures allow and QEMU emulates.
var limits = map[string][2]int{"aarch64": {128, 2048}, "riscv64": {128, 1024}}

// CPU returns the CPU that QEMU must emulate for vectors of a number of bits. The error says why there is none.
func CPU(isa string, bits int) (string, error) {
	make, ok := scalable[isa]
	if !ok {
		return "", fmt.Errorf("vectors of %s have a length that the code was compiled for: --vectors and vectors: are for AArch64 (SVE) and RISC-V (V); profile a binary compiled for each length", isa)
	}
	if l := limits[isa]; bits < l[0] || bits > l[1] {
		return "", fmt.Errorf("vectors of %d bits: %s has %d to %d here", bits, isa, l[0], l[1])
	}
	return make(bits), nil
}

// Job is a profile that an exploration needs.
type Job struct {
	Binary  string
	Command []string
	Bits    int // 0: as the binary runs
	Target  *roofline.Machine
}

// Name returns the name of the profile.
func (j *Job) Name() string {
	s := j.Binary
	if j.Bits > 0 {
		s += " with vectors of " + strconv.Itoa(j.Bits) + " bits"
	}
	return s + " on the caches of " + j.Target.Name
}
