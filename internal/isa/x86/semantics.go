package x86

import "incore/internal/isa"

func refine(in *isa.Inst, e *isa.Effects)              {}
func flow(in *isa.Inst) isa.Flow                       { return isa.Flow{} }
func zeroIdiom(in *isa.Inst) bool                      { return false }
func depBreaking(in *isa.Inst) bool                    { return false }
func regMove(in *isa.Inst) (dst, src isa.Reg, ok bool) { return }
func fusesWith(first, second *isa.Inst) (kind string)  { return "" }
func constant(r isa.Reg) bool                          { return false }
