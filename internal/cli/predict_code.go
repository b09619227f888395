package cli

import (
	"errors"

	"incore/internal/analyze/predict"
	"incore/internal/object"
)

// codeOf lists the code to predict: marked regions, otherwise innermost loops, otherwise the whole of bare code.
func codeOf(obj *object.File, bare bool, name string, data []byte) (predict.Blocks, error) {
	var blocks predict.Blocks
	marked, err := obj.Marked()
	if err != nil {
		return nil, err
	}
	for _, k := range marked {
		blocks = append(blocks, predict.Block{Name: k.Name, Code: k.Lines, Loop: k.Loop})
	}
	if len(blocks) > 0 {
		return blocks, nil
	}
	for _, fn := range obj.Functions() {
		for _, l := range obj.Loops(fn) {
			if !l.Innermost {
				continue
			}
			if k, err := l.Kernel(object.KernelOptions{}); err == nil {
				blocks = append(blocks, predict.Block{Name: k.Name, Code: k.Lines, Loop: true})
			}
		}
	}
	if len(blocks) == 0 && bare {
		r := predict.Reader{ISA: obj.ISA}
		k, err := r.Code(data, 0)
		if err != nil {
			return nil, err
		}
		blocks = append(blocks, predict.Block{Name: name, Code: k.Lines, Loop: k.Loop})
	}
	if len(blocks) == 0 {
		return nil, errors.New("no markers and no loops in its code")
	}
	return blocks, nil
}
