package main

import (
	"archive/zip"
	"bytes"
	"compress/flate"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
)

// wheel is a wheel (https://packaging.python.org/en/latest/specifications/binary-distribution-format/).
type wheel struct {
	platform string // GOOS/GOARCH
	version  string
	package_ *pythonPackage
	program  []byte
}

func (w *wheel) name() string {
	return "incore-" + w.version + "-py3-none-" + tagsOf[w.platform] + ".whl"
}

// files returns the contents, the record of hashes last.
func (w *wheel) files() []file {
	info := "incore-" + w.version + ".dist-info/"
	program := "incore-" + w.version + ".data/scripts/incore"
	if strings.HasPrefix(w.platform, "windows/") {
		program += ".exe"
	}
	list := append(slices.Clone(w.package_.files),
		file{name: program, data: w.program, exec: true},
		file{name: info + "METADATA", data: w.metadata()},
		file{name: info + "WHEEL", data: w.kind()},
		file{name: info + "licenses/LICENSE", data: w.package_.licence},
		file{name: info + "licenses/NOTICE", data: w.package_.notice})
	slices.SortFunc(list, func(a, b file) int { return strings.Compare(a.name, b.name) })
	var record bytes.Buffer
	for _, f := range list {
		h := sha256.Sum256(f.data)
		fmt.Fprintf(&record, "%s,sha256=%s,%d\n", f.name, base64.RawURLEncoding.EncodeToString(h[:]), len(f.data))
	}
	fmt.Fprintf(&record, "%sRECORD,,\n", info)
	return append(list, file{name: info + "RECORD", data: record.Bytes()})
}

func (w *wheel) metadata() []byte {
	return []byte(`Metadata-Version: 2.4
Name: incore
Version: ` + w.version + `
Summary: How many cycles a loop takes on a CPU core, why, and what would change it
License-Expression: Apache-2.0
License-File: LICENSE
License-File: NOTICE
Keywords: performance,assembly,throughput,latency,cpu
Classifier: Intended Audience :: Developers
Classifier: Intended Audience :: Science/Research
Classifier: Programming Language :: Python :: 3
Classifier: Topic :: Software Development :: Disassemblers
Classifier: Typing :: Typed
Requires-Python: >=3.9
Description-Content-Type: text/markdown

` + string(w.package_.readme))
}

// kind returns the file WHEEL, with a line for each tag.
func (w *wheel) kind() []byte {
	var b bytes.Buffer
	b.WriteString("Wheel-Version: 1.0\nGenerator: incore\nRoot-Is-Purelib: false\n")
	for _, t := range strings.Split(tagsOf[w.platform], ".") {
		fmt.Fprintf(&b, "Tag: py3-none-%s\n", t)
	}
	return b.Bytes()
}

// write writes the wheel. All files have the first time that a zip file can state, so that equal contents make equal wheels.
func (w *wheel) write(name string) error {
	var b bytes.Buffer
	z := zip.NewWriter(&b)
	z.RegisterCompressor(zip.Deflate, func(out io.Writer) (io.WriteCloser, error) { return flate.NewWriter(out, flate.BestCompression) })
	for _, f := range w.files() {
		h := &zip.FileHeader{Name: f.name, Method: zip.Deflate, Modified: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
		h.SetMode(0o644)
		if f.exec {
			h.SetMode(0o755)
		}
		out, err := z.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := out.Write(f.data); err != nil {
			return err
		}
	}
	if err := z.Close(); err != nil {
		return err
	}
	return os.WriteFile(name, b.Bytes(), 0o644)
}
