package cli

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// number is the value of an option that takes numbers of a range alone.
type number[N int | uint64 | float64] struct {
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

// seedFlag registers the option for the seed of random values.
func seedFlag(fl *pflag.FlagSet, value *uint64, usage string) {
	fl.Var(&number[uint64]{value, 0, math.MaxUint64, func(s string) (uint64, error) { return strconv.ParseUint(s, 10, 64) }, "uint"}, "seed", usage)
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

// oneOf lets a command take one of some options only.
func oneOf(cmd *cobra.Command, names ...string) {
	cmd.MarkFlagsMutuallyExclusive(names...) // for shell completion
	cmd.PreRunE = func(cmd *cobra.Command, _ []string) error {
		var given []string
		for _, name := range names {
			if cmd.Flags().Changed(name) {
				given = append(given, "--"+name)
			}
		}
		if len(given) > 1 {
			return fmt.Errorf("%s exclude each other; give one of them", strings.Join(given, " and "))
		}
		return nil
	}
}
