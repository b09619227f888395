// Package output writes files so that no input is overwritten and no file is left half-written. A file is made beside its final
// place under a temporary name, synchronised, and renamed: until then what was there before is untouched, whatever ends the program.
package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"

	"incore/internal/base/regex"
)

// ErrInput says that a file to write is one that is read.
var ErrInput = errors.New("is an input of this command and would be lost; write to another file")

// File is a file being written. Exactly one of Commit, Keep and Abort ends it; Abort after one of the others does nothing.
type File struct {
	*bufio.Writer
	file  *os.File
	name  string // where it will stand, symbolic links followed; "" where it is written in place
	given string // the same as the user named it, for errors
}

// named has an error of the file system name the file as the user did, and not the temporary one.
func named(err error, name string) error {
	var path *fs.PathError
	var link *os.LinkError
	switch {
	case errors.As(err, &path):
		return &fs.PathError{Op: path.Op, Path: name, Err: path.Err}
	case errors.As(err, &link):
		return &fs.PathError{Op: link.Op, Path: name, Err: link.Err}
	}
	return err
}

// writer writes to a file whose errors are named.
type writer struct {
	*os.File
	given string
}

func (w writer) Write(b []byte) (int, error) {
	n, err := w.File.Write(b)
	return n, named(err, w.given)
}

// Create begins to write a file. Devices and pipes, which have no content to keep, are written in place. Inputs are files that are
// read; that name is one of them, under whichever name, is an error that wraps ErrInput.
func Create(name string, inputs ...os.FileInfo) (*File, error) {
	target, old, err := resolve(name)
	if err != nil {
		return nil, err
	}
	if err := notAmong(name, old, inputs); err != nil {
		return nil, err
	}
	switch {
	case old != nil && old.IsDir():
		return nil, fmt.Errorf("%s is a directory", name)
	case old != nil && (!old.Mode().IsRegular() || stream(name)):
		file, err := os.OpenFile(name, os.O_WRONLY|os.O_APPEND, 0)
		if err != nil {
			return nil, err
		}
		return &File{Writer: bufio.NewWriterSize(file, bufferSize), file: file, given: name}, nil
	case old != nil && old.Mode().Perm()&0o222 == 0:
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	file, err := os.CreateTemp(filepath.Dir(target), "."+filepath.Base(target)+".*.tmp")
	if err != nil {
		var path *fs.PathError
		if errors.As(err, &path) {
			err = path.Err // without the temporary name
		}
		return nil, fmt.Errorf("a temporary file is needed beside %s: %w", name, err)
	}
	mode := newFileMode()
	if old != nil {
		mode = old.Mode().Perm()
	}
	if err := file.Chmod(mode); err != nil && old != nil {
		discard(file)
		return nil, err
	}
	unfinished.Store(file.Name(), nil)
	return &File{Writer: bufio.NewWriterSize(writer{file, name}, bufferSize), file: file, name: target, given: name}, nil
}

const bufferSize = 1 << 16

// unfinished are the temporary files that there are.
var unfinished sync.Map

// RemoveTemporary removes the temporary files of all Files that are being written: for a program that ends at once.
func RemoveTemporary() {
	unfinished.Range(func(name, _ any) bool {
		os.Remove(name.(string))
		return true
	})
}

// Commit puts the file where it belongs.
func (f *File) Commit() error { return f.end(f.name) }

// Partial is the suffix of incomplete files.
const Partial = ".partial"

// Keep puts what was written so far beside where it belongs, its name followed by Partial, and returns that name; "" if it was
// written in place.
func (f *File) Keep() (string, error) {
	if f.name == "" {
		return "", f.end("")
	}
	return f.name + Partial, f.end(f.name + Partial)
}

func (f *File) end(name string) error {
	if f.file == nil {
		return nil
	}
	file := f.file
	f.file = nil
	err := f.Flush()
	if f.name == "" {
		return errors.Join(err, file.Close())
	}
	defer unfinished.Delete(file.Name())
	if err == nil {
		err = file.Sync()
	}
	if err != nil {
		discard(file)
		return named(err, f.given)
	}
	if err = file.Close(); err == nil {
		err = os.Rename(file.Name(), name)
	}
	if err != nil {
		os.Remove(file.Name())
	}
	return named(err, f.given)
}

// Abort leaves everything as it was before Create.
func (f *File) Abort() {
	if f.file == nil {
		return
	}
	if f.name == "" {
		f.file.Close()
	} else {
		discard(f.file)
	}
	f.file = nil
}

func discard(file *os.File) {
	unfinished.Delete(file.Name())
	file.Close()
	os.Remove(file.Name())
}

// Write writes what do makes, completely or not at all.
func Write(name string, do func(io.Writer) error, inputs ...os.FileInfo) error {
	f, err := Create(name, inputs...)
	if err != nil {
		return err
	}
	defer f.Abort()
	if err := do(f); err != nil {
		return err
	}
	return f.Commit()
}

// Check reports whether name may be written: it is none of the inputs.
func Check(name string, inputs ...os.FileInfo) error {
	_, old, err := resolve(name)
	if err != nil {
		return err
	}
	return notAmong(name, old, inputs)
}

// openFile matches the names of files that this process has open, as its standard output and shells' >(…). They are written to as they are: the links that these names
// are lead to no file (pipes), or to one that the shell has opened for more than this output.
var openFile = regex.Lazy(`^/(dev/(stdout|stderr|fd/\d+)|proc/(self|\d+)/fd/\d+)$`)

// stream reports whether a name is that of a file that this process has open.
func stream(name string) bool { return openFile().MatchString(filepath.Clean(name)) }

// resolve follows symbolic links to where a file stands or will stand. Old is nil where there is none yet. Links to what has no content to keep are not followed.
func resolve(name string) (target string, old os.FileInfo, err error) {
	target = name
	if old, err = os.Stat(name); err == nil && (stream(name) || !old.Mode().IsRegular() && !old.IsDir()) {
		return name, old, nil
	}
	for range 40 {
		link, err := os.Readlink(target)
		if err != nil {
			break
		}
		if !filepath.IsAbs(link) {
			link = filepath.Join(filepath.Dir(target), link)
		}
		target = link
	}
	old, err = os.Stat(target)
	if errors.Is(err, fs.ErrNotExist) {
		return target, nil, nil
	}
	return target, old, err
}

func notAmong(name string, old os.FileInfo, inputs []os.FileInfo) error {
	if old == nil || !old.Mode().IsRegular() {
		return nil
	}
	for _, in := range inputs {
		if os.SameFile(old, in) {
			return fmt.Errorf("%s %w", name, ErrInput)
		}
	}
	return nil
}
