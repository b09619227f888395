package cachesim

// lines numbers the lines that were accessed, so that a table tells where each of them is and no set is searched.
type lines struct {
	where [][MaxLevels]uint8 // by number of a line, of each level: the way that holds it, plus one
	pages []uint64           // by number of a page
	table []numbered         // a hash table: open addressing, at most half full
	shift uint               // of hashes
}

// numbered is a page and the number of its first line.
type numbered struct {
	page  uint64 // noPage: the entry is empty
	first uint32
}

// pageLines is how many lines a page has, whose numbers follow each other.
const pageLines = 64

func newLines() lines {
	const bits = 10
	return lines{table: empty(1 << bits), shift: 64 - bits}
}

const noPage = ^uint64(0)

func empty(n int) []numbered {
	table := make([]numbered, n)
	for i := range table {
		table[i].page = noPage
	}
	return table
}

// id is the number of a line.
func (l *lines) id(line uint64) uint32 {
	page := line / pageLines
	k := &l.table[page*hashFactor>>(l.shift&63)]
	if k.page != page {
		k = l.look(page)
	}
	return k.first + uint32(line%pageLines)
}

const hashFactor = 0x9e3779b97f4a7c15

// look finds a page that is not the first of its hash, and gives it a number if it has none.
func (l *lines) look(page uint64) *numbered {
	for i := page * hashFactor >> l.shift; ; i = (i + 1) % uint64(len(l.table)) {
		switch k := &l.table[i]; {
		case k.page == noPage && 2*len(l.pages) >= len(l.table):
			l.grow()
			return l.look(page)
		case k.page == noPage:
			*k = numbered{page, uint32(len(l.where))}
			l.where = append(l.where, make([][MaxLevels]uint8, pageLines)...)
			l.pages = append(l.pages, page)
			return k
		case k.page == page:
			return k
		}
	}
}

// grow makes the table twice as long.
func (l *lines) grow() {
	l.table, l.shift = empty(2*len(l.table)), l.shift-1
	for n, page := range l.pages {
		i := page * hashFactor >> l.shift
		for l.table[i].page != noPage {
			i = (i + 1) % uint64(len(l.table))
		}
		l.table[i] = numbered{page, uint32(n * pageLines)}
	}
}
