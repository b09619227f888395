package aarch64

import "strings"

// list appends a vector list, a list of ZA tiles or braced tokens: "{v0.4s-v3.4s}[1]", "{ z0.d, z1.d }", "{za}".
func (s *stmt) list(t string) bool {
	i := strings.LastIndexByte(t, '}')
	if i < 0 {
		return false
	}
	body, after := trim(t[1:i]), trim(t[i+1:])
	if len(body) > 1 && body[0]|0x20 == 'z' && body[1]|0x20 == 'a' || body == "" {
		if !strings.HasSuffix(body, "]") {
			return after == "" && s.tiles(body)
		}
		s.addTok("{") // a slice of a tile: {za0h.s[w12, 1]}
		ok := s.operand(body, 0)
		s.addTok("}")
		return ok && after == ""
	}
	if eqFold(body, "zt0") {
		s.addTok("{")
		s.add(elem{kind: elReg, reg: s.a.r.zt0})
		s.addTok("}")
		return after == ""
	}
	e := elem{kind: elList, stride: 1}
	read := e.sequence
	if strings.Contains(body, "-") {
		read = e.span
	}
	if !read(body) {
		return false
	}
	if e.count > 4 {
		return false
	}
	s.add(e)
	if after == "" {
		return true
	}
	return after[0] == '[' && s.subscript(after)
}

// span reads a list given by its first and last register.
func (e *elem) span(body string) bool {
	a, b, _ := strings.Cut(body, "-")
	f, n, l, w, ok := listMember(trim(a))
	f2, n2, l2, w2, ok2 := listMember(trim(b))
	if !ok || !ok2 || f != f2 || l != l2 || w != w2 {
		return false
	}
	e.file, e.num, e.lanes, e.width, e.count = f, n, l, w, (n2-n)%fileSize(f)+1
	return true
}

// sequence reads a list of registers at equal distances.
func (e *elem) sequence(body string) bool {
	for more, prev := true, uint8(0); more; e.count++ {
		var m string
		m, body, more = nextOperand(body)
		f, n, l, w, ok := listMember(m)
		if !ok || e.count == 4 || e.count > 0 && (f != e.file || l != e.lanes || w != e.width) {
			return false
		}
		switch d := (n - prev) % fileSize(f); {
		case e.count == 0:
			e.file, e.num, e.lanes, e.width = f, n, l, w
		case e.count == 1:
			e.stride = d
		case d != e.stride:
			return false
		}
		prev = n
	}
	return true
}

// fileSize is the number of vector or predicate registers, after which lists wrap round.
func fileSize(file byte) uint8 {
	if file == 'p' {
		return 16
	}
	return 32
}

// listMember reads one register of a list.
func listMember(t string) (file byte, num, lanes uint8, width uint16, ok bool) {
	name, arr, has := strings.Cut(t, ".")
	if len(name) < 2 {
		return
	}
	file = name[0] | 0x20
	if file != 'v' && file != 'z' && file != 'p' {
		return
	}
	digits := name[1:]
	if file == 'p' && digits[0]|0x20 == 'n' {
		digits = digits[1:]
	}
	n, ok := regNum(digits)
	if !ok || file == 'p' && n > 15 {
		return file, 0, 0, 0, false
	}
	if has {
		i := 0
		for i < len(arr) && arr[i]-'0' <= 9 {
			lanes = lanes*10 + arr[i] - '0'
			i++
		}
		if i != len(arr)-1 {
			return file, 0, 0, 0, false
		}
		if width = elemWidth(arr[i]); width == 0 {
			return file, 0, 0, 0, false
		}
	}
	return file, uint8(n), lanes, width, true
}

// tiles appends a list of ZA tiles as the set of the 64-bit tiles that they consist of.
func (s *stmt) tiles(body string) bool {
	e := elem{kind: elTiles}
	if body == "" {
		s.add(e)
		return true
	}
	if strings.EqualFold(body, "za") {
		e.imm = 0xff
		s.add(e)
		return true
	}
	for more := true; more; {
		var m string
		m, body, more = nextOperand(body)
		name, arr, _ := strings.Cut(m, ".")
		if len(name) < 3 || len(arr) != 1 {
			return false
		}
		n, ok := regNum(name[2:])
		w := int(elemWidth(arr[0])) / 8
		if !ok || w == 0 || w > 8 || n >= w || !eqFold(name[:2], "za") {
			return false
		}
		for i := n; i < 8; i += w {
			e.imm |= 1 << i
		}
	}
	s.add(e)
	return true
}
