// Package roofs measures the roofs of this machine: the bandwidth of each memory level, the sizes of the levels, floating-point rates, and the clock
// rate. For each measurement it builds a small program with incore's own encoder. The program sets up its memory, runs a loop many times between
// readings of the system's clock, and writes the readings out.
package roofs

import (
	"encoding/binary"
	"fmt"

	"incore/internal/isa"
)

// Addresses of the program and its memory. All have 31 bits.
const (
	codeBase  = 0x10000000
	dataBase  = 0x11000000 // constants and the readings of the clock
	arrayBase = 0x40000000
	arrayMost = 0x38000000
	stampBase = dataBase + 0x1000
	maxSample = 64
	stampsOf  = 3 * 16 // bytes of the three readings of a sample
	pageSize  = 4096
)

// Numbers of Linux's system calls on x86-64.
const (
	sysRead, sysWrite, sysMadvise, sysExit, sysAffinity, sysClock = 0, 1, 28, 60, 203, 228
)

// chainRounds and chainLength give the chain of dependent additions, of one cycle each, that measures the clock rate.
const (
	chainRounds = 10000
	chainLength = 64
)

// program is machine code under construction.
type program struct {
	isa    *isa.ISA
	code   []byte
	labels map[string]int
	err    error
}

func (p *program) line(format string, args ...any) {
	if p.err != nil {
		return
	}
	text := fmt.Sprintf(format, args...)
	list, err := p.isa.Parse(nil, text, "att")
	for i := range list {
		if err == nil {
			p.code, err = p.isa.Encode(p.code, &list[i], codeBase+uint64(len(p.code)))
		}
	}
	if err != nil {
		p.err = fmt.Errorf("measuring program: %s: %w", text, err)
	}
}

func (p *program) label(name string) {
	for len(p.code)%32 != 0 {
		p.code = append(p.code, 0x90)
	}
	p.labels[name] = len(p.code)
}

// unless emits jnz.
func (p *program) unless(label string) {
	p.code = append(p.code, 0x0f, 0x85)
	p.code = binary.LittleEndian.AppendUint32(p.code, uint32(p.labels[label]-len(p.code)-4))
}

func (p *program) call(number int, args ...int64) {
	p.line("movl $%d, %%eax", number)
	for i, a := range args {
		p.line("movl $%d, %%%s", a, []string{"edi", "esi", "edx"}[i])
	}
	p.line("syscall")
}

// cpuClock is CLOCK_PROCESS_CPUTIME_ID: it does not count other processes on the same core.
const cpuClock = 2

// clock stores the time at the address in r14.
func (p *program) clock() {
	p.line("movl $%d, %%eax", sysClock)
	p.line("movl $%d, %%edi", cpuClock)
	p.line("movq %%r14, %%rsi")
	p.line("syscall")
	p.line("addq $16, %%r14")
}

// test is one measurement.
type test struct {
	bytes   int64 // of memory that is used
	input   bool  // memory is filled from standard input, else all ones (1.0)
	huge    bool  // large pages
	prepare func(*program)
	body    func(*program) // is run passes times in each sample
	passes  int64
	samples int
	cpu     int
}

// build makes the executable.
func (t *test) build(a *isa.ISA) ([]byte, error) {
	p := &program{isa: a, labels: map[string]int{}}
	if t.cpu >= 0 {
		p.call(sysAffinity, 0, 128, dataBase+64)
	}
	if t.huge {
		p.call(sysMadvise, arrayBase, (t.bytes+1<<21-1)&^(1<<21-1), 14)
	}
	if t.input {
		p.line("movl $%d, %%r12d", int64(arrayBase))
		p.label("read")
		p.line("movl $%d, %%eax", sysRead)
		p.line("xorl %%edi, %%edi")
		p.line("movq %%r12, %%rsi")
		p.line("movl $1048576, %%edx")
		p.line("syscall")
		p.line("addq %%rax, %%r12")
		p.line("testq %%rax, %%rax")
		p.unless("read")
	} else {
		p.line("movabsq $%d, %%rax", int64(0x3ff0000000000000))
		p.line("movl $%d, %%edi", int64(arrayBase))
		p.line("movl $%d, %%ecx", max(t.bytes, 8)/8)
		p.line("rep stosq")
	}
	if t.prepare != nil {
		t.prepare(p)
	}
	p.line("movl $%d, %%r15d", t.samples)
	p.line("movl $%d, %%r14d", int64(stampBase))
	p.label("sample")
	p.clock()
	p.line("movl $%d, %%r13d", t.passes)
	p.label("pass")
	t.body(p)
	p.line("decl %%r13d")
	p.unless("pass")
	p.clock()
	p.line("movl $%d, %%ecx", chainRounds)
	p.line("movl $1, %%ebx")
	p.label("chain")
	for range chainLength {
		p.line("addq %%rbx, %%rdx")
	}
	p.line("decl %%ecx")
	p.unless("chain")
	p.clock()
	p.line("decl %%r15d")
	p.unless("sample")
	p.call(sysWrite, 1, stampBase, int64(t.samples*stampsOf))
	p.call(sysExit, 0)
	return p.elf(t), p.err
}

// elf lays the program out as an executable.
func (p *program) elf(t *test) []byte {
	data := make([]byte, 0x1000)
	binary.LittleEndian.PutUint64(data[0:], 0x4008000000000000) // 3.0
	binary.LittleEndian.PutUint32(data[8:], 0x40400000)         // 3.0f
	if t.cpu >= 0 && t.cpu < 1024 {
		data[64+t.cpu/8] |= 1 << (t.cpu % 8)
	}
	const header, entry = 64, 56
	codeAt := pageSize
	dataAt := codeAt + (len(p.code)+pageSize-1)/pageSize*pageSize
	out := make([]byte, dataAt+len(data))
	le := binary.LittleEndian
	copy(out, "\x7fELF\x02\x01\x01")
	le.PutUint16(out[16:], 2)
	le.PutUint16(out[18:], 0x3e)
	le.PutUint32(out[20:], 1)
	le.PutUint64(out[24:], codeBase)
	le.PutUint64(out[32:], header)
	le.PutUint16(out[52:], header)
	le.PutUint16(out[54:], entry)
	segments := []struct {
		flags                 uint32
		at, addr, file, memry uint64
	}{
		{5, uint64(codeAt), codeBase, uint64(len(p.code)), uint64(len(p.code))},
		{6, uint64(dataAt), dataBase, uint64(len(data)), 0x1000 + maxSample*stampsOf},
		{6, 0, arrayBase, 0, uint64(t.bytes+1<<21) &^ (1<<21 - 1)},
	}
	le.PutUint16(out[56:], uint16(len(segments)))
	for i, s := range segments {
		h := out[header+entry*i:]
		le.PutUint32(h[0:], 1)
		le.PutUint32(h[4:], s.flags)
		le.PutUint64(h[8:], s.at)
		le.PutUint64(h[16:], s.addr)
		le.PutUint64(h[24:], s.addr)
		le.PutUint64(h[32:], s.file)
		le.PutUint64(h[40:], s.memry)
		le.PutUint64(h[48:], pageSize)
	}
	copy(out[codeAt:], p.code)
	copy(out[dataAt:], data)
	return out
}
