package suite

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"incore/internal/isa/catalog"
	"incore/internal/object"
	"incore/internal/program/clone"
	"incore/internal/program/trace"
)

// mostRecord is the greatest length of a run's record in bytes: eight for each block and each access.
const mostRecord = 64 << 20

// run is the record of one execution of a benchmark's kernel.
type run struct {
	benchmark *Benchmark
	file      *object.File
	image     *clone.Image
	counts    []uint64                          // executions of the image's blocks
	trace     *clone.Trace                      // nil if blocks were only counted
	visits    *trace.Visits                     // for a program: the recorded execution
	modules   map[*object.Function]*object.File // for a program: the files of its functions
}

// dropError is the reason for dropping a benchmark.
type dropError struct{ reason, detail string }

func (e *dropError) Error() string { return e.reason + ": " + e.detail }

// record runs the instrumented copy of a benchmark's kernel in the benchmark's own process, and checks that the copy's result equals the benchmark's.
func record(ctx context.Context, dir string, b *Benchmark) (*run, error) {
	if b.Program != nil {
		return recordProgram(ctx, dir, b)
	}
	exe := binaryFile(dir, b.ID)
	f, err := object.Open(exe, catalog.ISAs()...)
	if err != nil {
		return nil, &dropError{"executable not readable", err.Error()}
	}
	entry := f.Function("kernel")
	if entry == nil {
		return nil, &dropError{"no function kernel", exe}
	}
	image, err := clone.Make(f, entry)
	var outside *clone.OutsideError
	if errors.As(err, &outside) {
		return nil, &dropError{"not countable", err.Error()}
	} else if err != nil {
		return nil, err
	}
	words, check, err := execute(ctx, exe, image)
	if err != nil {
		return nil, err
	}
	if !agrees(check, b.Check, doubleTolerance) {
		return nil, &dropError{"the copy has another result", fmt.Sprintf("%.12g, not %.12g", check, b.Check)}
	}
	t, err := image.Read(words)
	if err != nil {
		return nil, &dropError{"not countable", err.Error()}
	}
	return &run{benchmark: b, file: f, image: image, counts: t.Counts(), trace: t}, nil
}

// execute runs an image in its executable and returns the record and the result of check.
func execute(ctx context.Context, exe string, image *clone.Image) (words []byte, check float64, err error) {
	temp, err := os.MkdirTemp("", "incore-eval-")
	if err != nil {
		return nil, 0, err
	}
	defer os.RemoveAll(temp)
	code, out := filepath.Join(temp, "image"), filepath.Join(temp, "record")
	if err := os.WriteFile(code, image.Code, 0o700); err != nil {
		return nil, 0, err
	}
	f, err := os.Create(out)
	if err != nil {
		return nil, 0, err
	}
	defer f.Close()
	if err := f.Truncate(mostRecord); err != nil {
		return nil, 0, err
	}
	text, err := command(ctx, runLimit, "the copy", exe, "record", code, fmt.Sprintf("%x", image.Entry), out, fmt.Sprint(mostRecord))
	var tool *toolError
	if errors.As(err, &tool) {
		return nil, 0, &dropError{"not countable", err.Error() + " (a run of too many blocks has no room)"}
	} else if err != nil {
		return nil, 0, err
	}
	if _, err := fmt.Sscan(strings.TrimSpace(text), &check); err != nil {
		return nil, 0, &dropError{"not countable", "the copy prints " + strings.TrimSpace(text)}
	}
	var head [8]byte
	if _, err := f.ReadAt(head[:], 0); err != nil {
		return nil, 0, err
	}
	n := binary.LittleEndian.Uint64(head[:])
	if n > mostRecord-8 || n%8 != 0 {
		return nil, 0, &dropError{"not countable", fmt.Sprintf("the record claims %d bytes", n)}
	}
	words = make([]byte, n)
	_, err = f.ReadAt(words, 8)
	return words, check, err
}
