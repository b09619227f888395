package report

import "strconv"

// place is where an instruction is: its address if it is machine code, else its line.
func (in *Instruction) place() string {
	if in.Address != "" {
		return in.Address
	}
	return strconv.Itoa(in.Line)
}

// member names the member of a library that holds the kernel, as linkers write it.
func (k *Kernel) member() string {
	if k.Member == "" {
		return ""
	}
	return "(" + k.Member + ")"
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
