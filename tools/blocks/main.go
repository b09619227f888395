// Command blocks makes corpora of basic blocks for tools/accuracy from executables and object files, to compare predictions
// with measurements of new code on any CPU.
//
// Usage:
//
//	go run ./tools/blocks [-n 1500] [-seed 1] [-loops [-placed]] FILE|DIR… > blocks.hex
//	go run ./tools/blocks -share 1/3 CORPUS.tsv[.gz]… > blocks.hex
//	incore measure --format csv --regs distinct -o a.csv blocks.hex    # likewise b.csv
//	go run ./tools/blocks -agree a.csv,b.csv [-keys] > corpus.tsv
//	go run ./tools/blocks -family > kernels.c
//
// The first form prints machine code in hexadecimal, one block per line: n different random blocks of x86-64 code, at most perFile from
// one file. A block is the code before a first branch or call, with minInsts to maxInsts instructions. The command leaves out blocks with
// effects outside registers and memory, x87, repeated string instructions, segment bases, and addresses relative to the
// instruction pointer, which would change where the block is measured. -loops prints instead every loop of a single block, without
// its closing branch (n is ignored): compile tools/blocks/c/loops.c to get some. With -placed the loops include the branch and are printed as HEX@OFFSET in a line of 64 bytes, to be
// measured in place.
//
// The second form prints the blocks of corpora whose hash is 1 modulo 3, to draw a tuning corpus and a held-out corpus from the same blocks.
//
// The third form keeps the blocks for which two passes agree within 2 % and prints them with the mean of the lowest two agreeing figures, in the format of tools/accuracy.
// With -keys, it prints keys of the blocks in place of their code (eval.Key), for corpora whose code may not be stored here.
//
// The last form prints a family of kernels (matrix products by tiles, stencils, sums of arrays) as C, to be compiled and drawn from by -loops (family.sh).
package main

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"hash/fnv"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"incore/internal/eval"
	"incore/internal/isa"
	"incore/internal/isa/catalog"
	"incore/internal/object"
)

const (
	minInsts, maxInsts = 3, 30
	perFile            = 4        // blocks of one file, so that no program dominates
	maxFile            = 64 << 20 // bytes of a file that is looked at
	tries              = 64       // functions that are looked at for a file's blocks
	agreement          = 0.02
	lineBytes          = 64
)

func main() {
	n := flag.Int("n", 1500, "number of random blocks")
	seed := flag.Uint64("seed", 1, "seed of the choice")
	loops := flag.Bool("loops", false, "take all loops of a single block instead")
	placed := flag.Bool("placed", false, "with -loops: with the closing branch and the offset in a line of 64 bytes")
	agree := flag.String("agree", "", "files of measurements, FILE,FILE…: print what agrees as a corpus")
	keys := flag.Bool("keys", false, "with -agree: print the blocks' keys and cycles, without code")
	share := flag.String("share", "", "K/N: print the blocks of corpora (first column) whose hash is K modulo N")
	generate := flag.Bool("family", false, "print a family of kernels as C")
	flag.Parse()
	var err error
	if *generate && flag.NArg() == 0 {
		err = family(os.Stdout)
	} else if *agree != "" && flag.NArg() == 0 {
		err = corpus(strings.Split(*agree, ","), *keys)
	} else if *share != "" && flag.NArg() > 0 {
		err = sample(*share, flag.Args())
	} else if *agree == "" && flag.NArg() > 0 && (*loops || !*placed) {
		c := collector{out: os.Stdout, isa: catalog.ISA("x86-64"), rand: rand.New(rand.NewPCG(*seed, 0)), loops: *loops, placed: *placed, n: *n, seen: map[string]bool{}}
		err = c.collect(flag.Args())
	} else {
		flag.Usage()
		os.Exit(2)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "blocks:", err)
		os.Exit(1)
	}
}

// collector takes blocks from files.
type collector struct {
	isa    *isa.ISA
	rand   *rand.Rand
	out    io.Writer
	loops  bool
	placed bool // loops with their closing branch and offset
	n      int
	seen   map[string]bool // blocks printed
}

func (c *collector) collect(paths []string) error {
	var files []string
	for _, p := range paths {
		err := filepath.WalkDir(p, func(name string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() {
				files = append(files, name)
			}
			return nil // skip unreadable files
		})
		if err != nil {
			return err
		}
	}
	c.rand.Shuffle(len(files), func(i, k int) { files[i], files[k] = files[k], files[i] })
	used := 0
	for _, name := range files {
		if !c.loops && len(c.seen) >= c.n {
			break
		}
		before := len(c.seen)
		if info, err := os.Stat(name); err == nil && info.Size() <= maxFile && c.file(name) && len(c.seen) > before {
			used++
		}
	}
	fmt.Fprintf(os.Stderr, "blocks: %d blocks of %d files\n", len(c.seen), used)
	return nil
}

// file collects blocks of one file; it returns false if the file is not an object file of the instruction set.
func (c *collector) file(name string) bool {
	f, err := object.Open(name, c.isa)
	if err != nil {
		return false
	}
	functions := f.Functions()
	if c.loops {
		for _, fn := range functions {
			for _, l := range f.Loops(fn) {
				if len(l.Blocks) == 1 {
					c.print(f, &l.Graph.Blocks[l.Header])
				}
			}
		}
		return true
	}
	for k, taken := 0, 0; k < tries && len(functions) > 0 && taken < perFile && len(c.seen) < c.n; k++ {
		g := functions[c.rand.IntN(len(functions))].Graph()
		if len(g.Blocks) > 0 && c.print(f, &g.Blocks[c.rand.IntN(len(g.Blocks))]) {
			taken++
		}
	}
	return true
}

// errEnd ends a disassembly.
var errEnd = errors.New("end of the block")

// print prints a block up to its first branch or call, and reports whether it did.
func (c *collector) print(f *object.File, b *object.Block) bool {
	var code []byte
	count := 0
	err := f.Disassemble(b.Addr, b.End, func(l *object.Line) error {
		switch flow := c.isa.Flow(&l.Inst).Kind; {
		case l.Err != nil:
			return l.Err
		case flow != isa.FlowNext && c.loops && (flow != isa.FlowCond || l.Addr+uint64(l.Inst.Size) != b.End):
			return errors.ErrUnsupported // a loop with a call
		case flow != isa.FlowNext:
			if c.placed {
				code = append(code, l.Bytes...)
			}
			return errEnd
		case !c.plain(&l.Inst):
			return errors.ErrUnsupported
		}
		code = append(code, l.Bytes...)
		count++
		return nil
	})
	text := hex.EncodeToString(code)
	if c.placed {
		text += fmt.Sprintf("@%02x", b.Addr%lineBytes)
	}
	if err != nil && err != errEnd || count == 0 || !c.loops && (count < minInsts || count > maxInsts) || c.seen[text] {
		return false
	}
	c.seen[text] = true
	fmt.Fprintln(c.out, text)
	return true
}

// plain reports whether an instruction can be measured at any address and is of a kind that the models describe.
func (c *collector) plain(in *isa.Inst) bool {
	if in.Form == isa.NoForm || c.isa.Forms.Flags(in.Form)&isa.SideEffects != 0 {
		return false
	}
	text := string(c.isa.Print(nil, in, "att"))
	for _, s := range []string{"(%rip", "%fs:", "%gs:", "rep"} {
		if strings.Contains(text, s) {
			return false
		}
	}
	return !strings.HasPrefix(text, "f") // all of x87, and nothing else
}

// sample prints the blocks of corpora whose hash is in a share "K/N", each block once.
func sample(share string, names []string) error {
	var k, n uint32
	if _, err := fmt.Sscanf(share, "%d/%d", &k, &n); err != nil || k >= n {
		return fmt.Errorf("-share %s: K/N with K below N is needed", share)
	}
	seen := map[string]bool{}
	w := bufio.NewWriter(os.Stdout)
	for _, name := range names {
		lines, err := readLines(name)
		if err != nil {
			return err
		}
		for _, line := range lines[min(1, len(lines)):] { // behind the heading
			block, _, _ := strings.Cut(line, "\t")
			h := fnv.New32a()
			_, _ = h.Write([]byte(block))
			if block != "" && h.Sum32()%n == k && !seen[block] {
				seen[block] = true
				fmt.Fprintln(w, block)
			}
		}
	}
	return w.Flush()
}

// readLines reads a text file, compressed if its name ends in .gz.
func readLines(name string) ([]string, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	text, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return strings.Split(string(text), "\n"), nil
}

// corpus prints the blocks of which two passes agree.
func corpus(names []string, keys bool) error {
	if len(names) < 2 {
		return fmt.Errorf("-agree %s: two files are needed, FILE,FILE", names[0])
	}
	var passes []map[string]float64
	var order []string
	for i, name := range names {
		pass, blocks, err := cycles(name)
		if err != nil {
			return err
		}
		if passes = append(passes, pass); i == 0 {
			order = blocks
		}
	}
	w := bufio.NewWriter(os.Stdout)
	if !keys {
		fmt.Fprintln(w, "hex\tcycles\tatt")
	}
	kept := 0
	for _, block := range order {
		if v, ok := agreed(passes, block); ok {
			kept++
			if keys {
				fmt.Fprintf(w, "%s\t%.3f\n", eval.Key(block), v)
				continue
			}
			fmt.Fprintf(w, "%s\t%.3f\t%s\n", block, v, disassembly(block))
		}
	}
	fmt.Fprintf(os.Stderr, "blocks: %d of %d kept\n", kept, len(order))
	return w.Flush()
}

// agreed returns the mean of the two lowest agreeing figures of a block, since disturbances mostly add time; it returns false if no two agree.
func agreed(passes []map[string]float64, block string) (float64, bool) {
	var v []float64
	for _, pass := range passes {
		if x := pass[block]; x > 0 {
			v = append(v, x)
		}
	}
	slices.Sort(v)
	for i := 1; i < len(v); i++ {
		if v[i]-v[i-1] <= agreement*v[i-1] {
			return (v[i-1] + v[i]) / 2, true
		}
	}
	return 0, false
}

// cycles reads the measurements of a pass; 0 is a block without a figure.
func cycles(name string) (of map[string]float64, order []string, err error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, nil, fmt.Errorf("%s: %w", name, err)
	}
	of = map[string]float64{}
	for i, r := range rows {
		if i == 0 || len(r) < 2 {
			continue
		}
		v, err := strconv.ParseFloat(r[1], 64)
		if err != nil && r[1] != "" {
			return nil, nil, fmt.Errorf("%s:%d: bad number of cycles '%s'; a file of 'incore measure --format csv' is needed", name, i+1, r[1])
		}
		if _, twice := of[r[0]]; !twice {
			order = append(order, r[0])
		}
		of[r[0]] = v
	}
	return of, order, nil
}

// disassembly is the text of a block.
func disassembly(block string) string {
	a := catalog.ISA("x86-64")
	digits, _, _ := strings.Cut(block, "@")
	code, err := hex.DecodeString(digits)
	if err != nil {
		return ""
	}
	var text []string
	for at := 0; at < len(code); {
		var in isa.Inst
		n, err := a.Decode(code[at:], uint64(at), &in)
		if err != nil {
			return ""
		}
		text = append(text, string(a.Print(nil, &in, "att")))
		at += n
	}
	return strings.Join(text, ";")
}
