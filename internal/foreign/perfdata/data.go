// Package perfdata reads perf.data files of Linux's perf: samples, branch stacks, memory maps and build ids, from files and pipes, compressed or not. The format is that of
// tools/perf/Documentation/perf.data-file-format.txt and include/uapi/linux/perf_event.h of the kernel.
//
// Records come in an order that is nearly that of time; they are sorted within the rounds that perf marks, or in a window of bounded memory where there are none, so that a file is read once. Kinds of records
// that are not known, as newer kernels may write them, are skipped and counted.
package perfdata

// Data is what a file says beside its samples.
type Data struct {
	Arch    string // of the machine, as uname names it: "x86_64", "aarch64"; "" if the file does not say
	CPUID   string // of the machine: "GenuineIntel,6,85,7"; "" if the file does not say
	CPU     string // the name of its CPU
	Release string // of its kernel
	Version string // of perf
	Command []string
	Events  []Event
	Lost    uint64 // samples that the kernel could not store
	Unknown int    // records of unknown kinds
	Cut     error  // why the file could not be read to its end; what came before is valid

	buildIDs map[string]string // by path
}

// Event is a kind of samples.
type Event struct {
	Name    string
	Samples int
	attr    attr
}

// Sample is one sample.
type Sample struct {
	Event    int // index into Data.Events
	PID, TID uint32
	IP       uint64
	Time     uint64 // ns; 0 if the samples have none
	Period   uint64 // events that it stands for
	Mode     Mode
	Branches []Branch // the newest first
	Map      *Map     // of the instruction; nil if none is known
	// MapOf finds the map of another address in the same process at the same time, nil if there is none.
	MapOf func(addr uint64) *Map
}

// Mode is the mode of the CPU.
type Mode uint8

// The modes that are told apart.
const (
	ModeUnknown Mode = 0
	ModeKernel  Mode = 1
	ModeUser    Mode = 2
)

// Branch is a taken branch.
type Branch struct {
	From, To     uint64
	Mispredicted bool
	Cycles       uint16 // since the branch before; 0: not known
}

// Map is a part of a file that is mapped into a process.
type Map struct {
	Start, End uint64
	Offset     uint64 // of Start in the file
	Path       string
	BuildID    string // in hexadecimal digits, if the record of the map has it; Data.BuildID also looks elsewhere
}

// FileOffset returns the offset of an address in the mapped file.
func (m *Map) FileOffset(addr uint64) uint64 { return addr - m.Start + m.Offset }

// BuildID returns the build id of a mapped file in hexadecimal digits, "" if it is not known. It is complete after Read.
func (d *Data) BuildID(m *Map) string {
	if m.BuildID != "" {
		return m.BuildID
	}
	return d.buildIDs[m.Path]
}
