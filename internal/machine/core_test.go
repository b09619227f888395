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
		c, err := m.Core()
		if err != nil {
			t.Error(err)
			continue
		}
		for _, s := range c.Schedulers {
			if s.Ports == 0 || s.Entries == 0 {
				t.Errorf("%s: scheduler %s is empty", n, s.Name)
			}
		}
	}
	m, err := Get("skylake")
	if err != nil {
		t.Fatal(err)
	}
	if c, _ := m.Core(); c.Decoders != 4 || c.FetchQueue != 64 || !c.BindAtRename || c.StackSync == 0 {
		t.Errorf("skylake: %+v", c)
	}
}

func TestBadCores(t *testing.T) {
	for _, bad := range []string{"param decoders: four # x", "param scheduler-int: 88 NONE # x", "param scheduler-int: A # x", "param port-queues: none # x", "param slot-queues: 64 9 2 none # x", "param slot-queues: 64 9 2 # x", "param slot-queues: 0 9 2 none # x", "param loop-buffer: 4-8 # x",
		"param stack-sync: Q # x", "param issue-delay: -1 # x"} {
		if _, err := Load(strings.NewReader("name: bad\nisa: x86-64\nports: A\n"+bad+"\n"), "bad.model"); err == nil || !strings.Contains(err.Error(), bad[len("param "):len(bad)-len(" # x")]) {
			t.Errorf("'%s': %v", bad, err)
		}
	}
}
