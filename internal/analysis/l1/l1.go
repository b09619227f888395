// Package l1 bounds the cycles of a kernel by limits of the first-level data cache other than the load and store ports: the loads that a bank serves
// per cycle, the stores that leave the store queue together only for one line or block, and accesses that cross lines. All limits need addresses,
// which are followed as base, index and constants; unknown pointers are assumed to be in unrelated lines.
package l1

import (
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Bound holds the least cycles per iteration under each limit of the cache; 0 where the model states none.
type Bound struct {
	Loads  float64 // limit of the banks (banks)
	Stores float64 // limit of the lines or blocks of the stores (store-commit)
	Slots  float64 // limit of ports that accesses use twice ("line-crossing"), or that other µops share with loads ("address-turns")
	Cuts   []Cut   // the accesses that cross lines; Slots counts their ports twice
	Leave  []Leave // the stores of Stores
}

// Max returns the largest limit.
func (b Bound) Max() float64 { return max(b.Loads, b.Stores, b.Slots) }

// LineBytes is the size of a line of the cache, of all cores that are modelled so.
const LineBytes = 64

const (
	line       = LineBytes
	iterations = 32 // over which moving addresses are followed: steps of 8 bytes traverse a line four times
	bankLoads  = 2  // loads per cycle and bank
	lineStores = 2  // stores per cycle to one line
	maxBanks   = line
	vector     = 16 // bytes of the narrowest access of a whole vector

	vectorLoads = 2 // ports that vector loads use alternately (inTurn)
)

// Alignment is the assumption about the offsets of unknown pointers in a cache line.
type Alignment uint8

// The alignments.
const (
	Lucky   Alignment = iota // for each pointer, the offset with the fewest accesses that cross lines, or blocks of stores
	Aligned                  // all at the beginning of a line, so that loads through different registers can meet in a bank; otherwise only loads through the same register can
	Unlucky                  // for each pointer, the offset with the most crossings that is a multiple of an element
)

// Analyze computes the bounds. places holds the known addresses, which do not depend on the alignment.
func Analyze(b *machine.Bound, alignment Alignment, places []depgraph.Place) Bound {
	c := b.Model.Core()
	reads := c.Banks.Bytes > 0 && !c.Banks.Conflict
	if !reads && !c.StoreCommit.Lines && c.StoreCommit.Merge <= 0 && !c.LineCrossing && c.AddressTurns == 0 || b.Kernel.ISA == nil || b.Kernel.ISA.Regs == nil {
		return Bound{}
	}
	accesses, aligned := placed(b, c, alignment, places), alignment == Aligned
	var out Bound
	if reads {
		out.Loads = banks(accesses, int64(max(c.Banks.Bytes, line/maxBanks)), aligned)
	}
	if c.StoreCommit.Lines || c.StoreCommit.Merge > 0 {
		out.Stores, out.Leave = leave(accesses, &c.StoreCommit, aligned || !c.StoreCommit.Lines)
	}
	if c.LineCrossing {
		out.Slots, out.Cuts = slots(b, accesses), cuts(accesses)
	}
	if c.AddressTurns != 0 {
		out.Slots = max(out.Slots, addressPorts(b, c.AddressTurns))
	}
	return out
}

// banks counts the loads of each bank over several iterations. A load as long as a line reads all banks at any address.
func banks(list []access, width int64, aligned bool) float64 {
	worst, whole := 0, 0
	done := make([]bool, len(list))
	for i := range list {
		if a := &list[i]; a.load && a.bytes >= line && !aligned {
			whole += iterations
			done[i] = true
		}
	}
	for i := range list {
		if !list[i].load || done[i] {
			continue
		}
		var count [maxBanks]int
		for j := i; j < len(list); j++ {
			a := &list[j]
			if !a.load || done[j] || !aligned && !list[i].comparable(a) {
				continue
			}
			done[j] = true
			for k := range int64(iterations) {
				at := a.address(k) & (line - 1)
				for n := at / width; n <= (at+a.bytes-1)/width; n++ {
					count[n%(line/width)]++
				}
			}
		}
		for _, n := range count {
			worst = max(worst, n)
		}
	}
	return float64(worst+whole) / bankLoads / iterations
}

func (a *access) sameOrigin(b *access) bool {
	return a.base == b.base && a.index == b.index && (a.scale == b.scale || a.index == 0) && a.sym == b.sym
}

// comparable reports whether the distance of two accesses is known.
func (a *access) comparable(b *access) bool {
	if a.at != nil || b.at != nil {
		return a.at != nil && b.at != nil
	}
	return a.sameOrigin(b)
}

// floor returns the number of the block of memory of an address.
func floor(address, block int64) int64 {
	if address < 0 {
		return -((block - 1 - address) / block)
	}
	return address / block
}

// Place is the position of a load in a cache line relative to the other loads of its group, whose offsets count from one address.
type Place struct {
	Inst   int32
	Mem    int32 // index into Effects.Mem
	Group  int32
	Offset int64
	Bytes  int64
}

// Conflict reports whether two loads meet in a bank of the given width but in different lines. A group is assumed to begin at the start of a line.
func (p *Place) Conflict(q *Place, width int64) bool {
	if p.Group != q.Group || p.Offset>>6 == q.Offset>>6 {
		return false
	}
	a, b := p.Offset&(line-1), q.Offset&(line-1)
	return a/width <= (b+q.Bytes-1)/width && b/width <= (a+p.Bytes-1)/width
}

// Places returns the loads whose addresses keep their distances over all iterations. With equal, all pointers hold the same value at the start
// (isa.ISA.EqualStart), and so does every word of memory; otherwise only loads through the same register have known distances.
func Places(b *machine.Bound, equal bool) []Place {
	type group struct {
		base, index Origin
		scale       uint8
		stride      int64
	}
	var out []Place
	var groups []group
	list := follow(b)
	for i := range list {
		a := &list[i]
		if !a.load || a.sym != nil || a.seg != isa.NoReg {
			continue
		}
		g, at, ok := group{a.base, a.index, a.scale, a.stride}, a.offset, a.base >= 0 && a.index >= 0
		if equal {
			x, okX := start(b, a.base)
			y, okY := start(b, a.index)
			g, at, ok = group{stride: a.stride}, (at+x+int64(a.scale)*y)&(page-1), okX && okY
		}
		if !ok {
			continue
		}
		n := slices.Index(groups, g)
		if n < 0 {
			n, groups = len(groups), append(groups, g)
		}
		out = append(out, Place{Inst: int32(a.inst), Mem: int32(a.mem), Group: int32(n), Offset: at, Bytes: a.bytes})
	}
	return out
}

// Lines returns the positions of loads that stay at one offset in a cache line. If all pointers are multiples of a line
// (aligned), all loads are one group, of which any can meet in a bank; otherwise those through the same registers are.
func Lines(b *machine.Bound, aligned bool) []Place {
	var out []Place
	var groups []*access
	list := follow(b)
	for i := range list {
		a := &list[i]
		if !a.load || a.stride&(line-1) != 0 {
			continue
		}
		g := slices.IndexFunc(groups, func(first *access) bool { return aligned || first.sameOrigin(a) })
		if g < 0 {
			g, groups = len(groups), append(groups, a)
		}
		at := Place{Inst: int32(a.inst), Mem: int32(a.mem), Group: int32(g), Offset: a.offset & (line - 1), Bytes: a.bytes}
		out = append(out, at)
	}
	return out
}

const page = 4096

// slots bounds the cycles by the ports of loads, or of store data, where accesses that cross a line use a port twice.
func slots(b *machine.Bound, list []access) float64 {
	var loads, stores [64]float64 // by number of usable ports
	more := false
	for i := range list {
		a := &list[i]
		x := a.crossings()
		in := &b.Insts[a.inst]
		if n := Ports(in, machine.UopLoad); a.load && n > 0 {
			loads[n] += float64((a.bytes+a.piece-1)/a.piece) + x
		}
		if n, uses := turns(b, in); a.store && n > 0 {
			stores[n] += uses + x
		}
		more = more || x > 0
	}
	turn := 0.0
	if b.Model.Core().LoadsInTurn {
		turn = inTurn(b, list)
		more = more || turn > Narrowest(&loads)
	}
	if !more {
		return 0
	}
	return max(Narrowest(&loads), Narrowest(&stores), turn)
}

// turns returns the ports of an instruction's stored data and how many of them it uses, or the turns of all stores if these are fewer.
func turns(b *machine.Bound, in *machine.Inst) (ports int, uses float64) {
	ports = Ports(in, machine.UopStoreData)
	all := b.Model.Core().StoreTurns
	if n := in.StoreTurns(all); n > 0 && all.Size() <= ports {
		return all.Size(), float64(n)
	}
	return ports, 1
}

// inTurn bounds the cycles by the two ports that vector loads use alternately, in program order, even if one load uses its port several times because
// it is wide or crosses lines (feature "loads-in-turn"). If every second load crosses a line, each pair of loads takes 2 cycles.
func inTurn(b *machine.Bound, list []access) float64 {
	var uses [vectorLoads]int
	port := 0
	for k := range int64(iterations) {
		for i := range list {
			a := &list[i]
			if a.load && Ports(&b.Insts[a.inst], machine.UopLoad) == vectorLoads {
				uses[port] += int((a.bytes+a.piece-1)/a.piece) + a.cut(a.address(k), a.piece, line)
				port = 1 - port
			}
		}
	}
	return float64(max(uses[0], uses[1])) / iterations
}

// Narrowest returns the largest bound of uses per number of usable ports n; µops that can use more ports can also use those of the narrower ones.
func Narrowest(uses *[64]float64) (worst float64) {
	total := 0.0
	for n, u := range uses {
		if total += u; u > 0 {
			worst = max(worst, total/float64(n))
		}
	}
	return worst
}

// Ports returns the number of ports that an instruction's µops of a kind can use, 0 if there is no such µop.
func Ports(in *machine.Inst, kind machine.UopKind) int {
	ports, _ := in.Ports(kind)
	return ports.Size()
}

// crossings returns the pieces of an access that reach into a second line, per iteration.
func (a *access) crossings() float64 {
	n := 0
	for k := range int64(iterations) {
		n += a.crosses(k)
	}
	return float64(n) / iterations
}

// cut counts the block boundaries inside the pieces of an access to an address.
func (a *access) cut(address, piece, block int64) (n int) {
	for at := address; at < address+a.bytes; at += piece {
		n += int(floor(min(at+piece, address+a.bytes)-1, block) - floor(at, block))
	}
	return n
}

// piece returns the bytes of an access that each use of a load port reads: a core with load ports of 256 bits reads 512 bits in two uses. (On Zen 4
// such a load takes two uses, and a third at all addresses except multiples of 32.)
func piece(in *machine.Inst, bytes int64) int64 {
	_, uses := in.Ports(machine.UopLoad)
	if bytes < 2*vector || uses <= 1 || uses > 4 {
		return max(1, bytes)
	}
	return bytes / int64(uses)
}

// place sets the offset of each unknown pointer in its line such that the fewest accesses cross the end of a line, or of a block of stores; or the
// most. Constant distances between accesses stay: one of the vectors at a[i-1] and a[i+1] crosses at any alignment of the array.
func place(list []access, c *machine.Core, most bool) {
	done := make([]bool, len(list))
	for i := range list {
		done[i] = list[i].at != nil
	}
	for i := range list {
		if done[i] {
			continue
		}
		var group []*access
		for j := i; j < len(list); j++ {
			if !done[j] && list[i].sameOrigin(&list[j]) {
				done[j] = true
				group = append(group, &list[j])
			}
		}
		costs := map[int64]float64{} // by offset in the line: groups may be long, lines are not
		costAt := func(at int64) float64 {
			v, known := costs[at]
			if !known {
				v = cost(group, c, at)
				costs[at] = v
			}
			return v
		}
		best, at, least := costAt(0), int64(0), element(group)
		for _, a := range group {
			for k := range a.positions() {
				if !most && best == 0 {
					break
				}
				to := -(a.offset + k*a.stride)
				if most {
					to -= least // the first element is the last one of a line
				}
				if v := costAt(to & (line - 1)); v < best && !most || v > best && most {
					best, at = v, to&(line-1)
				}
			}
		}
		for _, a := range group {
			a.offset += at
		}
	}
}

// element returns the size in bytes of the smallest load or store of a group; a vector's elements may be as small as 4 bytes.
func element(group []*access) int64 {
	least := group[0].bytes
	for _, a := range group {
		least = min(least, a.bytes)
	}
	if least >= vector {
		return 4
	}
	return least
}

// cost returns the cost of crossing lines and blocks at an alignment, in port cycles: two loads per cycle, or one store.
func cost(group []*access, c *machine.Core, at int64) (sum float64) {
	for _, a := range group {
		n, last := 0, a.positions()
		for k := range last {
			from := a.offset + k*a.stride + at
			if a.load && c.LineCrossing {
				n += a.cut(from, a.piece, line)
			}
			if a.store && c.StoreCommit.Merge > 0 {
				n += 2 * a.cut(from, a.bytes, int64(c.StoreCommit.Merge))
			} else if a.store && c.LineCrossing && !a.whole {
				n += 2 * a.cut(from, a.bytes, line)
			}
		}
		sum += float64(n) / float64(last)
	}
	return sum
}

// positions returns the number of iterations after which an access is at the same offset in a line again.
func (a *access) positions() int64 {
	if step := a.stride & (line - 1); step != 0 {
		return line / (step & -step)
	}
	return 1
}
