package cli

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// number is the value of an option that accepts only numbers of a range.
type number[N int | float64] struct {
	value       *N
	least, most N
	parse       func(string) (N, error)
	kind        string
}

// option describes an option that accepts numbers from least to most.
type option struct {
	name, short string
	least, most float64
	usage       string
}

// count registers an option that takes whole numbers.
func count(fl *pflag.FlagSet, value *int, first int, o option) {
	*value = first
	fl.VarP(&number[int]{value, int(o.least), int(o.most), strconv.Atoi, "int"}, o.name, o.short, o.usage)
}

// amount registers an option that takes numbers.
func amount(fl *pflag.FlagSet, value *float64, first float64, o option) {
	*value = first
	fl.VarP(&number[float64]{value, o.least, o.most, func(s string) (float64, error) { return strconv.ParseFloat(s, 64) }, "float"}, o.name, o.short, o.usage)
}

// plainFlagError replaces error messages of the flag library that name Go functions by messages about the option.
func plainFlagError(_ *cobra.Command, err error) error {
	text := err.Error()
	if i := strings.Index(text, "strconv.Parse"); i >= 0 {
		what := "a whole number is needed"
		switch rest := text[i:]; {
		case strings.HasPrefix(rest, "strconv.ParseBool"):
			what = "true or false is needed"
		case strings.HasPrefix(rest, "strconv.ParseFloat"):
			what = "a number is needed"
		case strings.HasPrefix(rest, "strconv.ParseUint"):
			what = "a whole number from 0 on is needed"
		}
		return errors.New(text[:i] + what)
	}
	return err
}

// noLimit is the greatest value of an option without its own limit.
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

// Type returns the name of the value that help shows if the usage text names none.
func (n *number[N]) Type() string { return n.kind }

// oneOf makes options of a command mutually exclusive.
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
