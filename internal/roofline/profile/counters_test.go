package profile

import (
	"context"
	"errors"
	"maps"
	"strings"
	"testing"

	"incore/internal/program/perf"
	"incore/internal/roofline"
)

// TestByCounters: bytes by level are the counters' lines times the model's bytes of a line, by hand; what is accessed in all stays the same.
func TestByCounters(t *testing.T) {
	s := &perf.Source{Meaning: "lines", Lines: []perf.Lines{{From: 2, Event: perf.Event{Name: "two"}}, {From: perf.Memory, Event: perf.Event{Name: "far"}}}}
	levels := []string{"L1", "L2", "memory"}
	make := func() *roofline.Profile {
		return &roofline.Profile{Bytes: map[string]float64{"L1": 10000, "L2": 1600, "memory": 640}, Lines: map[string]float64{"L2": 100, "memory": 10}, Traffic: map[string]float64{"L2": 8000, "memory": 1000},
			Loops: []roofline.LoopWork{{Bytes: map[string]float64{"L1": 50, "L2": 160, "memory": 64}, Lines: map[string]float64{"L2": 10}}}}
	}
	p := make()
	byCounters(p, s, []perf.Count{{Event: "two", Count: 70, Share: .5}, {Event: "far", Count: 20, Share: .5}}, levels)
	// 50 lines from L2 of 16 bytes each, 20 from memory of 64
	if want := map[string]float64{"L1": 10160, "L2": 800, "memory": 1280}; !maps.Equal(p.Bytes, want) {
		t.Errorf("bytes %v, want %v", p.Bytes, want)
	}
	if want := map[string]float64{"L2": 4000, "memory": 2000}; !maps.Equal(p.Traffic, want) {
		t.Errorf("traffic %v, want %v", p.Traffic, want)
	}
	if want := map[string]float64{"L1": 66, "L2": 80, "memory": 128}; !maps.Equal(p.Loops[0].Bytes, want) {
		t.Errorf("bytes of the loop %v, want %v", p.Loops[0].Bytes, want)
	}
	if c := p.Counters; c.Lines["L2"] != 50 || c.Model["L2"] != 100 || c.Events[0] != (roofline.EventCount{Event: "two", Count: 70, Share: .5}) {
		t.Errorf("counters %+v", c)
	}
	p = make()
	byCounters(p, s, []perf.Count{{Event: "two", Share: 0}, {Event: "far", Count: 20, Share: 1}}, levels)
	if !maps.Equal(p.Bytes, make().Bytes) {
		t.Errorf("an event that was never counted changes the bytes: %v", p.Bytes)
	}
}

// TestCounting: a program's run is counted if the kernel has counters; else one line says why, and with "on" it is an error.
func TestCounting(t *testing.T) {
	f, err := openProgram([]string{"/bin/true"})
	if err != nil || f.ISA.Name != nativeISA {
		t.Skip("no x86-64 program /bin/true")
	}
	for _, how := range []Counting{"", "on", "off"} {
		p, err := Run(context.Background(), Options{Args: []string{"/bin/true"}, NoCaches: true, Repeat: 1, Counters: how})
		switch {
		case how == "on" && err != nil:
			if !strings.Contains(err.Error(), "--counters on: ") || !strings.Contains(err.Error(), "cannot be counted") {
				t.Errorf("on: %v", err)
			}
		case err != nil:
			t.Errorf("%q: %v", how, err)
		case how == "off" && (p.Counters != nil || p.Uncounted != ""):
			t.Errorf("off: %+v %q", p.Counters, p.Uncounted)
		case how == "" && p.Seconds > 0 && (p.Counters == nil) == (p.Uncounted == ""):
			t.Errorf("auto: %+v %q", p.Counters, p.Uncounted)
		}
	}
	for want, o := range map[string]Options{"emulated": {QEMU: true, Repeat: 1}, "the whole program, not addresses 0x10 to 0x20": {Ranges: []Range{{Lo: 0x10, Hi: 0x20}}, Repeat: 1}, "--repeat 0": {}} {
		o.Args, o.NoCaches, o.Counters = []string{"/bin/true"}, true, "on"
		if _, err := Run(context.Background(), o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	o := Options{}
	p := &roofline.Profile{}
	if err := o.count(&times{runs: []*samples{{uncount: errors.New("no")}}}, []string{"L1"}, p); err != nil || p.Uncounted != "no" {
		t.Errorf("%v %q", err, p.Uncounted)
	}
}
