// Package branches is a model of a core's branch prediction: directions by TAGE, targets of indirect branches by the way that led there, returns by a stack.
// What a given core has is seldom known; sizes are of the order that the literature has for the first-level predictors of today's cores.
package branches

// Predictor foresees branches, and learns from each. The zero value has seen none.
type Predictor struct {
	directions tage
	targets    targets
	returns    [returnEntries]uint64
	top        int
}

// returnEntries is how many calls deep returns are foreseen.
const returnEntries = 32

// Conditional says what a conditional branch at an address does, and reports whether that was foreseen.
func (p *Predictor) Conditional(branch uint64, taken bool) (foreseen bool) {
	foreseen = p.directions.predict(branch, taken)
	p.directions.note(branch, taken)
	return foreseen
}

// Jump says that a direct jump or call leads from an address to another, which is always foreseen, and is a part of the way to later branches.
func (p *Predictor) Jump(branch, target uint64) { p.targets.note(target) }

// Indirect says where a branch through a register or memory leads, and reports whether that was foreseen.
func (p *Predictor) Indirect(branch, target uint64) (foreseen bool) {
	foreseen = p.targets.predict(branch, target)
	p.targets.note(target)
	return foreseen
}

// Call says that a call will return to an address.
func (p *Predictor) Call(back uint64) {
	p.top = (p.top + 1) % returnEntries
	p.returns[p.top] = back
}

// Return says where a return leads, and reports whether that was foreseen.
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
