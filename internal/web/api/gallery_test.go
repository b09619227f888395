package api

import (
	"flag"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"incore/internal/analyze"
	"incore/internal/base/source"
)

var update = flag.Bool("update", false, "write the predictions into gallery.tsv")

// TestGallery: each loop of the gallery has a measured figure with its origin, and the prediction is the stored one.
func TestGallery(t *testing.T) {
	stored, table := map[string]figureOf{}, galleryFigures
	for _, f := range figures(table) {
		if _, twice := stored[f.loop]; twice {
			t.Errorf("%s has two figures", f.loop)
		}
		stored[f.loop] = f
	}
	apart := 0
	for _, x := range gallery {
		f, ok := stored[x.name]
		delete(stored, x.name)
		measured, err := strconv.ParseFloat(f.cycles, 64)
		if !ok || err != nil || measured <= 0 || f.machine == "" || f.source == "" {
			t.Errorf("%s: no measured figure with its machine and origin: %+v", x.name, f)
			continue
		}
		src, err := source.New(x.name, []byte(x.text))
		if err != nil {
			t.Fatal(err)
		}
		d, err := analyze.Run(src, analyze.Options{Archs: []string{f.machine}, NoAdvice: true})
		if err != nil {
			t.Errorf("%s: %v", x.name, err)
			continue
		}
		c := d.Kernels[0].Targets[0].Prediction.Cycles
		if math.Abs(c-measured) > 0.1*measured {
			apart++
			t.Logf("%s: %.2f cycles predicted, %.2f measured", x.name, c, measured)
		}
		now := fmt.Sprintf("%.2f", c)
		if *update {
			line := strings.Join([]string{f.loop, f.machine, f.cycles, f.source}, "\t") + "\t"
			table = strings.Replace(table, line+f.predicted+"\n", line+now+"\n", 1)
		} else if now != f.predicted {
			t.Errorf("%s: %s cycles predicted, stored are %s (-update stores the prediction)", x.name, now, f.predicted)
		}
	}
	for name := range stored {
		t.Errorf("%s is no loop of the gallery", name)
	}
	if *update {
		if err := os.WriteFile("gallery.tsv", []byte(table), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d of %d predictions differ from the measurement by more than a tenth", apart, len(gallery))
}
