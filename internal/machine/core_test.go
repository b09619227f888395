package machine

import (
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
		{"port-queues:", "not one to 4 schedulers"},
		{"port-queues: a b c a b", "not one to 4 schedulers"},
		{"port-queues: none", "there is no scheduler 'none'"},
		{"port-queues: a a", "a port of two schedulers"},
		{"port-queues: a all", "a port of two schedulers"},
		{"port-queues: a+Q b", "unknown port 'Q'"},
		{"port-queues: a+ b", "the second µops have no port of the scheduler"},
		{"port-queues: a+C b", "the second µops have no port of the scheduler"},
		{"port-queues: a+A/b b", "want a number of free entries"},
		{"port-queues: a+A/1000000 b", "want a number of free entries"},
		{"port-queues: a+A/ b", "want a number of free entries"},
		{"port-queues: a b addresses=A", "bad number of µops 'A'"},
		{"port-queues: a b addresses=0:A", "bad number of µops '0'"},
		{"port-queues: a b addresses=2", "a number of µops and ports"},
		{"port-queues: a b addresses=2:Q", "unknown port 'Q'"},
		{"port-queues: a b counts=6:2", "want three numbers"},
		{"port-queues: a b counts=6:2:8:1", "want three numbers"},
		{"port-queues: a b counts=6:2:-8", "want numbers from 0 to 10"},
		{"port-queues: a b counts=6:2:11", "want numbers from 0 to 10"},
		{"port-queues: a b counts=6:two:8", "want numbers from 0 to 10"},
		{"port-queues: a b counts=6:5:8", "more than 10 cycles"},
		{"slot-queues: 64 9 2 a b", "bad value 'a'"},
		{"slot-queues: 64 9 2 5", "not four numbers and one to 4 schedulers"},
		{"slot-queues: 64 9 2 5 a b c a b", "not four numbers and one to 4 schedulers"},
		{"slot-queues: 64 9 2 5 none", "there is no scheduler 'none'"},
		{"slot-queues: 64 9 2 5 a all", "a port of two schedulers"},
		{"slot-queues: 64 9 2 5 wide", "more than 8 ports"},
		{"slot-queues: 0 9 2 5 a", "numbers of 1 and more"},
		{"slot-queues: 64 0 2 5 a", "numbers of 1 and more"},
		{"slot-queues: 64 9 5 5 a", "the third no more than 4"},
		{"slot-queues: 64 -9 2 5 a", "bad value '-9'"},
		{"slot-queues: 64 9 2 8 a", "from 0 to 7"},
		{"slot-queues: 64 9 2 -1 a", "bad value '-1'"},
		{"result-ports: A", "bad number of µops 'A'"},
		{"result-ports: 0 A", "bad number of µops '0'"},
		{"result-ports: 3", "a number of µops and ports"},
		{"result-ports: 3 Q", "unknown port 'Q'"},
		{"address-turns: Q", "unknown port 'Q'"},
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
	for _, both := range []string{"param port-queues: a b # x\nparam slot-queues: 64 9 2 5 a # x\n", "param slot-queues: 64 9 2 5 a # x\nparam port-queues: a b # x\n"} {
		if _, err := Load(strings.NewReader(head+both), "bad.model"); err == nil || !strings.Contains(err.Error(), "is one of slot-queues and of port-queues") {
			t.Errorf("a scheduler of both kinds: %v", err)
		}
	}
	for _, good := range []string{"port-queues: a b+C c", "slot-queues: 64 9 2 5 a b", "port-queues: a b addresses=2:A counts=6:2:8", "result-ports: 3 A B", "address-turns: A B"} {
		if _, err := Load(strings.NewReader(head+"param "+good+" # x\n"), "good.model"); err != nil {
			t.Error(err)
		}
	}
}
