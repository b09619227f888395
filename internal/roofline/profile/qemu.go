package profile

import (
	"bufio"
	"context"
	_ "embed" // the plugin
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"incore/internal/isa"
	"incore/internal/object"
	"incore/internal/program/cachesim"
	"incore/internal/program/qemu"
)

//go:embed csrc/profile.c
var pluginSource string

// Layout of the plugin's file: a header of eight words, records, blocks.
const (
	pluginMagic = 0x464f5250
	headerBytes = 64
	recordBytes = 64
	maxRecords  = 1 << 19
	arenaAt     = headerBytes + maxRecords*recordBytes
	eventBytes  = 16
	blockHead   = 48
)

// emulated is a run under QEMU.
type emulated struct {
	file   *object.File
	o      *Options
	caches *cachesim.Hierarchy
	served map[uint32]*cachesim.Served
	loaded map[uint32]*[2]uint64

	effects isa.Effects
}

func runQEMU(ctx context.Context, f *object.File, o *Options) (s *seen, err error) {
	dir, remove, err := qemu.Dir("incore-profile-")
	if err != nil {
		return nil, err
	}
	defer remove()
	x := &emulated{file: f, o: o, served: map[uint32]*cachesim.Served{}, loaded: map[uint32]*[2]uint64{}}
	if !o.NoCaches {
		if x.caches, err = cachesim.New(o.Caches); err != nil {
			return nil, err
		}
	}
	out := filepath.Join(dir, "out")
	if err := os.WriteFile(out, nil, 0o600); err != nil {
		return nil, err
	}
	options := func(version string) string {
		plugin := ",out=" + qemu.Comma(out)
		if fn := f.Function(o.Function); o.Function != "" && fn != nil {
			plugin += fmt.Sprintf(",entry=%x", fn.Addr)
		}
		if strings.Contains(version, "version 7.2.") { // of which the plugin knows where vector registers are
			plugin += ",rvv=on"
		}
		return plugin
	}
	last := make([]byte, eventBytes)
	binary.LittleEndian.PutUint32(last[8:], end)
	p := qemu.Program{ISA: f.ISA.Name, Path: f.Path, Args: o.Args[1:], CPU: o.CPU, Sysroot: o.Sysroot, Limit: o.Limit, Stdin: o.Stdin, Stdout: o.Stdout, Stderr: o.Stderr}
	e, err := p.Run(ctx, dir, &qemu.Watch{Name: "profile", Source: qemu.SVE + pluginSource, Options: options, Read: x.consume, Last: last})
	if err != nil {
		return nil, err
	}
	if s, err = x.result(out); err != nil {
		return nil, fmt.Errorf("%s: nothing was seen of the program: %w", e.Emulator, err)
	}
	s.method = "QEMU: " + e.Version
	if o.CPU != "" {
		s.method += ", CPU " + o.CPU
	}
	s.partial, s.signal = append(e.Partial, s.partial...), e.Signal
	return s, nil
}

// end is the number of the event that ends the stream.
const end = ^uint32(0)

// consume reads events.
func (x *emulated) consume(pipe io.Reader) error {
	in := bufio.NewReaderSize(pipe, 1<<20)
	var e [eventBytes]byte
	var inactive cachesim.Served
	var served *cachesim.Served
	var bytes *[2]uint64
	last := end
	for {
		if _, err := io.ReadFull(in, e[:]); err != nil {
			return err
		}
		addr, record := binary.LittleEndian.Uint64(e[:]), binary.LittleEndian.Uint32(e[8:])
		n, store, active := uint64(binary.LittleEndian.Uint16(e[12:])), e[14] != 0, e[15] != 0
		if record == end {
			return nil
		}
		if n == 0 {
			continue
		}
		if record != last {
			last = record
			if served = x.served[record]; served == nil {
				served, bytes = new(cachesim.Served), new([2]uint64)
				x.served[record], x.loaded[record] = served, bytes
			}
			bytes = x.loaded[record]
		}
		to := served
		if !active {
			to = &inactive
		} else if store {
			bytes[1] += n
		} else {
			bytes[0] += n
		}
		if x.caches != nil {
			x.caches.Access(addr, n, store, to)
		} else {
			to.Bytes[0] += n
		}
	}
}

// result reads the plugin's counts.
func (x *emulated) result(name string) (*seen, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head := make([]byte, headerBytes)
	word := func(b []byte, i int) uint64 { return binary.LittleEndian.Uint64(b[8*i:]) }
	if _, err := f.ReadAt(head, 0); err != nil || word(head, 0) != pluginMagic || word(head, 1) > maxRecords {
		return nil, errors.New("the plugin did not start")
	}
	records, arena := make([]byte, word(head, 1)*recordBytes), make([]byte, word(head, 7))
	if _, err := f.ReadAt(records, headerBytes); err != nil {
		return nil, err
	}
	if _, err := f.ReadAt(arena, arenaAt); err != nil && len(arena) > 0 {
		return nil, err
	}
	counts := make([]uint64, len(records)/recordBytes)
	for i := range counts {
		counts[i] = word(records[i*recordBytes:], 1)
	}
	for at := 0; at+blockHead <= len(arena); {
		b := arena[at:]
		count, words, n := word(b, 2), int(word(b, 3)), int(word(b, 4))
		if words*8 < blockHead || at+8*words > len(arena) || blockHead+4*n > 8*words {
			return nil, errors.New("damaged results")
		}
		for i := range n {
			if r := int(binary.LittleEndian.Uint32(b[blockHead+4*i:])); r < len(counts) {
				counts[r] += count
			}
		}
		at += 8 * words
	}
	s := &seen{isa: x.file.ISA, caches: x.caches, vector: int(word(head, 5))}
	bias := word(head, 2)
	s.modules = []module{{x.file.Path, 0, ^uint64(0), bias}}
	if lo, hi := extent(x.file); hi > 0 {
		s.modules[0].lo, s.modules[0].hi = lo+bias, hi+bias
	}
	unseen := uint64(0)
	for i := range counts {
		b := records[i*recordBytes:]
		if counts[i] == 0 {
			continue
		}
		if site := x.site(uint32(i), b, counts[i], s, bias); site != nil {
			s.sites = append(s.sites, site)
			if x.scalable(site) { // for all other instructions QEMU itself reports each access
				unseen += word(b, 3)
			}
		}
	}
	slices.SortFunc(s.sites, func(a, b *site) int {
		if a.addr < b.addr {
			return -1
		}
		return 1
	})
	for what, n := range map[string]uint64{
		"it starts threads; the operations of all are counted, the bytes of the first alone": word(head, 3) - min(word(head, 3), 1), "it starts other processes, which are not counted": word(head, 4),
		"too much code for the plugin; what came last is not counted": word(head, 6), fmt.Sprintf("QEMU did not tell %d accesses or active elements of scalable vectors", unseen): unseen} {
		if n > 0 {
			s.partial = append(s.partial, what)
		}
	}
	slices.Sort(s.partial)
	return s, nil
}

// scalable reports whether the bytes or operations of an instruction depend on the vector length.
func (x *emulated) scalable(c *site) bool {
	x.file.ISA.Effects(&c.inst, &x.effects)
	for _, m := range x.effects.Mem {
		if m.Elems == 0 || m.Bits == 0 || m.Gather {
			return true
		}
	}
	return c.masked
}

// extent returns the range of addresses of a file's functions.
func extent(f *object.File) (lo, hi uint64) {
	fns := f.Functions()
	if len(fns) == 0 {
		return 0, 0
	}
	return fns[0].Addr, fns[len(fns)-1].End()
}

// site makes a site from a record; nil if the instruction is outside of the counted ranges.
func (x *emulated) site(i uint32, b []byte, count uint64, s *seen, bias uint64) *site {
	pc := binary.LittleEndian.Uint64(b)
	if len(x.o.Ranges) > 0 && !slices.ContainsFunc(x.o.Ranges, func(r Range) bool { return pc >= r.Lo+bias && pc < r.Hi+bias }) {
		return nil
	}
	lanes, size, counted, sew := binary.LittleEndian.Uint64(b[16:]), int(b[32]), b[33] != 0, int(b[34])
	c := &site{addr: pc, count: count}
	n, err := x.file.ISA.Decode(b[40:40+min(size, 16)], pc, &c.inst)
	if err == nil && n > 0 {
		c.inst.Size = uint8(n)
		if sew > 0 {
			c.inst.VType.SEW = uint8(sew)
		}
		if x.file.ISA.Float != nil {
			c.float = x.file.ISA.Float(&c.inst)
		}
		c.branch = x.file.ISA.Flow(&c.inst).Kind != isa.FlowNext
	}
	switch {
	case counted:
		c.masked, c.lanes = c.float.Flops > 0, lanes
	case c.float.Lanes == 0 && c.float.Flops > 0 && c.float.Bits > 0: // a scalable vector, with all elements
		c.masked, c.lanes = true, count*uint64(s.vector/c.float.Bits)
	}
	if v := x.served[i]; v != nil {
		c.served = *v
		c.loaded, c.stored = x.loaded[i][0], x.loaded[i][1]
		x.correct(c)
	}
	return c
}

// correct sets the bytes of an instruction with a fixed access size to those of its definition: QEMU may load a whole vector for a scalar operand.
func (x *emulated) correct(c *site) {
	x.file.ISA.Effects(&c.inst, &x.effects)
	var load, store uint64
	for _, m := range x.effects.Mem {
		if m.Elems == 0 || m.Bits == 0 || m.Gather {
			return
		}
		n := uint64(m.Bits) / 8 * uint64(m.Elems) * c.count
		if m.Load {
			load += n
		}
		if m.Store {
			store += n
		}
	}
	for _, r := range x.effects.Reads {
		if r.Role == isa.RoleMask {
			return
		}
	}
	is, was := load+store, c.loaded+c.stored
	if is == was || is == 0 || was <= is { // fewer bytes: the access depends on values
		return
	}
	c.loaded, c.stored = load, store
	for i, v := range c.served.Bytes {
		c.served.Bytes[i] = uint64(float64(v)*float64(is)/float64(was) + 0.5)
	}
}
