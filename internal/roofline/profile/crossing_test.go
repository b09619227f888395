package profile_test

import (
	"testing"

	"incore/internal/program/cachesim"
	"incore/internal/roofline/profile"
)

// TestCrossing: loads, stores and updates that reach two lines are counted, whether all addresses are recorded or a filter leaves some out: 3000 loads of
// which one in eight crosses, 1000 stores and 1000 updates that all do.
func TestCrossing(t *testing.T) {
	native(t)
	exe := compile(t, `
static char b[1 << 16] __attribute__((aligned(64)));
typedef struct { volatile long v; } __attribute__((packed)) place;
__attribute__((noinline)) static long loads(void) { long s = 0; for (int i = 0; i < 3000; i++) s += ((place *)(b + 36 + i % 8 * 12))->v; return s; }
__attribute__((noinline)) static void stores(void) { for (int i = 0; i < 1000; i++) ((place *)(b + 61 + 64 * (i % 900)))->v = i; }
__attribute__((noinline)) static void updates(void) { for (int i = 0; i < 1000; i++) asm volatile("addq $1, %0" : "+m"(*(place *)(b + 1023))); }
int main(void) { loads(); stores(); updates(); return 0; }`, "gcc")
	o := profile.Options{Args: []string{exe}, Caches: []cachesim.Level{{Name: "L1", Size: 32 << 10, Ways: 8, Line: 64}}}
	for _, o := range []profile.Options{o, o.Unfiltered()} {
		p := run(t, o)
		got := map[string][2]float64{}
		for _, l := range p.Loops {
			x := got[l.Function]
			got[l.Function] = [2]float64{x[0] + l.CrossingLoads, x[1] + l.CrossingStores}
		}
		for name, want := range map[string][2]float64{"loads": {375, 0}, "stores": {0, 1000}, "updates": {1000, 1000}} {
			if got[name] != want {
				t.Errorf("%s: %v loads and stores reach two lines, want %v", name, got[name], want)
			}
		}
	}
}
