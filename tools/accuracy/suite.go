package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"incore/internal/eval/suite"
)

// suites prints the errors on whole benchmarks, one line per predictor.
func suites(file, arch string) error {
	m, err := model(arch)
	if err != nil {
		return err
	}
	name, _, _ := strings.Cut(filepath.Base(file), ".")
	rows, err := suite.Rows(context.Background(), m, file, name)
	for _, r := range rows {
		fmt.Println(r)
	}
	return err
}
