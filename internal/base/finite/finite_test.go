package finite

import (
	"math"
	"strings"
	"testing"
)

func TestCheck(t *testing.T) {
	type level struct {
		Bandwidth float64 `yaml:"bandwidth"`
		Other     *float64
	}
	type file struct {
		Bits   float64            `yaml:"vector_bits" json:"x"`
		Levels []level            `json:"levels"`
		Rates  map[string]float64 `yaml:"rates"`
		hidden float64
	}
	big := 1e300
	for _, c := range []struct {
		f    file
		want string
	}{
		{file{Bits: 128, Levels: []level{{Bandwidth: 1e20}}, hidden: math.Inf(1)}, ""},
		{file{Bits: 1e308}, "vector_bits is 1e+308"},
		{file{Bits: 1e-300}, "vector_bits is 1e-300"},
		{file{Bits: math.NaN()}, "vector_bits is NaN"},
		{file{Levels: []level{{}, {Bandwidth: math.Inf(-1)}}}, "levels.bandwidth is -Inf"},
		{file{Levels: []level{{Other: &big}}}, "levels.other is 1e+300"},
		{file{Rates: map[string]float64{"L1": 1e99}}, "rates.L1 is 1e+99"},
	} {
		err := Check(&c.f)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %q", c.f, err, c.want)
		}
	}
}
