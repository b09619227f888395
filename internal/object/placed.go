package object

import (
	"fmt"
	"strconv"
	"strings"
)

// PlacedBase is the assumed page address of a corpus loop whose offset in the page is known.
const PlacedBase = 1 << 20

// Placed splits HEX@OFFSET, a loop of a corpus: HEX is its machine code, OFFSET its hexadecimal offset from PlacedBase, within the first page of
// 4096 bytes. placed is false, and the address 0, if the text has no offset.
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
