// Package l1 bounds a kernel by what the first-level data cache lets through besides the load
// and store ports: banks that too few loads may read in one cycle, stores that leave the store queue together only
// for one line or block, and accesses that cross lines. All need addresses, which are followed as base,
// index and constants; unknown pointers are taken to be at unrelated lines.
package l1

import (
	"math/bits"
	"slices"

	"incore/internal/analysis/depgraph"
	"incore/internal/isa"
	"incore/internal/machine"
)

// Bound is the least number of cycles per iteration by the cache's limits; 0 where the model states none.
type Bound struct {
	Loads  float64 // by the banks (banks)
	Stores float64 // by the lines or blocks (store-commit) that they go to
	Slots  float64 // by ports that accesses use twice ("line-crossing"), or that others take from loads ("address-turns")
}

// Max is the largest of them.
func (b Bound) Max() float64 { return max(b.Loads, b.Stores, b.Slots) }

const (
	line       = 64
	iterations = 32 // that moving addresses are followed for: 8-byte steps go through a line four times
	bankLoads  = 2  // loads per cycle and bank
	lineStores = 2  // stores per cycle to one line
	maxBanks   = line
	vector     = 16 // bytes of the narrowest access of a whole vector

	vectorLoads = 2 // ports of vector loads that these are given in turn (inTurn)
)

// Alignment is what is known of where in a line pointers point.
type Alignment uint8

// Alignments of pointers that a kernel does not show.
const (
	Lucky   Alignment = iota // each as the fewest of the accesses through it cross lines, or blocks of stores
	Aligned                  // all to the beginning of a line, so that loads through different registers meet in a bank; otherwise only loads through one do
	Unlucky                  // each as the most of the accesses through it cross, but to a multiple of an element
)

// Analyze computes the bounds. places are the addresses that are known, whatever the alignment is.
func Analyze(b *machine.Bound, alignment Alignment, places []depgraph.Place) Bound {
	c := b.Model.Core()
	reads := c.Banks.Bytes > 0 && !c.Banks.Conflict
	if !reads && !c.StoreCommit.Lines && c.StoreCommit.Merge <= 0 && !c.LineCrossing && c.AddressTurns == 0 || b.Kernel.ISA == nil || b.Kernel.ISA.Regs == nil {
		return Bound{}
	}
	accesses := follow(b)
	locate(accesses, places)
	aligned := alignment == Aligned
	if !aligned && (c.LineCrossing || c.StoreCommit.Merge > 0) {
		place(accesses, c, alignment == Unlucky)
	}
	var out Bound
	if reads {
		out.Loads = banks(accesses, int64(max(c.Banks.Bytes, line/maxBanks)), aligned)
	}
	if c.StoreCommit.Lines {
		out.Stores = lines(accesses, line, lineStores, aligned)
	} else if c.StoreCommit.Merge > 0 {
		out.Stores = lines(accesses, int64(c.StoreCommit.Merge), len(accesses)*iterations, true)
	}
	if c.LineCrossing {
		out.Slots = slots(b, accesses)
	}
	if c.AddressTurns != 0 {
		out.Slots = max(out.Slots, addressPorts(b, c.AddressTurns))
	}
	return out
}

// banks counts the loads of each bank over a number of iterations. A load as long as a line reads all banks, wherever it lies.
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

// comparable reports whether it is known how far two accesses are apart.
func (a *access) comparable(b *access) bool {
	if a.at != nil || b.at != nil {
		return a.at != nil && b.at != nil
	}
	return a.sameOrigin(b)
}

// lines counts the cycles in which stores leave for the cache, in program order: so many at most that follow each other and go to one block
// of memory of so many bytes by the same registers (Zen 4 measured: eight additions to elements of one block of 32 bytes take 5.0 cycles by one base register and 8.0 where each has an index that
// was loaded). A store that crosses the end of a block goes to both, if alignments are to count.
func lines(list []access, block int64, most int, aligned bool) float64 {
	cycles, run := 0, 0
	var last *access
	var lastLine int64
	for k := range int64(iterations) {
		for i := range list {
			a := &list[i]
			if !a.store {
				continue
			}
			from := a.address(k)
			at := floor(from, block)
			if last != nil && at == lastLine && last.sameOrigin(a) && run < most {
				run++
			} else {
				cycles++
				run = 1
			}
			if end := floor(from+a.bytes-1, block); aligned && end != at {
				cycles += int(end - at)
				at, run = end, 1
			}
			last, lastLine = a, at
		}
	}
	return float64(cycles) / iterations
}

// floor is the number of the block of memory that an address lies in.
func floor(address, block int64) int64 {
	if address < 0 {
		return -((block - 1 - address) / block)
	}
	return address / block
}

// Place is where a load reads, next to the other loads of its group: their offsets count from one address.
type Place struct {
	Inst   int32
	Mem    int32 // index into Effects.Mem
	Group  int32
	Offset int64
	Bytes  int64
}

// Conflict reports whether two loads meet in a bank of the given width but in different lines. Groups begin at a line's start, as far as is known.
func (p *Place) Conflict(q *Place, width int64) bool {
	if p.Group != q.Group || p.Offset>>6 == q.Offset>>6 {
		return false
	}
	a, b := p.Offset&(line-1), q.Offset&(line-1)
	return a/width <= (b+q.Bytes-1)/width && b/width <= (a+p.Bytes-1)/width
}

// Places lists the loads whose addresses keep their distances over all iterations. equal: all pointers hold one value at the start
// (isa.ISA.EqualStart), as does every word of memory; otherwise only loads through one register are known to be near each other.
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

// Lines lists where in a line loads read whose addresses stay there, if all pointers are multiples of a line.
func Lines(b *machine.Bound) []Place {
	var out []Place
	list := follow(b)
	for i := range list {
		if a := &list[i]; a.load && a.stride&(line-1) == 0 && a.sym == nil && a.seg == isa.NoReg {
			out = append(out, Place{Inst: int32(a.inst), Mem: int32(a.mem), Offset: a.offset & (line - 1), Bytes: a.bytes})
		}
	}
	return out
}

const page = 4096

// slots bounds the cycles by the ports that loads, or the data of stores, can use, where accesses that cross a line use them twice.
func slots(b *machine.Bound, list []access) float64 {
	var loads, stores [64]float64 // by the number of ports to choose from
	more := false
	for i := range list {
		a := &list[i]
		x := a.crossings()
		uops := b.Insts[a.inst].Uops
		if n := Ports(uops, machine.UopLoad); a.load && n > 0 {
			loads[n] += float64((a.bytes+a.piece-1)/a.piece) + x
		}
		if n := Ports(uops, machine.UopStoreData); a.store && n > 0 {
			stores[n] += 1 + x
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

// inTurn bounds the cycles by two ports that vector loads are given in turn, in program order, where each uses its own as often as it has pieces and crosses lines (feature
// "loads-in-turn"): one that crosses behind one that doesn't, again and again, takes 2 cycles for the two.
func inTurn(b *machine.Bound, list []access) float64 {
	var uses [vectorLoads]int
	port := 0
	for k := range int64(iterations) {
		for i := range list {
			a := &list[i]
			if a.load && Ports(b.Insts[a.inst].Uops, machine.UopLoad) == vectorLoads {
				uses[port] += int((a.bytes+a.piece-1)/a.piece) + a.cut(a.address(k), a.piece, line)
				port = 1 - port
			}
		}
	}
	return float64(max(uses[0], uses[1])) / iterations
}

// Narrowest is the largest bound of so many uses of one of n ports, if those that can choose from more may also use the others' ports.
func Narrowest(uses *[64]float64) (worst float64) {
	total := 0.0
	for n, u := range uses {
		if total += u; u > 0 {
			worst = max(worst, total/float64(n))
		}
	}
	return worst
}

// Ports is how many ports the µops of a kind can choose from, 0 if there is none.
func Ports(uops []machine.Uop, kind machine.UopKind) int {
	for i := range uops {
		if u := &uops[i]; u.Kind == kind && !u.Resource && u.Ports != 0 {
			return bits.OnesCount64(uint64(u.Ports))
		}
	}
	return 0
}

// crossings is how many pieces of an access reach into a second line, per iteration.
func (a *access) crossings() float64 {
	n := 0
	for k := range int64(iterations) {
		n += a.cut(a.address(k), a.piece, line)
	}
	return float64(n) / iterations
}

// cut counts the ends of blocks of memory within the pieces of an access to an address.
func (a *access) cut(address, piece, block int64) (n int) {
	for at := address; at < address+a.bytes; at += piece {
		n += int(floor(min(at+piece, address+a.bytes)-1, block) - floor(at, block))
	}
	return n
}

// piece is how many bytes of an access each use of a load port reads: 512 bits are read as twice 256 by a core whose ports are as wide as that (Zen 4
// measured: such a load takes two uses, and one more at all addresses but multiples of 32).
func piece(uops []machine.Uop, bytes int64) int64 {
	uses := 0.0
	for i := range uops {
		if u := &uops[i]; u.Kind == machine.UopLoad && !u.Resource {
			uses += max(1, u.Cycles)
		}
	}
	if bytes < 2*vector || uses <= 1 || uses > 4 {
		return max(1, bytes)
	}
	return bytes / int64(uses)
}

// place moves the accesses through each unknown pointer to where in a line the fewest of them cross the end of one, or of a block that stores go to; or the most.
// What is at a constant distance stays so: of a[i-1] and a[i+1] one vector crosses, whatever the array's alignment.
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
		costs := map[int64]float64{} // by place in a line: groups may be long, lines are not
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
					to -= least // the first element is the last of a line
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

// element is the size of what the accesses of a group load or store at the least: a vector's elements may be as small as 4 bytes.
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

// cost is what crossing lines and blocks costs accesses at an alignment, in cycles of the ports: two loads a cycle, or one store.
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
			} else if a.store && c.LineCrossing {
				n += 2 * a.cut(from, a.bytes, line)
			}
		}
		sum += float64(n) / float64(last)
	}
	return sum
}

// positions is the number of iterations after which an access is at the same place in a line again.
func (a *access) positions() int64 {
	if step := a.stride & (line - 1); step != 0 {
		return line / (step & -step)
	}
	return 1
}
