package object

import "strconv"

// hexNumber is a number in hexadecimal without prefix.
func hexNumber(v uint64) string { return strconv.FormatUint(v, 16) }
