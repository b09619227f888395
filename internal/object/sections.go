package object

// Section is a piece of code.
type Section struct {
	Name string // "" if the file has no names
	Addr uint64
	Data []byte // not to be changed
}

// Code returns the sections that hold code, by address.
func (f *File) Code() []Section {
	var out []Section
	for _, s := range f.sections {
		if s.exec {
			out = append(out, Section{s.name, s.addr, s.data})
		}
	}
	return out
}
