package machine

// FeatureDocs lists the features that a model file may switch on, and what each means.
var FeatureDocs = map[string]string{
	"micro-fusion":        "a load µop and the operation on its value, and the two µops of a store, take one dispatch slot",
	"slots-from-ports":    "dispatch slots are the µops listed; the source's own count is not used",
	"zero-idioms":         "every zero idiom of the ISA (xor r,r …) is resolved at rename: no port, no dependence",
	"dep-breaking":        "every dependency-breaking form of the ISA (pcmpeq x,x …) executes without waiting for its operands",
	"stack-engine":        "the stack pointer's update by push, pop, call and ret takes no µop and no latency",
	"merge-renamed":       "writes to a part of a register don't depend on the rest of it",
	"memory-renaming":     "a load from the address of a recent store of equal base and offset takes the value at rename",
	"fast-pointer-chase":  "a load whose address comes from a load, with simple addressing, takes one cycle less",
	"complex-addresses":   "an address with a scaled index, or of base, index and displacement, is there one cycle later",
	"bind-at-rename":      "a µop's port is chosen when it is renamed, not when it issues",
	"move-fusion":         "a register move and an arithmetic or logic operation on its result take one slot and one port",
	"writeback-conflicts": "two loads of different latency on one port do not finish in the same cycle",
	"early-wakeup":        "a µop that waits for a port wakes its consumers as if it had got one; they take ports in vain",
	"crossing-counts":     "the predecoder counts an instruction that ends in the next block in the block of its opcode, too",
	"jcc-erratum":         "jumps that cross a 32-byte boundary or end on one are not held by the µop cache; reports say so where addresses are known, nothing simulates it",
	"fuse-last-decoder":   "the last decoder takes instructions that may fuse with the next one",
	"store-lines":         "two stores reach the data cache in one cycle only if they are neighbours and go to one line, else one",
	"line-crossing":       "a load or store of bytes of two cache lines uses its port twice",
	"moving-stores":       "a store of a vector whose address moves takes half a slot of the vector loads",
	"renaming-simple":     "memory renaming leaves out addresses with an index and read-modify-write operations with a register operand",
	"renaming-distant":    "memory renaming finds what a store wrote although it has been executed again since",
	"renaming-bytes":      "memory renaming serves loads of 8 bits as well, but none of 16",
	"renaming-loads":      "memory renaming serves plain loads only, no read-modify-write operation",
	"macro-ops":           "a dispatch slot holds one instruction of up to two µops (Arm MOPs), whatever ports they need",
}
