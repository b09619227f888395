package cachesim

import "slices"

// lines numbers the accessed lines, so that a table gives their ways and no set needs a search. Numbers of pages that no cache holds a line of are
// reused, so their count depends only on the sizes of the caches.
type lines struct {
	where [][MaxLevels]uint8 // by line number and level: the way that holds it, plus one
	pages []uint64           // by number of a page; noPage: the number is free
	free  []uint32           // numbers of pages
	most  int                // limit of numbered pages: more than the caches have lines
	table []numbered         // a hash table: open addressing, at most half full
	shift uint               // of hashes
}

// numbered is a page and the number of its first line.
type numbered struct {
	page  uint64 // noPage: the entry is empty
	first uint32
}

// mostLines is the largest number of lines in all caches: with 1.25 pages for each, line numbers have 31 bits.
const mostLines = 1 << 24

// pageLines is the number of lines of a page; their numbers are consecutive.
const pageLines = 64

// newLines numbers the lines of caches with a total number of lines.
func newLines(held int) lines {
	const bits = 10
	return lines{table: empty(1 << bits), shift: 64 - bits, most: held + held/4 + 1024}
}

const noPage = ^uint64(0)

func empty(n int) []numbered {
	table := make([]numbered, n)
	for i := range table {
		table[i].page = noPage
	}
	return table
}

// id returns the number of a line.
func (l *lines) id(line uint64) uint32 {
	page := line / pageLines
	k := &l.table[page*hashFactor>>(l.shift&63)]
	if k.page != page {
		k = l.look(page)
	}
	return k.first + uint32(line%pageLines)
}

const hashFactor = 0x9e3779b97f4a7c15

// look finds a page that is not the first one of its hash, and numbers it if it is new.
func (l *lines) look(page uint64) *numbered {
	for i := page * hashFactor >> l.shift; ; i = (i + 1) % uint64(len(l.table)) {
		switch k := &l.table[i]; {
		case k.page == noPage && len(l.free) == 0 && len(l.pages) >= l.most:
			l.release()
			return l.look(page)
		case k.page == noPage && 2*len(l.pages) >= len(l.table):
			l.shift--
			l.fill(2 * len(l.table))
			return l.look(page)
		case k.page == noPage:
			*k = numbered{page, pageLines * l.number(page)}
			return k
		case k.page == page:
			return k
		}
	}
}

// number gives a page a number.
func (l *lines) number(page uint64) (n uint32) {
	if last := len(l.free) - 1; last >= 0 {
		n, l.free = l.free[last], l.free[:last]
		l.pages[n] = page
		return n
	}
	l.where = append(l.where, make([][MaxLevels]uint8, pageLines)...)
	l.pages = append(l.pages, page)
	return uint32(len(l.pages) - 1)
}

// release frees the numbers of pages that no cache holds a line of.
func (l *lines) release() {
	for n := range l.pages {
		if !slices.ContainsFunc(l.where[n*pageLines:(n+1)*pageLines], func(w [MaxLevels]uint8) bool { return w != [MaxLevels]uint8{} }) {
			l.pages[n] = noPage
			l.free = append(l.free, uint32(n))
		}
	}
	l.fill(len(l.table))
}

// fill rebuilds the table with a given length.
func (l *lines) fill(length int) {
	l.table = empty(length)
	for n, page := range l.pages {
		if page == noPage {
			continue
		}
		i := page * hashFactor >> l.shift
		for l.table[i].page != noPage {
			i = (i + 1) % uint64(len(l.table))
		}
		l.table[i] = numbered{page, uint32(n * pageLines)}
	}
}
