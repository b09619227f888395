package source

import (
	"fmt"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Range is a range of lines, both ends included.
type Range struct{ First, Last int }

// Ranges is a set of lines, as ranges in ascending order that neither overlap nor touch.
type Ranges []Range

// ParseRanges reads a list of lines and ranges, "1,2,8-18,20:24".
func ParseRanges(s string) (Ranges, error) {
	var r Ranges
	for _, part := range strings.Split(s, ",") {
		part = strings.TrimSpace(part)
		first, last, isRange := strings.Cut(strings.Replace(part, ":", "-", 1), "-")
		a, err := lineNumber(first)
		if err != nil {
			return nil, fmt.Errorf("lines %q: %w", s, err)
		}
		b := a
		if isRange {
			if b, err = lineNumber(last); err != nil {
				return nil, fmt.Errorf("lines %q: %w", s, err)
			}
		}
		if b < a {
			return nil, fmt.Errorf("lines %q: range %q ends before it starts", s, part)
		}
		r = append(r, Range{a, b})
	}
	return r.normal(), nil
}

func lineNumber(s string) (int, error) {
	n, err := strconv.Atoi(strings.TrimSpace(s))
	if err != nil || n < 1 {
		return 0, fmt.Errorf("%q is not a line number", s)
	}
	return n, nil
}

// RangesOf returns the ranges that contain exactly the given lines.
func RangesOf(lines []int) Ranges {
	r := make(Ranges, 0, len(lines))
	for _, n := range lines {
		r = append(r, Range{n, n})
	}
	return slices.Clone(r.normal()) // which most often are few, of many lines
}

// normal sorts and joins ranges.
func (r Ranges) normal() Ranges {
	sort.Slice(r, func(i, j int) bool { return r[i].First < r[j].First })
	out := r[:0]
	for _, x := range r {
		if n := len(out); n > 0 && x.First <= out[n-1].Last+1 {
			out[n-1].Last = max(out[n-1].Last, x.Last)
			continue
		}
		out = append(out, x)
	}
	return out
}

// Contains reports whether a line is in the set.
func (r Ranges) Contains(line int) bool {
	i := sort.Search(len(r), func(i int) bool { return r[i].Last >= line })
	return i < len(r) && r[i].First <= line
}

// String formats the set as ParseRanges reads it.
func (r Ranges) String() string {
	var b strings.Builder
	for i, x := range r {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(strconv.Itoa(x.First))
		if x.Last != x.First {
			b.WriteByte('-')
			b.WriteString(strconv.Itoa(x.Last))
		}
	}
	return b.String()
}
