package analyze

import (
	"slices"
	"testing"

	"incore/internal/foreign/perfdata"
)

// TestMainEvents: the samples of the first event that measures time count, with those of its twin on the other kind of cores.
func TestMainEvents(t *testing.T) {
	for _, c := range []struct {
		events  []string
		without []int // samples
		want    []int
	}{
		{events: []string{"cycles"}, want: []int{0}},
		{events: []string{"cpu_core/cycles/", "cpu_atom/cycles/"}, want: []int{0, 1}},
		{events: []string{"cpu_atom/cycles/P", "cpu_core/cycles/P", "dummy:u"}, want: []int{0, 1}},
		{events: []string{"cpu_core/instructions/", "cpu_core/cycles/u", "cpu_atom/instructions/", "cpu_atom/cycles/u"}, want: []int{1, 3}},
		{events: []string{"cpu_core/cycles/", "cpu_atom/cycles/"}, without: []int{0}, want: []int{1}},
		{events: []string{"cycles", "cycles"}, want: []int{0, 1}},
		{events: []string{"armv8_cortex_a53/cpu_cycles/", "armv8_cortex_a72/cpu_cycles/"}, want: []int{0, 1}},
		{events: []string{"stalled-cycles-frontend:u", "cycles:u"}, want: []int{1}},
		{events: []string{"stalled-cycles-backend", "cpu-clock"}, want: []int{1}},
		{events: []string{"cpu/stalled-cycles-frontend/", "cache-misses"}, want: []int{0}},
		{events: []string{"bus-cycles", "task-clock:ppp"}, want: []int{1}},
		{events: []string{"msr/tsc/", "cpu-cycles:pp"}, want: []int{1}},
		{events: []string{"exe_activity.cycles_1_ports_util", "ref-cycles"}, want: []int{1}},
		{events: []string{"cycles:u", "cycles"}, want: []int{0}},
		{events: []string{"cycles", "task-clock"}, want: []int{0}},
		{events: []string{"cache-misses", "branch-misses"}, want: []int{0}},
		{events: []string{"cycles"}, without: []int{0}},
	} {
		var events []perfdata.Event
		for _, name := range c.events {
			events = append(events, perfdata.Event{Name: name})
		}
		main := mainEvents(events, func(e int) bool { return !slices.Contains(c.without, e) })
		var got []int
		for e := range events {
			if main[e] {
				got = append(got, e)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%v without samples of %v: %v count, want %v", c.events, c.without, got, c.want)
		}
	}
}

// TestRecordingNotes: what a user should know of a recording is right for any count.
func TestRecordingNotes(t *testing.T) {
	for _, c := range []struct {
		data perfdata.Data
		want []string
	}{
		{perfdata.Data{}, nil},
		{perfdata.Data{Lost: 1}, []string{"samples or records of the profile that the kernel lost: 1"}},
		{perfdata.Data{Unknown: 1}, []string{"records of the profile that are left out, since their kinds are not known (a newer perf): 1"}},
		{perfdata.Data{Unknown: 2, Version: "7.1"}, []string{"records of the profile that are left out, since their kinds are not known (a newer perf, 7.1): 2"}},
	} {
		var got []string
		for _, d := range (&Profile{recording: &recording{data: &c.data}}).notes() {
			got = append(got, d.Message)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%+v: %q, want %q", c.data, got, c.want)
		}
	}
}
