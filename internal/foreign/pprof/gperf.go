package pprof

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"sort"
	"strconv"
	"strings"
)

// The format of gperftools (https://gperftools.github.io/gperftools/cpuprofile-fileformat.html): a header and records of machine words, then the text of
// /proc/self/maps. Only words of 64 bits, the lower byte first, are read.

// isGperf reports whether a file begins with the header: 0, the number of words that follow, version 0.
func isGperf(head []byte) bool {
	return len(head) >= 24 && binary.LittleEndian.Uint64(head) == 0 && binary.LittleEndian.Uint64(head[8:]) >= 3 && binary.LittleEndian.Uint64(head[8:]) < 64 &&
		binary.LittleEndian.Uint64(head[16:]) == 0
}

// maxStack is the greatest number of addresses of a record.
const maxStack = 1 << 16

// readGperf reads a profile of gperftools.
func readGperf(r *bufio.Reader) (*Profile, error) {
	counts, err := gperfRecords(r)
	if err != nil {
		return nil, fmt.Errorf("is a profile of gperftools that cannot be read: %w", cut(err))
	}
	maps := gperfMaps(r)
	p := &Profile{Places: map[Place]float64{}, IDs: map[string]string{}}
	for pc, n := range counts {
		at := Place{}
		if i := sort.Search(len(maps), func(i int) bool { return maps[i].start > pc }) - 1; i >= 0 && pc < maps[i].limit {
			at = Place{Object: maps[i].path, Offset: pc - maps[i].start + maps[i].offset}
		}
		p.add(at, n)
	}
	return p.checked()
}

// gperfRecords counts the samples by address.
func gperfRecords(r io.Reader) (map[uint64]float64, error) {
	var word [8]byte
	next := func() (uint64, error) {
		_, err := io.ReadFull(r, word[:])
		return binary.LittleEndian.Uint64(word[:]), err
	}
	skip := func(n uint64) error {
		_, err := io.CopyN(io.Discard, r, int64(8*n))
		return err
	}
	if _, err := next(); err != nil {
		return nil, err
	}
	words, err := next()
	if err == nil {
		err = skip(words)
	}
	if err != nil {
		return nil, err
	}
	counts := map[uint64]float64{}
	for {
		n, err := next()
		if err != nil {
			return nil, err
		}
		size, err := next()
		if err != nil {
			return nil, err
		}
		if size == 0 || size > maxStack {
			return nil, errMessage
		}
		pc, err := next()
		if err == nil {
			err = skip(size - 1)
		}
		switch {
		case err != nil:
			return nil, err
		case n == 0 && size == 1 && pc == 0:
			return counts, nil
		}
		if counts[pc] += float64(n); len(counts) > maxEntries {
			return nil, errMany
		}
	}
}

type gperfMap struct {
	start, limit, offset uint64
	path                 string
}

// gperfMaps reads the maps of files, in the order of their addresses. Damaged lines are passed over.
func gperfMaps(r *bufio.Reader) (out []gperfMap) {
	sc := bufio.NewScanner(r)
	for sc.Scan() && len(out) < 1<<20 {
		f := strings.Fields(sc.Text())
		if len(f) < 6 || !strings.HasPrefix(f[5], "/") {
			continue
		}
		lo, hi, _ := strings.Cut(f[0], "-")
		start, e1 := strconv.ParseUint(lo, 16, 64)
		limit, e2 := strconv.ParseUint(hi, 16, 64)
		offset, e3 := strconv.ParseUint(f[2], 16, 64)
		if errors.Join(e1, e2, e3) == nil && start < limit {
			out = append(out, gperfMap{start, limit, offset, strings.TrimSuffix(strings.Join(f[5:], " "), " (deleted)")})
		}
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].start < out[j].start })
	return out
}
