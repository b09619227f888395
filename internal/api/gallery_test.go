package api

import (
	"math"
	"testing"

	"incore/internal/analyze"
	"incore/internal/source"
)

// apart are the loops of the gallery whose prediction differs from the measurement by more than 10 %, which the model does not explain yet.
var apart = map[string]bool{"remedy: multiply by the reciprocal": true, "port of shuffles: deinterleave": true,
	"ports of integers: population count by arithmetic": true, "false dependency broken: zero idiom": true}

// TestGallery: the predictions for the loops of the gallery are the measured cycles within 10 %, but for those that are known to differ.
func TestGallery(t *testing.T) {
	if len(gallery) != 30 {
		t.Errorf("%d loops", len(gallery))
	}
	for _, x := range gallery {
		f, err := source.New(x.name, []byte(x.text))
		if err != nil {
			t.Fatal(err)
		}
		d, err := analyze.Run(f, analyze.Options{Archs: []string{"zen5"}, NoAdvice: true})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		c := d.Kernels[0].Targets[0].Prediction.Cycles
		if off := math.Abs(c-x.zen5) / x.zen5; (off > 0.1) != apart[x.name] {
			t.Errorf("%s: %.2f cycles predicted, %.2f measured", x.name, c, x.zen5)
		}
	}
}
