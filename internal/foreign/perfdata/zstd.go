package perfdata

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// unzstd returns a reader of zstd's format (RFC 8878). Go's library has a decoder, but only for sections of ELF files: data is given to it as the compressed section of a file
// that has nothing else. perf never ends its frame, so that the reader ends with io.ErrUnexpectedEOF.
func unzstd(data []byte) (io.Reader, error) {
	const headers, chdr = 64 + 3*64, 24
	section := func(kind, flags uint64, offset, size uint64) []byte {
		b := make([]byte, 64)
		binary.LittleEndian.PutUint32(b[4:], uint32(kind))
		binary.LittleEndian.PutUint64(b[8:], flags)
		binary.LittleEndian.PutUint64(b[24:], offset)
		binary.LittleEndian.PutUint64(b[32:], size)
		return b
	}
	head := make([]byte, 64)
	copy(head, elf.ELFMAG)
	head[elf.EI_CLASS], head[elf.EI_DATA], head[elf.EI_VERSION] = byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), byte(elf.EV_CURRENT)
	binary.LittleEndian.PutUint16(head[16:], uint16(elf.ET_REL))
	binary.LittleEndian.PutUint32(head[20:], uint32(elf.EV_CURRENT))
	binary.LittleEndian.PutUint64(head[40:], 64) // the table of sections
	binary.LittleEndian.PutUint16(head[52:], 64)
	binary.LittleEndian.PutUint16(head[58:], 64)
	binary.LittleEndian.PutUint16(head[60:], 3) // sections
	binary.LittleEndian.PutUint16(head[62:], 1) // the one with their names
	compressed := make([]byte, chdr)
	binary.LittleEndian.PutUint32(compressed, uint32(elf.COMPRESS_ZSTD))
	binary.LittleEndian.PutUint64(compressed[8:], math.MaxInt64)
	binary.LittleEndian.PutUint64(compressed[16:], 1)
	at := uint64(headers + 1)
	parts := [][]byte{head, make([]byte, 64), section(uint64(elf.SHT_STRTAB), 0, headers, 1),
		section(uint64(elf.SHT_PROGBITS), uint64(elf.SHF_COMPRESSED), at, chdr+uint64(len(data))), {0}, compressed}
	front := bytes.Join(parts, nil)
	f, err := elf.NewFile(joined{front, data})
	if err != nil {
		return nil, err
	}
	return f.Sections[2].Open(), nil
}

// joined reads two pieces as one.
type joined struct{ front, rest []byte }

func (j joined) ReadAt(p []byte, off int64) (n int, err error) {
	if off < 0 {
		return 0, errors.New("negative offset")
	}
	if off < int64(len(j.front)) {
		n = copy(p, j.front[off:])
	}
	if off = off + int64(n) - int64(len(j.front)); n < len(p) && off < int64(len(j.rest)) {
		n += copy(p[n:], j.rest[off:])
	}
	if n < len(p) {
		return n, io.EOF
	}
	return n, nil
}
