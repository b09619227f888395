package main

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"incore/internal/isa"
)

// cell is a figure of the table: the cycles that an instruction takes among others of its kind.
type cell struct {
	text   string // the instruction
	vtype  isa.VType
	cycles float64
}

var (
	rowRE    = regexp.MustCompile(`<tr><td>([^<]*)</td>(.*?)</tr>`)
	figureRE = regexp.MustCompile(`<td>([^<]*)</td>`)
	typeRE   = regexp.MustCompile(`<th>e(\d+)m(f?)(\d)</th>`)
)

// readTable reads the table of the longest vectors with agnostic tail and mask.
func readTable(page string) ([]cell, error) {
	_, table, ok := strings.Cut(page, `<table id="tblMaa"`)
	table, _, end := strings.Cut(table, "</table>")
	if !ok || !end {
		return nil, fmt.Errorf("has no table tblMaa")
	}
	var types []isa.VType
	for _, m := range typeRE.FindAllStringSubmatch(table, -1) {
		sew, _ := strconv.Atoi(m[1])
		n, _ := strconv.Atoi(m[3])
		lmul := map[int]uint8{1: 0, 2: 1, 4: 2, 8: 3}[n]
		if m[2] != "" {
			lmul = map[int]uint8{8: 5, 4: 6, 2: 7}[n]
		}
		types = append(types, isa.VType{SEW: uint8(sew), LMUL: lmul})
	}
	var out []cell
	for _, row := range rowRE.FindAllStringSubmatch(table, -1) {
		for i, f := range figureRE.FindAllStringSubmatch(row[2], -1) {
			if v, err := strconv.ParseFloat(f[1], 64); err == nil && v > 0 && i < len(types) {
				out = append(out, cell{strings.TrimSpace(row[1]), types[i], v})
			}
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("the table is empty")
	}
	return out, nil
}
