package roofs

import (
	"encoding/binary"
	"fmt"
	"math"
	"math/rand/v2"

	"incore/internal/program/cachesim"
)

// line is the distance of the pointers of a chain, in bytes.
const line = 64

// Tested sizes: quarter octaves from 4 KiB on.
const (
	leastSize = 4 << 10
	mostSize  = 256 << 20
	octave    = 4
)

// chained returns memory with a pointer in each line; the pointers lead through all lines in random order.
func chained(size int64, seed uint64) []byte {
	n := int(size / line)
	order := rand.New(rand.NewPCG(seed, 1)).Perm(n)
	b := make([]byte, size)
	for i, at := range order {
		next := order[(i+1)%n]
		binary.LittleEndian.PutUint64(b[at*line:], arrayBase+uint64(next)*line)
	}
	return b
}

// latency measures the latency of dependent loads at random addresses within a number of bytes, in cycles.
func (r *runner) latency(size int64) (float64, error) {
	loads := max(int64(60000), size/line)
	loads = min(loads, 400000)
	all, err := r.run(test{bytes: size, input: true, huge: true, samples: 6, passes: 1,
		prepare: func(p *program) { p.line("movl $%d, %%ebp", int64(arrayBase)) }, body: chase(loads)}, chained(size, 1))
	if err != nil {
		return 0, err
	}
	seconds, hertz := math.Inf(1), 0.0 // disturbances make times longer and the clock appear slower
	for _, s := range all[0] {
		seconds, hertz = math.Min(seconds, s.seconds), math.Max(hertz, s.hertz)
	}
	return seconds * hertz / float64(loads), nil
}

// step is a size with its latency.
type step struct {
	size   int64
	cycles float64
}

// scan measures the latencies of growing sizes, up to main memory or the largest size.
func (r *runner) scan(known int64, progress func(done, of int)) (out []step, err error) {
	most := int64(mostSize)
	if known > 0 {
		most = min(max(4*known, 64<<20), mostSize)
	}
	steps := int(math.Ceil(octave * math.Log2(float64(most)/leastSize)))
	for i := 0; i <= steps; i++ {
		size := int64(leastSize*math.Pow(2, float64(i)/octave)) / 4096 * 4096
		c, err := r.latency(size)
		if err != nil {
			return out, err
		}
		out = append(out, step{size, c})
		progress(i, steps)
	}
	for i := len(out) - 2; i >= 0; i-- { // noise only adds
		out[i].cycles = math.Min(out[i].cycles, out[i+1].cycles)
	}
	return out, nil
}

// Found is a cache found by latencies.
type Found struct {
	Size   float64 // bytes
	Cycles float64 // latency of a load from it
}

// reconcile compares the caches found by latencies with those that the system reports. On a shared machine, page placement and other users increase
// latencies where no cache ends; such increases are ignored. If there is no increase at the end of a cache that the system reports, the reported size
// is used. doubts lists the differences from the system's report.
func reconcile(found []Found, system []cachesim.Level, scan []step) (out []Found, doubts string) {
	if len(system) == 0 {
		return found, ""
	}
	used := make([]bool, len(found))
	last := 0.0
	for _, l := range system {
		size, best := float64(l.Size), -1
		for i, f := range found {
			if !used[i] && near(f.Size, size) && (best < 0 || math.Abs(math.Log(f.Size/size)) < math.Abs(math.Log(found[best].Size/size))) {
				best = i
			}
		}
		c := Found{size, plateau(scan, last, size)}
		if best >= 0 {
			used[best] = true
			c.Cycles = found[best].Cycles
		} else {
			doubts += fmt.Sprintf("; no rise of latency shows the end of %s: its size is the system's word", l.Name)
		}
		out = append(out, c)
		last = size
	}
	for i, f := range found {
		if !used[i] {
			doubts += fmt.Sprintf("; latency rises at %.0f KiB, where the system has no cache's end", f.Size/1024)
		}
	}
	return out, doubts
}

// plateau returns the latency at the geometric mean of the sizes of two caches.
func plateau(scan []step, before, size float64) float64 {
	middle := math.Sqrt(math.Max(before, leastSize) * size)
	best := scan[0]
	for _, s := range scan {
		if math.Abs(math.Log(float64(s.size)/middle)) < math.Abs(math.Log(float64(best.size)/middle)) {
			best = s
		}
	}
	return best.cycles
}

// Thresholds of the growth of latencies between levels: within a level, neighbouring sizes differ by less than flat; at the end of a level, latencies
// grow by at least rise in total.
const (
	flat = 1.06
	rise = 1.5
)

// caches finds levels in latencies. Where latencies grow, one level ends and the next begins: the size of the level is the largest size whose latency
// is nearer to its own level than to the next one, as ratios. The last growth leads to main memory.
func caches(scan []step) (out []Found) {
	c := make([]float64, len(scan))
	least := math.Inf(1)
	for i := len(scan) - 1; i >= 0; i-- {
		least = math.Min(least, scan[i].cycles)
		c[i] = least
	}
	for i, begin := 0, 0; i+1 < len(c); {
		if c[i+1] <= flat*c[i] {
			i++
			continue
		}
		j := i + 1
		for j+1 < len(c) && c[j+1] > flat*c[j] {
			j++
		}
		own := c[(begin+i)/2]
		if c[j] >= rise*own {
			end := i
			for end+1 < j && c[end+1] <= math.Sqrt(own*c[j]) {
				end++
			}
			out = append(out, Found{float64(scan[end].size), own})
			begin = j
		}
		i = j
	}
	return out
}
