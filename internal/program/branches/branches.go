// Package branches models a core's branch prediction: directions by TAGE, targets of indirect branches by the branch history, returns by a stack. The
// predictors of real cores are seldom known; the sizes are typical of published first-level predictors of today's cores.
package branches

// Predictor predicts branches and learns from each. The zero value has not seen any.
type Predictor struct {
	directions tage
	targets    targets
	returns    [returnEntries]uint64
	top        int
}

// returnEntries is the number of nested calls whose returns are predicted.
const returnEntries = 32

// Conditional processes a conditional branch at an address, and reports whether its direction was predicted.
func (p *Predictor) Conditional(branch uint64, taken bool) (foreseen bool) {
	foreseen = p.directions.predict(branch, taken)
	p.directions.note(branch, taken)
	return foreseen
}

// Indirect processes a branch through a register or memory, and reports whether its target was predicted.
func (p *Predictor) Indirect(branch, target uint64) (foreseen bool) {
	foreseen = p.targets.predict(branch, target)
	p.targets.note(target)
	return foreseen
}

// Call pushes the return address of a call.
func (p *Predictor) Call(back uint64) {
	p.top = (p.top + 1) % returnEntries
	p.returns[p.top] = back
}

// Return processes a return, and reports whether its target was predicted.
func (p *Predictor) Return(target uint64) (foreseen bool) {
	foreseen = p.returns[p.top] == target
	p.top = (p.top + returnEntries - 1) % returnEntries
	return foreseen
}

// mix is a hash of 64 bits (the finalizer of splitmix64).
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}
