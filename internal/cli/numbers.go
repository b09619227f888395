package cli

import (
	"fmt"
	"math"
	"strconv"

	"github.com/spf13/pflag"
)

// number is the value of an option that takes numbers of a range alone.
type number[N int | float64] struct {
	value       *N
	least, most N
	parse       func(string) (N, error)
	kind        string
}

// count registers an option that takes whole numbers from least to most.
func count(fl *pflag.FlagSet, value *int, name, short string, first, least, most int, usage string) {
	*value = first
	fl.VarP(&number[int]{value, least, most, strconv.Atoi, "int"}, name, short, usage)
}

// amount registers an option that takes numbers from least to most.
func amount(fl *pflag.FlagSet, value *float64, name, short string, first, least, most float64, usage string) {
	*value = first
	fl.VarP(&number[float64]{value, least, most, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }, "float"}, name, short, usage)
}

// noLimit is the most of an option that has no limit of its own.
const noLimit = math.MaxInt32

func (n *number[N]) Set(s string) error {
	v, err := n.parse(s)
	switch {
	case err == nil && v >= n.least && v <= n.most:
		*n.value = v
		return nil
	case n.most == noLimit:
		return fmt.Errorf("a number from %v on is needed", n.least)
	}
	return fmt.Errorf("a number from %v to %v is needed", n.least, n.most)
}

func (n *number[N]) String() string { return fmt.Sprint(*n.value) }

// Type is what help shows as the value where the usage names none.
func (n *number[N]) Type() string { return n.kind }
