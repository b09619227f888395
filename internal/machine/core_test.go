package machine

import (
	"slices"
	"strings"
	"testing"
)

// TestCores reads the pipeline parameters of every embedded model.
func TestCores(t *testing.T) {
	for _, n := range Names() {
		m, err := Get(n)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range m.Core().Schedulers {
			if s.Ports == 0 || s.Entries == 0 {
				t.Errorf("%s: scheduler %s is empty", n, s.Name)
			}
		}
	}
	m, err := Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	if c := m.Core(); c.Decoders != 4 || c.FetchQueue != 64 || !c.PortChoice.AtRename || c.StackSync == 0 {
		t.Errorf("skylake: %+v", c)
	}
}

// TestBadCores checks that each mistake in a parameter of the pipeline is told with its line and what is wanted.
func TestBadCores(t *testing.T) {
	const head = "name: bad\nisa: x86-64\nports: A B C D E F G H I\nparam scheduler-a: 8 A B # x\nparam scheduler-b: 8 C # x\nparam scheduler-c: 8 D # x\nparam scheduler-all: 8 A C # x\n" +
		"param scheduler-wide: 8 A B C D E F G H I # x\n"
	for _, c := range []struct{ param, want string }{
		{"decoders: four", "bad value 'four'"},
		{"loop-buffer: 4-8", "bad rule '4-8'"},
		{"stack-sync: Q", "unknown port 'Q'"},
		{"issue-delay: -1", "bad value '-1'"},
		{"disambiguation: 100", "not a power of two"},
		{"port-choice: rename alternate=true", "bad value 'true'"},
		{"port-choice: early", "no part 'early' (parts are rename alternate=)"},
		{"uop-cache: 1536 lines=3 lines=4", "'lines' twice"},
		{"uop-cache: window=32 1536", "no part '1536'"},
		{"scheduler-int: 88 NONE", "unknown port 'NONE'"},
		{"scheduler-int: A", "the number of entries and ports"},
		{"scheduler-int: A B", "bad number of entries 'A'"},
		{"scheduler-int: 0 A", "bad number of entries '0'"},
		{"scheduler-int: -4 A", "bad number of entries '-4'"},
		{"scheduler-int: 4.5 A", "bad number of entries '4.5'"},
		{"steering-x: a b", "want a policy (packet, turns, chance)"},
		{"steering-x: packet", "not one to 4 partitions"},
		{"steering-x: packet a b c a b", "not one to 4 partitions"},
		{"steering-x: packet none", "there is no scheduler 'none'"},
		{"steering-x: packet a a", "a port of two schedulers"},
		{"steering-x: packet a all", "a port of two schedulers"},
		{"steering-x: packet a+Q b", "unknown port 'Q'"},
		{"steering-x: packet a+ b", "the second µops have no port of the scheduler"},
		{"steering-x: packet a+C b", "the second µops have no port of the scheduler"},
		{"steering-x: packet a+A/b b", "want a number of free entries"},
		{"steering-x: packet a+A/1000000 b", "want a number of free entries"},
		{"steering-x: packet a+A/ b", "want a number of free entries"},
		{"steering-x: packet a b addresses=A", "bad number of µops 'A'"},
		{"steering-x: packet a b addresses=0:A", "bad number of µops '0'"},
		{"steering-x: packet a b addresses=2", "a number of µops and ports"},
		{"steering-x: packet a b addresses=2:Q", "unknown port 'Q'"},
		{"steering-x: packet a b hold=-8", "want a number from 0 to 10"},
		{"steering-x: packet a b hold=11", "want a number from 0 to 10"},
		{"steering-x: packet a b delay=two", "want a number from 0 to 10"},
		{"steering-x: packet a b hold=6 delay=5", "more than 10 cycles"},
		{"steering-x: packet a b queue=64", "the policy 'packet' has no part 'queue'"},
		{"steering-x: turns a b", "turns need queue= and imbalance="},
		{"steering-x: turns queue=64 imbalance=9 delay=2 hold=5", "not one to 4 partitions"},
		{"steering-x: turns a b c a b queue=64 imbalance=9 delay=2", "not one to 4 partitions"},
		{"steering-x: turns none queue=64 imbalance=9 delay=2", "there is no scheduler 'none'"},
		{"steering-x: turns a all queue=64 imbalance=9 delay=2", "a port of two schedulers"},
		{"steering-x: turns a+A queue=64 imbalance=9 delay=2", "second µops are of packets"},
		{"steering-x: turns wide queue=64 imbalance=9 delay=2", "more than 8 ports"},
		{"steering-x: turns a queue=0 imbalance=9 delay=2", "queue=0: want a number from 1"},
		{"steering-x: turns a queue=64 imbalance=-9 delay=2", "imbalance=-9: want a number from 1"},
		{"steering-x: turns a queue=64 imbalance=9", "turns need delay= from 1 to 4"},
		{"steering-x: turns a queue=64 imbalance=9 delay=5", "turns need delay= from 1 to 4"},
		{"steering-x: turns a queue=64 imbalance=9 delay=2 addresses=2:A", "the policy 'turns' has no part 'addresses'"},
		{"result-ports: A", "bad number of µops 'A'"},
		{"result-ports: 0 A", "bad number of µops '0'"},
		{"result-ports: 3", "a number of µops and ports"},
		{"result-ports: 3 Q", "unknown port 'Q'"},
		{"address-turns: Q", "unknown port 'Q'"},
		{"fetch-entries: 6", "it needs line="},
		{"fetch-entries: 6 line=0 entries=2", "it needs line="},
		{"unit-turns: A B", "'A' is a port, not a resource"},
		{"load-entries: 8 hold=16", "bad value '16': at most 15"},
		{"microcode: slots=4 alone", "alone needs 'param decoding: complex=N'"},
		{"store-commit: partial=3 within=5", "partial= needs merge="},
		{"store-commit: merge=32 partial=3", "and within="},
		{"store-commit: merge=32 partial=5 within=5", "at most 4"},
		{"load-entries: hold=5", "ENTRIES is missing in front of the other parts"},
		{"banks: conflict", "BYTES is missing"},
		{"banks: 128", "bad value '128': at most 64"},
		{"banks: 12", "bad value '12': not a power of two"},
		{"disambiguation: 12 trust=1", "bad value '12': not a power of two"},
		{"issue-delay: 256", "bad value '256': at most 255"},
		{"address-turns: A 2", "unknown port '2'"},
		{"dispatch-limit-x: 4", "a number of µops and ports"},
	} {
		_, err := Load(strings.NewReader(head+"param "+c.param+" # x\n"), "bad.model")
		name, value, _ := strings.Cut(c.param, ":")
		want := "bad.model:9: parameter '" + name + ": " + strings.TrimSpace(value) + "': "
		if err == nil || !strings.HasPrefix(err.Error(), want) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("'%s': %v; want %s… %s", c.param, err, want, c.want)
		}
	}
	turns := "turns a queue=64 imbalance=9 delay=2 hold=5 # x\n"
	for _, both := range []string{"param steering-x: packet a b # x\nparam steering-y: " + turns, "param steering-y: " + turns + "param steering-x: packet a b # x\n"} {
		if _, err := Load(strings.NewReader(head+both), "bad.model"); err == nil || !strings.Contains(err.Error(), "the scheduler 'a' is one of two groups") {
			t.Errorf("a scheduler of two groups: %v", err)
		}
	}
	for _, good := range []string{"steering-x: packet a b+C c", "steering-x: turns a b queue=64 imbalance=9 delay=2 hold=5", "steering-x: packet a b addresses=2:A hold=6 delay=2 address-weight=8", "result-ports: 3 A B", "address-turns: A B"} {
		if _, err := Load(strings.NewReader(head+"param "+good+" # x\n"), "good.model"); err != nil {
			t.Error(err)
		}
	}
}

// TestNoValue: a parameter without a value is an error, and none takes away what the base states.
func TestNoValue(t *testing.T) {
	names := append(OptionNames(false), LimitPrefix+"x", schedulerPrefix+"x")
	for name := range paramFields(&Params{}) {
		names = append(names, name)
	}
	for _, name := range names {
		param := "param " + strings.Replace(name, anyName, "x", 1)
		if _, err := Load(strings.NewReader("name: bad\nbase: skylake\n"+param+": # x\n"), "bad.model"); err == nil || !strings.Contains(err.Error(), "bad.model:3: '"+param+"' has no value; ") {
			t.Errorf("%s: %v", param, err)
		}
		m, err := Load(strings.NewReader("name: good\nbase: skylake\n"+param+": none # x\n"), "good.model")
		if err != nil {
			t.Errorf("%s: %v", param, err)
		} else if slices.ContainsFunc(m.Facts, func(f Fact) bool { return "param "+f.Name == param }) {
			t.Errorf("%s: none leaves it", param)
		}
	}
	for _, key := range headerKeys {
		if key == "param" || key == "source" {
			continue
		}
		if _, err := Load(strings.NewReader("name: bad\nbase: skylake\n"+key+":\n"), "bad.model"); err == nil || !strings.Contains(err.Error(), "has no value; leave it out") {
			t.Errorf("%s: %v", key, err)
		}
	}
	m, err := Load(strings.NewReader("name: good\nbase: skylake\nfuses: none\n"), "good.model")
	if err != nil || m.Fuses("cmp+jcc") {
		t.Errorf("fuses: none leaves what the base fuses (%v)", err)
	}
}

// TestUnitTurns: units that take operations in turn are those of one resource. An operation that can use some of them
// only would never get its turn.
func TestUnitTurns(t *testing.T) {
	const head = "name: mine\nisa: x86-64\nports: A\nresources: D0 D1 C\ngroup D: D0 D1\ngroup X: D0 D1 C\n"
	const rows = "source: me\nDIVPDrr | A D:4 | 4\nPCLMULQDQrri | A C:2 | 4\n"
	for _, c := range []struct{ param, want string }{
		{"unit-turns: D", ""}, {"unit-turns: D0 D1", ""}, {"unit-turns: C", ""},
		{"unit-turns: D C", "uses D alone (mine.model:9)"}, {"unit-turns: X", "uses D alone (mine.model:9)"}, {"unit-turns: D0", ""}, {"unit-turns: D0 C", "uses D0 alone"},
	} {
		_, err := Load(strings.NewReader(head+"param "+c.param+" # x\n"+rows), "mine.model")
		if (err == nil) != (c.want == "") || err != nil && (!strings.HasPrefix(err.Error(), "mine.model:7: ") || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: %v; want %q", c.param, err, c.want)
		}
	}
	_, err := Load(strings.NewReader("name: mine\nbase: zen5\nsource: me\nDIVPDrr | FP1 FDIV0:4 | 4\n"), "mine.model")
	if err == nil || !strings.HasPrefix(err.Error(), "mine.model:4: ") {
		t.Errorf("a row with one of the base's units: %v", err)
	}
	for _, name := range Names() {
		if m, err := Get(name); err != nil {
			t.Error(err)
		} else if r, used := m.outOfTurn(); r != nil {
			t.Errorf("%s: %s:%d uses %s alone", name, r.file, r.line, m.SetName(used))
		}
	}
}
