package corpus

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
)

// unzipped reads decompressed data, of several gzip files one after another too; its errors name the file.
type unzipped struct {
	z    *gzip.Reader
	from *bufio.Reader // what z reads
	name string
}

func (u *unzipped) Read(p []byte) (int, error) {
	u.z.Multistream(false)
	n, err := u.z.Read(p)
	switch {
	case err == io.EOF:
		err = u.next()
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = fmt.Errorf("%s: the compressed data is cut off", u.name)
	case err != nil:
		err = fmt.Errorf("%s: %w", u.name, err)
	}
	return n, err
}

// next begins the next gzip file behind one that has ended; io.EOF if there is none. Zeros, with which tapes and archives are filled up, are none.
func (u *unzipped) next() error {
	head, _ := u.from.Peek(2)
	switch {
	case len(head) == 0:
		return io.EOF
	case bytes.Equal(head, []byte("\x1f\x8b")):
		if err := u.z.Reset(u.from); err != nil {
			return fmt.Errorf("%s: %w", u.name, err)
		}
		return nil
	}
	for {
		switch b, err := u.from.ReadByte(); {
		case err != nil:
			return io.EOF
		case b != 0:
			return fmt.Errorf("%s: bytes follow the compressed data that are not compressed themselves; the rows before are complete", u.name)
		}
	}
}
