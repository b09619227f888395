package object

import "strconv"

// hex is a number in hexadecimal without prefix.
func hex(v uint64) string { return strconv.FormatUint(v, 16) }
