package report

import "strconv"

// place is where an instruction is: its address if it is machine code, else its line.
func (in *Instruction) place() string {
	if in.Address != "" {
		return in.Address
	}
	return strconv.Itoa(in.Line)
}

// place says where a kernel is.
func (k *Kernel) place() string {
	switch {
	case k.Address == "":
		return ", lines " + k.Lines
	case k.Lines == "":
		return " at " + k.Address
	}
	return " at " + k.Address + ", " + k.Lines
}
