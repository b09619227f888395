package sim_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"incore/internal/analysis/depgraph"
	"incore/internal/analysis/sim"
	"incore/internal/analysis/uops"
	"incore/internal/machine"
)

// queued is a core of four queues, of which the second takes two µops of A1 a cycle and the fourth one more of A03.
const queued = `name: queued
title: A core with queues for each port
isa: aarch64
ports: A0 A1 A2 A3
group A: A0 A1 A2 A3
group A03: A0 A3
group A12: A1 A2
param dispatch-width: 6  # test
param rob: 256  # test
param load-latency: 4  # test
param scheduler-q0: 24 A0  # test
param scheduler-q1: 24 A1  # test
param scheduler-q2: 24 A2  # test
param scheduler-q3: 24 A3  # test
param steering-q: packet q0 q1+A1 q2 q3+A03  # test
source: test
ADDXrs | A | 1
SUBXrs | A12 | 1
EORXrs | A03 | 1
MADDXrrr | A1 | 3
MOVZXi | - | 0
`

// TestStoreEntries holds loops with stores, which have entries of queues beside others, to what was measured on a Zen 4.
func TestStoreEntries(t *testing.T) {
	m, err := machine.Get("zen4")
	if err != nil {
		t.Fatal(err)
	}
	lea := "leaq 8(%rsi), %r8; leaq 8(%rsi), %r9; leaq 8(%rsi), %r10; decq %rcx; jne 0x0"
	for text, want := range map[string]float64{
		"movl (%rsi,%rax,4), %ecx; bswapl %ecx; movl %ecx, (%rdi,%rax,4); incq %rax; cmpq %rax, %rdx; jne 0x0": 0.99,
		"movl %edi, (%rsi); " + lea:                                                            0.97,
		"movl %edi, (%rsi,%rbp); " + lea:                                                       1.23,
		"movl %edi, (%rsi,%rbp); movl %edi, 8(%rsi,%rbp); " + lea:                              1.51,
		"movl $5, (%rsi); " + lea:                                                              1.25,
		"movl $5, (%rsi); movl $5, 8(%rsi); " + lea:                                            1.62,
		"movl $5, (%rsi,%rbp); movl $5, 8(%rsi,%rbp); " + lea:                                  1.51,
		"movq (%rsi), %r10; movq 8(%rsi), %r11; addq (%rsi,%rbp), %r8; addq 8(%rsi,%rbp), %r9": 1.50, // the fourth load takes an operation's place
		"shrl (%rdi); addq $4, %rdi; cmpq %rsi, %rdi; jne 0x0":                                 1.39,
	} {
		p := sim.Predict(depgraph.Build(uops.Bind(m, kernelOf(t, "x86-64", text)), depgraph.Options{}), sim.Options{})
		if p.Engine != "simulator" || math.Abs(p.Cycles-want) > 0.035*want {
			t.Errorf("%s: %.3f cycles by the %s, measured %.2f", text, p.Cycles, p.Engine, want)
		}
	}
}

// TestPackets checks how long bursts of µops take among others that need no port (48 slots, 8 cycles): so many are dispatched in a
// cycle as there are places in queues for. The figures are those of a Zen 4, too.
func TestPackets(t *testing.T) {
	m, err := machine.Load(strings.NewReader(queued), "queued.model")
	if err != nil {
		t.Fatal(err)
	}
	insts := map[byte]string{'A': "add x1, x8, x9", 'S': "sub x2, x8, x9", 'C': "eor x3, x8, x9", 'M': "mul x4, x8, x9", 'E': "mov x5, #1"}
	for _, c := range []struct {
		burst string
		want  float64
	}{
		{"AAAAAAAA", 8}, {"AAAAAAAAAAAA", 8.5}, {"AAAAAAAAAAAAAAAAAAAA", 9}, // 4 a cycle, of which other slots hide some
		{"SSSS", 8}, {"SSSSSSSS", 10}, {"MMMM", 8}, {"MMMMMM", 9}, {"CCCCCC", 8}, {"CCCCCCCC", 9},
		{"CAAAACAAAA", 8}, {"MAAAAMAAAA", 8.5},
	} {
		text := ""
		for _, k := range []byte(strings.Repeat("E", 12) + c.burst + strings.Repeat("E", 36-len(c.burst))) {
			text += insts[k] + ";"
		}
		g := depgraph.Build(uops.Bind(m, kernelOf(t, "aarch64", strings.TrimSuffix(text, ";"))), depgraph.Options{})
		p := sim.Predict(g, sim.Options{})
		if p.Engine != "simulator" || math.Abs(p.Cycles-c.want) > 0.02*c.want {
			t.Errorf("%s: %.3f cycles by the %s, want %.3f", c.burst, p.Cycles, p.Engine, c.want)
		}
	}
}

// held is the same core, whose entries stay taken for six cycles and are counted two cycles late. D is apart, and slow.
var held = strings.NewReplacer("ports: A0", "ports: D A0", "q3+A03", "q3+A03 hold=6 delay=2 address-weight=8", "source: test\n", "source: test\nUDIVXr | D | 150\n").Replace(queued)

// TestQueueRoom checks in which cycles packets are dispatched while so many µops wait for the result of D: each of four additions, one for each queue. The figures are those of a
// Zen 4, of which the additions begin a cycle after their dispatch and keep their entries for six.
func TestQueueRoom(t *testing.T) {
	m, err := machine.Load(strings.NewReader(held), "held.model")
	if err != nil {
		t.Fatal(err)
	}
	core, err := sim.Available(m)
	if err != nil {
		t.Fatal(err)
	}
	const packets, before = 12, 30 * 6 // the simulation begins with cycles in which nothing issues
	for _, c := range []struct {
		wait int
		want string // cycles from packet to packet
	}{
		{84, "2 5 2 5 2 5 2 5 2 5 2"}, {80, "1 2 4 2 2 3 2 2 3 2 2"}, {76, "1 1 2 3 2 2 2 2 2 2 2"}, {72, "1 1 1 2 2 2 1 2 2 2 1"}, {68, "1 1 1 1 2 2 1 1 1 2 2"},
		{64, "1 1 1 1 1 2 1 1 1 1 1"}, {60, "1 1 1 1 1 1 1 1 1 1 1"},
	} {
		text := strings.Repeat("mov x5, #1;", before) + "udiv x9, x8, x8;" + strings.Repeat("mov x5, #1;", 5) + strings.Repeat("add x1, x9, x9;", c.wait) +
			strings.Repeat("mov x5, #1;", 2) + strings.Repeat(strings.Repeat("add x2, x8, x8;", 4)+"mov x5, #1; mov x5, #1;", packets)
		g := depgraph.Build(uops.Bind(m, kernelOf(t, "aarch64", strings.TrimSuffix(text, ";"))), depgraph.Options{})
		var at []int64
		first := before + 6 + c.wait + 2
		if _, err := sim.Run(g, core, sim.Options{Trace: func(e sim.Event) {
			if k := e.Inst - first; e.Iteration == 0 && k >= 0 && k%6 == 0 {
				at = append(at, e.Dispatched)
			}
		}}); err != nil {
			t.Fatal(err)
		}
		got := ""
		for k := 1; k < len(at); k++ {
			got += fmt.Sprintf(" %d", at[k]-at[k-1])
		}
		if got = strings.TrimSpace(got); got != c.want {
			t.Errorf("%d wait: packets %s cycles apart, want %s", c.wait, got, c.want)
		}
	}
}

// TestSmallQueues checks that µops get on through queues that are smaller than what may be sent to one in a cycle: an entry is free seven cycles after dispatch.
// (Second µops go along with the first, whatever the size: two mul, the later of which issues a cycle later, and three eor in eight cycles.)
func TestSmallQueues(t *testing.T) {
	m, err := machine.Load(strings.NewReader(strings.ReplaceAll(held, ": 24 A", ": 1 A")), "small.model")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]float64{"add x1, x8, x9": 7. / 4, "mul x4, x8, x9": 4, "eor x3, x8, x9": 8. / 3} {
		g := depgraph.Build(uops.Bind(m, kernelOf(t, "aarch64", text)), depgraph.Options{})
		if p := sim.Predict(g, sim.Options{}); p.Engine != "simulator" || math.Abs(p.Cycles-want) > 0.02*want {
			t.Errorf("%s: %.3f cycles by the %s, want %.3f", text, p.Cycles, p.Engine, want)
		}
	}
}

// addressed is a core three of whose four queues have a port for addresses as well.
const addressed = `name: addressed
title: A core with queues for an ALU and an address each
isa: aarch64
ports: A0 A1 A2 A3 G0 G1 G2 ST0 ST1
group A: A0 A1 A2 A3
group A12: A1 A2
group G: G0 G1 G2
group ST: ST0 ST1
param dispatch-width: 6  # test
param rob: 256  # test
param load-latency: 4  # test
param scheduler-q0: 24 A0 G0  # test
param scheduler-q1: 24 A1 G1  # test
param scheduler-q2: 24 A2 G2  # test
param scheduler-q3: 24 A3  # test
param steering-q: packet q0 q1 q2 q3 addresses=2:G address-weight=8  # test
source: test
LDRXui | G/load | 4
LDRXroX | G/load A | 5 | slots=1
STRXui | G/sta ST/std | 0 | slots=1
ADDXrs | A | 1
SUBXrs | A12 | 1
MOVZXi | - | 0
`

// TestQueueAddresses checks loops of independent loads (L), stores (S), operations (A; Z on two queues only), loads that share their entry with an operation (C) and µops
// without a port (m), all of which a Zen 4 takes as long for (zen4.model, steering-int).
func TestQueueAddresses(t *testing.T) {
	m, err := machine.Load(strings.NewReader(addressed), "addressed.model")
	if err != nil {
		t.Fatal(err)
	}
	insts := map[byte]string{'A': "add x1, x8, x9", 'Z': "sub x2, x8, x9", 'L': "ldr x3, [x10, #8]", 'S': "str x8, [x11, #8]", 'C': "ldr x4, [x10, x9]", 'm': "mov x5, #1"}
	for _, c := range []struct {
		loop string
		want float64
	}{
		{"LLLLmm", 4. / 3}, {"LLLLAm", 4. / 3}, {"LLLLAA", 1.5}, {"LLALLA", 1.5}, {"LLLLZZ", 2}, {"LLALLZ", 1.5}, {"LLLAAA", 1},
		{"SSLLAA", 1.5}, {"SSLLmm", 4. / 3}, {"CLACLA", 1.5}, {"ALCALC", 1.5}, {"CLLCLLmmm", 2},
	} {
		text := ""
		for _, k := range []byte(c.loop) {
			text += insts[k] + ";"
		}
		g := depgraph.Build(uops.Bind(m, kernelOf(t, "aarch64", strings.TrimSuffix(text, ";"))), depgraph.Options{})
		p := sim.Predict(g, sim.Options{})
		if p.Engine != "simulator" || math.Abs(p.Cycles-c.want) > 0.02*c.want {
			t.Errorf("%s: %.3f cycles by the %s, want %.3f", c.loop, p.Cycles, p.Engine, c.want)
		}
	}
}
