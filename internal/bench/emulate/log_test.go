package emulate

import (
	"encoding/json"
	"strings"
	"testing"

	"incore/internal/report"
)

// TestTrials: the text and the CSV of trials have a line for each experiment, and the sums count those that failed by their kind.
func TestTrials(t *testing.T) {
	x := &Trials{ISA: "riscv64", Emulator: "an emulator", Processor: "rv64", Of: "form", List: []Tried{
		{Name: "ADD", Benchmarks: 4, Ran: 4, Instructions: 24},
		{Name: "VADD", Benchmarks: 2, Ran: 1, Instructions: 6, Reason: "illegal instruction, at once", Failure: "illegal"}}}
	var text, csv strings.Builder
	if err := x.Text(&text, report.TextOptions{}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"ADD\t4\t4\t24\t\n", "VADD\t2\t1\t6\tillegal", "2 forms, 6 benchmarks: 5 ran as planned, with 30 instructions; of 1 forms all did", "emulated processor: 1"} {
		if !strings.Contains(text.String(), want) {
			t.Errorf("no %q in\n%s", want, text.String())
		}
	}
	if err := x.CSV(&csv); err != nil || strings.Count(csv.String(), "\n") != 3 || !strings.Contains(csv.String(), `VADD,2,1,6,illegal,"illegal instruction, at once"`) {
		t.Errorf("%v: %s", err, csv.String())
	}
	b, err := json.Marshal(x)
	if err != nil || !strings.Contains(string(b), `{"name":"ADD","benchmarks":4,"ran":4,"instructions":24}`) {
		t.Errorf("%v: %s", err, b)
	}
}
