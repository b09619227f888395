package host

import "encoding/binary"

// A machine describes the programs that are generated for one instruction set.
type machine struct {
	elf   uint16 // machine number in ELF headers
	flags uint32 // flags in ELF headers
	// code is the address of the driver and the bodies, control the address of the control page; the results follow
	// it.
	code, control uint64
	start         []byte // a system call and a trap: all code of the process before the tracer maps the rest
	// program lays out the code: it returns the image for the address code, the address of the entry, and the
	// address of a system call that a trap follows.
	program func(c *Code, dataPage uint64) (image []byte, entry, gadget uint64)
	// page returns the initial contents of the control page.
	page func(c *Code, opt *Options) []byte
}

// Offsets in the control page.
const (
	ctlCounter = 0    // trips left of the running body
	ctlReturn  = 8    // address to jump to at the end of the running body
	ctlWindows = 16   // windows left
	ctlResult  = 24   // next result slot
	ctlWarm    = 32   // time stamp at which warming up ends
	ctlRounds  = 56   // rounds left of the run
	ctlFinal   = 3584 // general-purpose registers at the end of a loop in place: 256 bytes
)

// controlBytes is the size of the control page; the results follow it.
const controlBytes = 4096

// results returns the address of the time stamps.
func (m *machine) results() uint64 { return m.control + controlBytes }

// scratch returns the address at which the driver maps the data pages for its own use (to refill them).
func (m *machine) scratch() uint64 { return m.control + controlSpace }

const controlSpace = 0x100000

// MaxWindows is the number of windows whose time stamps fit between the control page and the data pages.
const MaxWindows = (controlSpace - controlBytes) / (stamps * 8)

// stub returns the address at which the process starts, before anything is mapped.
func (m *machine) stub() uint64 { return m.code - 0x100000 + stubOffset }

const stubOffset = 0x78

// executable builds the smallest ELF executable that the kernel starts: a header and a trap. The tracer maps
// everything else before the program runs.
func (m *machine) executable() []byte {
	b := make([]byte, stubOffset+8)
	m.header(b, m.stub(), 1)
	le := binary.LittleEndian
	le.PutUint32(b[0x40:], 1) // PT_LOAD
	le.PutUint32(b[0x44:], 5) // R+X
	le.PutUint64(b[0x50:], m.stub()-stubOffset)
	le.PutUint64(b[0x58:], m.stub()-stubOffset)
	le.PutUint64(b[0x60:], uint64(len(b)))
	le.PutUint64(b[0x68:], uint64(len(b)))
	le.PutUint64(b[0x70:], 0x10000) // the largest page
	copy(b[stubOffset:], m.start)
	return b
}

// header writes an ELF header with an entry point and a number of program headers after it.
func (m *machine) header(b []byte, entry uint64, segments int) {
	copy(b, "\x7fELF\x02\x01\x01")
	le := binary.LittleEndian
	le.PutUint16(b[16:], 2) // ET_EXEC
	le.PutUint16(b[18:], m.elf)
	le.PutUint32(b[20:], 1)
	le.PutUint64(b[24:], entry)
	le.PutUint64(b[32:], 0x40)
	le.PutUint32(b[48:], m.flags)
	le.PutUint16(b[52:], 64)
	le.PutUint16(b[54:], 56)
	le.PutUint16(b[56:], uint16(segments))
}
