package sim

import (
	"strings"
	"testing"

	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// TestQueueChoice checks which queues the µops of a cycle get: A goes to any of four, M to the second alone, S to the second and third, C to the first and fourth, V is
// a load that shares its entry with an operation, L a load alone (both on the first three). The figures are those of a Zen 4, behind lfence and among µops that need none; digits before the
// colon are how many wait.
func TestQueueChoice(t *testing.T) {
	ports := map[byte]portSet{'A': 0xf, 'M': 2, 'S': 6, 'C': 9, 'V': 7 << 4, 'L': 7 << 4}
	core := &Core{Width: 6, ROB: 100, RetireWidth: 8, Ports: 8}
	packets := machine.Steering{Addresses: machine.DispatchLimit{Uops: 2, Ports: 7 << 4}, AddressWeight: 8}
	for q := range 4 {
		core.Schedulers = append(core.Schedulers, machine.Scheduler{Entries: 24, Ports: 1<<q | 1<<(4+q)})
		packets.Partitions = append(packets.Partitions, machine.Partition{Scheduler: q})
	}
	packets.Partitions[1].Second, packets.Partitions[3].Second = 2, 9
	core.Steering = []machine.Steering{packets}
	core.Regroup()
	for _, c := range []struct{ packet, want string }{
		{"0000:AAAA", "0123"}, {"0100:A", "0"}, {"1000:AA", "12"}, {"1100:AA", "23"}, {"1101:AA", "02"}, {"1100:A", "2"},
		{"0000:SAA", "102"}, {"0000:AAS", "012"}, {"0000:AAAS", "0132"}, {"1000:AAS", "132"}, {"1110:SA", "13"},
		{"0000:CAAA", "0123"}, {"0000:AAAC", "0123"}, {"0000:AAC", "120"}, {"1000:AAC", "123"},
		{"0000:AAAAC", "01233"}, {"0000:CAAAC", "31230"}, {"0000:AAACC", "12330"}, {"1000:CCAAC", "03123"}, {"0000:CCC", "033"},
		{"0000:MMAAA", "11023"}, {"0000:VVVA", "0123"}, {"0000:AAV", "012"}, {"0000:AVVV", "3012"},
		{"0000:LV", "00"}, {"0000:AL", "00"}, {"0000:LLV", "010"}, {"1000:LV", "11"}, {"0660:LL", "01"},
		{"0000:SSAAA", "1203-"}, {"0000:MMMA", "11--"}, // what finds no place waits, and what follows
	} {
		waiting, kinds, _ := strings.Cut(c.packet, ":")
		var body []uop
		for _, k := range []byte(kinds) {
			u := uop{Op: &op{Ports: ports[k], Slots: 1, Class: -1}}
			u.Group, u.Among = core.SteeredTo(u.Ports)
			if k == 'L' || k == 'V' {
				u.Kind, u.Works = uops.KindLoad, k == 'V'
			}
			body = append(body, u)
		}
		p := new(pipeline)
		p.reset(core, body, 0)
		s := &p.sched.groups[0].packet
		for q := range s.seen {
			s.seen[q] = int32(waiting[q] - '0')
		}
		for q := range packets.Partitions {
			s.present.room[q] = 24
		}
		s.plan(0, len(kinds))
		got := ""
		for k := range kinds {
			if q := s.partitionFor(seqNo(k)); q == noPartition {
				got += "-"
			} else {
				got += string(rune('0' + q))
			}
		}
		if got != c.want {
			t.Errorf("%s: queues %s, want %s", c.packet, got, c.want)
		}
	}
}

// TestResultBus checks when operations of a cycle and of three (M) issue on a port that writes back one result a cycle, oldest first: the figures are those of Zen 4.
// F writes flags alone, which have a way of their own. X writes a second result back four cycles later by another port, which those of a cycle (B) use: one that has met it lets no more of them go.
func TestResultBus(t *testing.T) {
	core := &Core{Width: 6, ROB: 100, RetireWidth: 8, Ports: 2, Buses: 3}
	core.ResultBus = machine.ResultBus{Ports: 3, Passes: 3}
	for _, c := range []struct {
		ops  string
		want []cycle
	}{
		{"MA", []cycle{0, 1}}, {"MAA", []cycle{0, 1, 3}}, {"MMA", []cycle{0, 1, 4}}, {"MMAMM", []cycle{0, 1, 6, 2, 3}}, {"MMAMMMM", []cycle{0, 1, 7, 2, 3, 4, 8}},
		{"MF", []cycle{0, 1}}, {"MMMF", []cycle{0, 1, 2, 3}},
		{"XXBB", []cycle{0, 1, 0, 1}}, {"XXXXXBBBBB", []cycle{0, 1, 2, 3, 8, 0, 1, 2, 7, 8}},
	} {
		var body []uop
		for _, k := range []byte(c.ops) {
			u := uop{Op: &op{Ports: 1, Occ: 1, Slots: 1, Sched: -1, Class: -1, Back: 1, Plain: 1, Ways: uops.ToRegisters, AsideWays: uops.ToRegisters, Done: 1}}
			switch k {
			case 'M':
				u.Back, u.Plain, u.Done = 3, 3, 3
			case 'X':
				u.Back, u.Plain, u.Done, u.Aside, u.Later = 3, 3, 4, 2, 4
			case 'F':
				u.Ways = uops.ToFlags
			case 'B':
				u.Ports = 2
			}
			body = append(body, u)
		}
		p := new(pipeline)
		p.reset(core, body, 0)
		for k := range body { // all are there when the first can issue
			x := &p.ring[k]
			*x = instance{ports: body[k].Ports, seq: seqNo(k), uop: uopIndex(k), issued: notYet, port: -1}
			x.list = body[k].Lists[uint8(x.port)]
			p.ready.insert(int32(k), x)
		}
		p.tail = seqNo(len(body))
		for range 20 {
			p.bus.advance(1)
			p.issue()
			p.now++
		}
		for k, want := range c.want {
			if got := p.ring[k].issued; got != want {
				t.Errorf("%s: µop %d issues in cycle %d, want %d", c.ops, k, got, want)
			}
		}
	}
}
