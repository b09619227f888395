package object

import (
	"fmt"
	"strconv"
	"strings"
)

// PlacedBase is where loops of corpora are taken to lie of which the offset in a page is known.
const PlacedBase = 1 << 20

// Placed takes HEX@OFFSET apart, a loop of a corpus: its machine code in hexadecimal, and its address, which is as far behind PlacedBase as OFFSET, in hexadecimal as well, says, and within the first page of
// 4096 bytes. placed is false, and the address 0, where the text has no offset.
func Placed(text string) (digits string, addr uint64, placed bool, err error) {
	digits, at, placed := strings.Cut(text, "@")
	if !placed {
		return digits, 0, false, nil
	}
	offset, err := strconv.ParseUint(at, 16, 12)
	if err != nil {
		return digits, 0, true, fmt.Errorf("'%s' is no offset within a page", at)
	}
	return digits, PlacedBase + offset, true, nil
}
