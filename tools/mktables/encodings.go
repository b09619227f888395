package main

// encodings writes the columns that the decoders and encoders read.
func (b *builder) encodings() {
	switch b.target {
	case "AArch64", "RISCV":
		b.fixedEncodings()
		b.printAliases()
	case "X86":
		b.x86Encodings()
	}
}
