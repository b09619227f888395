package perfdata

import (
	"slices"
	"sort"
)

// process holds the maps of a process at one time, sorted by address; they do not overlap.
type process struct{ maps []*Map }

// add adds a map. It replaces what it overlaps, as mmap(2) does.
func (p *process) add(m *Map) {
	lo := sort.Search(len(p.maps), func(i int) bool { return p.maps[i].End > m.Start })
	hi := lo
	var keep []*Map
	for ; hi < len(p.maps) && p.maps[hi].Start < m.End; hi++ {
		if old := p.maps[hi]; old.Start < m.Start {
			left := *old
			left.End = m.Start
			keep = append(keep, &left)
		}
	}
	keep = append(keep, m)
	if hi > lo {
		if old := p.maps[hi-1]; old.End > m.End {
			right := *old
			right.Offset += m.End - old.Start
			right.Start = m.End
			keep = append(keep, &right)
		}
	}
	p.maps = slices.Concat(p.maps[:lo], keep, p.maps[hi:]) // never in place: children share the list
}

// at returns the map of an address.
func (p *process) at(addr uint64) *Map {
	if p == nil {
		return nil
	}
	i := sort.Search(len(p.maps), func(i int) bool { return p.maps[i].End > addr })
	if i < len(p.maps) && p.maps[i].Start <= addr {
		return p.maps[i]
	}
	return nil
}

// processes are the processes at one time, by their id. The kernel's maps are those of process kernel.
type processes map[uint32]*process

const kernel = ^uint32(0)

func (p processes) of(pid uint32) *process {
	x := p[pid]
	if x == nil {
		x = &process{}
		p[pid] = x
	}
	return x
}

// fork gives a process the maps of its parent. They share the list: add makes a new one.
func (p processes) fork(pid, parent uint32) {
	if pid == parent || p[parent] == nil {
		return
	}
	p[pid] = &process{p[parent].maps}
}

// exec forgets the maps of a process that runs another program from now on.
func (p processes) exec(pid uint32) { delete(p, pid) }
