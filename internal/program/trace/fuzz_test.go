package trace

import (
	"bytes"
	"encoding/binary"
	"errors"
	"io"
	"testing"

	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

// record makes a record of the plugin: a block's definition (its instructions' code) and what is executed then.
func record(code [][]byte, then ...event) []byte {
	var b bytes.Buffer
	put := func(e event) {
		b.Write(binary.LittleEndian.AppendUint64(nil, e.addr))
		b.Write(binary.LittleEndian.AppendUint32(nil, e.id))
		b.Write(binary.LittleEndian.AppendUint16(nil, e.n))
		b.Write([]byte{e.kind, e.size})
	}
	put(event{n: uint16(len(code)), kind: kindDefinition})
	addr := uint64(0x1000)
	for _, c := range code {
		put(event{addr: addr, kind: kindInstruction, size: byte(len(c))})
		b.Write(append(bytes.Clone(c), make([]byte, eventBytes-len(c))...))
		addr += uint64(len(c))
	}
	for _, e := range then {
		put(e)
	}
	put(event{kind: kindEnd})
	return b.Bytes()
}

// FuzzEvents reads records of the emulator's plugin, as a program that ends in the middle leaves them: each is read to its end or refused, and what the recorder then
// holds agrees with itself.
func FuzzEvents(f *testing.F) {
	load, add, jump := []byte{0x48, 0x8b, 0x07}, []byte{0x48, 0x01, 0xc0}, []byte{0x75, 0xf8}
	visit := func(n int) (out []event) {
		for i := range n {
			out = append(out, event{kind: kindBlock}, event{addr: 64 + 8*uint64(i), kind: kindLoad, size: 8}, event{addr: 64, id: 1, kind: kindStore, size: 4})
		}
		return out
	}
	f.Add(record([][]byte{load, add, jump}, visit(3)...), uint8(0))
	f.Add(record([][]byte{load, jump}, append(visit(2), event{kind: kindFork}, event{kind: kindThread}, event{addr: 0x400000, kind: kindBias}, event{id: 7, kind: kindBlock})...), uint8(0))
	f.Add(record([][]byte{{0x00, 0x84, 0x60, 0xf8}, {0x00, 0xc0, 0x20, 0x8b}}, visit(40)...), uint8(1))
	f.Add(record([][]byte{{0x57, 0xf0, 0x05, 0x0d}, {0x07, 0xe4, 0x05, 0x02}}, visit(9)...), uint8(2))
	f.Add([]byte{1, 2, 3}, uint8(1))
	isas := []string{"x86-64", "aarch64", "riscv64"}
	f.Fuzz(func(t *testing.T, text []byte, which uint8) {
		a := catalog.ISA(isas[int(which)%len(isas)])
		o := &Options{Args: []string{"program"}}
		x := &emulated{t: &tracer{o: o, file: &object.File{ISA: a, Path: "program"}, rec: NewRecorder(), places: newPlaces(a)}, types: map[isa.VType]byte{}, noted: map[string]bool{}}
		insts := int64(0)
		x.t.rec.Sink = func(s *Segment) { insts += s.Insts }
		if err := x.consume(bytes.NewReader(text)); err != nil && !errors.Is(err, errDamaged) && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
			t.Fatalf("an error of another kind: %v", err)
		}
		x.t.rec.End()
		if n := x.t.rec.Insts(); n > int64(len(text)/eventBytes)*int64(len(text)/(2*eventBytes)+1) || insts > n {
			t.Fatalf("%d instructions, %d of them in segments, of %d bytes", n, insts, len(text))
		}
	})
}
