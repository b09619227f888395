package report

// Advice is a change of the loop whose predicted cycles, by the same engine, are fewer.
type Advice struct {
	// Kind is "accumulators", "reassociate", "unroll", "addressing", "align-loop", "align-data", "wider-vectors", "keep-in-register", "false-dependency",
	// "other-instruction", "reciprocal", "hoist" or "sink-store".
	Kind string `json:"kind"`
	// What is the object of the change: the operation of a reduction ("sum"), an instruction or its mnemonic; "" for other kinds.
	What string `json:"what,omitempty"`
	// Operands are registers; for "other-instruction" the instructions that replace it.
	Operands []string `json:"operands"`
	// Count is the number of accumulators, of copies of the body or of pointers, the bytes of an alignment, or the bits of a vector; 0 for other kinds.
	Count        int   `json:"count,omitempty"`
	Accumulators int   `json:"accumulators,omitempty"` // number of accumulators, if wider vectors need several
	Instructions []int `json:"instructions"`           // indices of the affected instructions of the unchanged loop
	// Before and After are cycles per iteration of the unchanged loop; one iteration of the changed loop does the work of Iterations.
	Before     float64 `json:"before"`
	After      float64 `json:"after"`
	Gain       float64 `json:"gain"`  // the saved share of the cycles
	Bound      Bound   `json:"bound"` // the bound of the changed loop, as in Prediction.Bound
	Iterations float64 `json:"iterations"`
	// Assumes lists its conditions: "reassociation", "no-alias", "multiple", "rounding", "contiguous", "unmasked", "fits-32", "not-zero", "upper-bits", "upper-lanes".
	Assumes []string `json:"assumes"`
	// Conditional is set if Before is not the prediction but the least cycles of the loop with badly aligned arrays.
	Conditional bool         `json:"conditional,omitempty"`
	Code        []AdviceLine `json:"code"`             // the changed loop
	Front       []AdviceLine `json:"front,omitempty"`  // instructions that move in front of the loop
	Behind      []AdviceLine `json:"behind,omitempty"` // instructions that move behind the loop
	Text        string       `json:"text"`             // the change in words
	Conditions  string       `json:"conditions,omitempty"`
	Option      string       `json:"option,omitempty"` // the option, pragma or keyword by which gcc and clang do it
}

// AdviceLine is an instruction of a changed loop.
type AdviceLine struct {
	From int    `json:"from"` // index of the original instruction; -1: none
	Text string `json:"text"`
	New  bool   `json:"new,omitempty"` // changed or added
}
