package report

// Advice is a change of the loop that was predicted as the loop itself was, and is faster.
type Advice struct {
	// Kind is "accumulators", "reassociate", "unroll", "addressing", "align-loop", "align-data", "wider-vectors", "keep-in-register", "store-forwarding", "false-dependency",
	// "other-instruction", "reciprocal" or "hoist".
	Kind string `json:"kind"`
	// What it is about: the operation of a reduction ("sum"), an instruction or its mnemonic; "" of other kinds.
	What string `json:"what,omitempty"`
	// Operands are registers, or of "other-instruction" the instructions in its place.
	Operands []string `json:"operands"`
	// Count is how many accumulators, copies of the body or pointers, the bytes of an alignment or bits of a vector, or how many of Instructions are the stores; 0 of other kinds.
	Count        int   `json:"count,omitempty"`
	Accumulators int   `json:"accumulators,omitempty"` // of wider vectors, if these need several
	Instructions []int `json:"instructions"`           // of the loop as it is that it is about
	// Before and After are cycles per iteration of the loop as it is; one iteration of the changed loop does the work of Iterations.
	Before     float64 `json:"before"`
	After      float64 `json:"after"`
	Gain       float64 `json:"gain"`  // share of the cycles that it saves
	Bound      string  `json:"bound"` // what limits the changed loop
	Iterations float64 `json:"iterations"`
	// Assumes is what it takes for granted: "reassociation", "no-alias", "multiple", "rounding", "contiguous", "unmasked", "fits-32", "not-zero", "upper-lanes".
	Assumes []string `json:"assumes"`
	// Conditional: Before is not the prediction, but what the loop takes at least where its arrays lie badly.
	Conditional bool         `json:"conditional,omitempty"`
	Code        []AdviceLine `json:"code"`            // the changed loop
	Front       []AdviceLine `json:"front,omitempty"` // what moves in front of the loop
	Text        string       `json:"text"`            // what to do, in words
	Conditions  string       `json:"conditions,omitempty"`
}

// AdviceLine is an instruction of a changed loop.
type AdviceLine struct {
	From int    `json:"from"` // the instruction of the loop that it is or was made of; -1: none
	Text string `json:"text"`
	New  bool   `json:"new,omitempty"` // not as it was
}
