package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"incore/internal/report"
)

// content is a file of a package, as nfpm's configuration has it.
type content struct {
	Src  string         `json:"src"`
	Dst  string         `json:"dst"`
	Info map[string]any `json:"file_info"`
	Type string         `json:"type,omitempty"`
}

// pack makes a package of a format for an architecture of Linux.
func (d *dist) pack(format, arch, program string, docs []file) error {
	dir := filepath.Join(d.work, format+"-"+arch)
	var list []content
	add := func(dst string, data []byte, mode int) error {
		src := filepath.Join(dir, strings.ReplaceAll(strings.Trim(dst, "/"), "/", "_"))
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
		list = append(list, content{Src: src, Dst: dst, Info: map[string]any{"mode": mode, "mtime": d.when.Format(time.RFC3339)}})
		return os.WriteFile(src, data, 0o666)
	}
	data, err := os.ReadFile(program)
	if err != nil {
		return err
	}
	if err := add("/usr/bin/incore", data, 0o755); err != nil {
		return err
	}
	for _, f := range docs {
		dst, data := "/usr/share/doc/incore/"+f.name, f.data
		switch {
		case strings.HasPrefix(f.name, "man/"):
			dst, data = "/usr/share/man/man1/"+strings.TrimPrefix(f.name, "man/")+".gz", zipped(f.data)
		case f.name == "completions/incore.bash":
			dst = "/usr/share/bash-completion/completions/incore"
		case f.name == "completions/_incore":
			dst = map[string]string{"deb": "/usr/share/zsh/vendor-completions/_incore", "rpm": "/usr/share/zsh/site-functions/_incore"}[format]
		case f.name == "completions/incore.fish":
			dst = "/usr/share/fish/vendor_completions.d/incore.fish"
		case f.name == "CHANGELOG.md":
			dst, data = dst+".gz", zipped(f.data)
		case f.name == "LICENSE" && format == "deb":
			continue // debian/copyright names it, and base-files has its text
		case f.name == "THIRD-PARTY-LICENSES":
			dst, data = dst+".gz", zipped(f.data)
		}
		if err := add(dst, data, 0o644); err != nil {
			return err
		}
	}
	if format == "deb" {
		if err := d.debian(add, docs); err != nil {
			return err
		}
	}
	return d.nfpm(format, arch, list)
}

// debian adds what Debian's policy asks for.
func (d *dist) debian(add func(dst string, data []byte, mode int) error, docs []file) error {
	const maintainer = "the incore authors <incore@example.org>"
	var notice []byte
	for _, f := range docs {
		if f.name == "NOTICE" {
			notice = f.data
		}
	}
	copyright := "Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/\nUpstream-Name: incore\n\nFiles: *\nCopyright: 2026 the incore authors\nLicense: Apache-2.0\nComment:\n" + indented(string(notice)) +
		" .\n Licences of the Go modules in the program are in THIRD-PARTY-LICENSES.gz.\n\nLicense: Apache-2.0\n On Debian systems the text of the Apache License, Version 2.0, is in\n /usr/share/common-licenses/Apache-2.0.\n"
	changes := fmt.Sprintf("incore (%s) stable; urgency=medium\n\n  * Release %s; CHANGELOG.md.gz lists the changes.\n\n -- %s  %s\n", report.Version, report.Version, maintainer, d.when.Format(time.RFC1123Z))
	for dst, data := range map[string][]byte{"copyright": []byte(copyright), "changelog.gz": zipped([]byte(changes))} {
		if err := add("/usr/share/doc/incore/"+dst, data, 0o644); err != nil {
			return err
		}
	}
	const overrides = "# Programs of Go are static, and so run on any distribution.\nincore: statically-linked-binary [usr/bin/incore]\n"
	return add("/usr/share/lintian/overrides/incore", []byte(overrides), 0o644)
}

// indented writes text as a field of a control file: lines begin with a blank, empty ones are dots.
func indented(s string) string {
	var b strings.Builder
	for l := range strings.Lines(strings.TrimSpace(s) + "\n") {
		if l = strings.TrimRight(l, " \n"); l == "" {
			l = "."
		}
		b.WriteString(" " + l + "\n")
	}
	return b.String()
}

// zipped compresses a file as Debian's policy asks: best, without name and time.
func zipped(data []byte) []byte {
	var b bytes.Buffer
	z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
	_, _ = z.Write(data)
	_ = z.Close()
	return b.Bytes()
}

// nfpm makes the package.
func (d *dist) nfpm(format, arch string, list []content) error {
	for i := range list { // in the order of their places, whatever the order of maps
		for k := i; k > 0 && list[k].Dst < list[k-1].Dst; k-- {
			list[k], list[k-1] = list[k-1], list[k]
		}
	}
	section := map[string]string{"deb": "devel", "rpm": "Development/Tools"}[format]
	config := map[string]any{"name": "incore", "arch": arch, "platform": "linux", "version": report.Version, "version_schema": "none", "section": section, "priority": "optional",
		"maintainer": "the incore authors <incore@example.org>", "vendor": "incore", "homepage": "https://example.org/incore", "license": "Apache-2.0", "mtime": d.when.Format(time.RFC3339),
		"description": "performance analysis of loops on CPU cores\nincore predicts how many cycles a loop takes on a CPU core, names the limit,\nand says what would make it faster. It reads assembly text, object files and\nexecutables for x86-64, AArch64 and RISC-V.",
		"rpm":         map[string]any{"group": section, "buildhost": "localhost"}, "contents": list}
	text, err := json.MarshalIndent(config, "", " ")
	if err != nil {
		return err
	}
	name := filepath.Join(d.work, format+"-"+arch+".json")
	if err := os.WriteFile(name, text, 0o666); err != nil {
		return err
	}
	target := filepath.Join(d.out, fmt.Sprintf("incore-%s-linux-%s.%s", report.Version, arch, format))
	cmd := exec.Command("go", "run", nfpm, "package", "--config", name, "--packager", format, "--target", target)
	cmd.Env = append(os.Environ(), "SOURCE_DATE_EPOCH="+fmt.Sprint(d.when.Unix()), "GOOS=", "GOARCH=")
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("nfpm: %w\n%s", err, out)
	}
	return nil
}
