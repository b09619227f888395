package main

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
)

// vendorHash returns what flake.nix needs as vendorHash: the hash of the modules that 'go mod vendor' copies.
func vendorHash() (string, error) {
	dir, err := os.MkdirTemp("", "incore-vendor-")
	if err != nil {
		return "", err
	}
	defer os.RemoveAll(dir)
	vendor := filepath.Join(dir, "vendor")
	if out, err := exec.Command("go", "mod", "vendor", "-o", vendor).CombinedOutput(); err != nil {
		return "", fmt.Errorf("go mod vendor: %w\n%s", err, out)
	}
	return narHash(vendor)
}

// narHash returns the SHA-256 of a folder as an archive of Nix's (E. Dolstra, The Purely Functional Software Deployment Model, 2006, figure 5.2), in the form of a
// subresource integrity. The folder has plain files that are not executable, and folders.
func narHash(dir string) (string, error) {
	h := sha256.New()
	narText(h, "nix-archive-1")
	if err := nar(h, dir); err != nil {
		return "", err
	}
	return "sha256-" + base64.StdEncoding.EncodeToString(h.Sum(nil)), nil
}

func nar(w io.Writer, path string) error {
	info, err := os.Lstat(path)
	if err != nil {
		return err
	}
	narText(w, "(")
	narText(w, "type")
	if info.Mode().IsRegular() {
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		narText(w, "regular")
		narText(w, "contents")
		narText(w, string(data))
	} else {
		files, err := os.ReadDir(path) // in the order of their names
		if err != nil {
			return err
		}
		narText(w, "directory")
		for _, f := range files {
			narText(w, "entry")
			narText(w, "(")
			narText(w, "name")
			narText(w, f.Name())
			narText(w, "node")
			if err := nar(w, filepath.Join(path, f.Name())); err != nil {
				return err
			}
			narText(w, ")")
		}
	}
	narText(w, ")")
	return nil
}

// narText writes a string: its length, its bytes, and zeros up to a multiple of eight.
func narText(w io.Writer, s string) {
	b := binary.LittleEndian.AppendUint64(nil, uint64(len(s)))
	b = append(b, s...)
	for len(b)%8 != 0 {
		b = append(b, 0)
	}
	_, _ = w.Write(b) // a hash never fails
}
