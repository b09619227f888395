package serve

import (
	"context"
	"errors"
	"path/filepath"
	"testing"
)

// TestExportRefuses says what is needed where there is no analyser.
func TestExportRefuses(t *testing.T) {
	t.Chdir(t.TempDir())
	if _, err := Export(context.Background(), "out", ""); !errors.Is(err, ErrNoAnalyser) {
		t.Errorf("error %v", err)
	}
	if _, err := Export(context.Background(), "out", filepath.Join("no", "incore.wasm")); err == nil {
		t.Error("no error of a file that is not there")
	}
}
