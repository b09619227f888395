package main

import (
	"archive/tar"
	"archive/zip"
	"compress/gzip"
	"io/fs"
	"os"
	"path/filepath"
)

// file is a file of an archive; its name has slashes.
type file struct {
	name string
	data []byte
	mode fs.FileMode
}

// tar writes an archive for Unix.
func (d *dist) tar(base string, files []file) error {
	f, err := os.Create(filepath.Join(d.out, base+".tar.gz"))
	if err != nil {
		return err
	}
	defer f.Close()
	z, err := gzip.NewWriterLevel(f, gzip.BestCompression)
	if err != nil {
		return err
	}
	w := tar.NewWriter(z)
	for _, x := range files {
		h := &tar.Header{Name: base + "/" + x.name, Mode: int64(x.mode), Size: int64(len(x.data)), ModTime: d.when, Format: tar.FormatUSTAR}
		if err := w.WriteHeader(h); err != nil {
			return err
		}
		if _, err := w.Write(x.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	return f.Close()
}

// zip writes an archive for Windows.
func (d *dist) zip(base string, files []file) error {
	f, err := os.Create(filepath.Join(d.out, base+".zip"))
	if err != nil {
		return err
	}
	defer f.Close()
	w := zip.NewWriter(f)
	for _, x := range files {
		h := &zip.FileHeader{Name: base + "/" + x.name, Method: zip.Deflate, Modified: d.when}
		h.SetMode(x.mode)
		part, err := w.CreateHeader(h)
		if err != nil {
			return err
		}
		if _, err := part.Write(x.data); err != nil {
			return err
		}
	}
	if err := w.Close(); err != nil {
		return err
	}
	return f.Close()
}
