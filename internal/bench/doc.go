// Package bench plans and evaluates measurements of single instruction forms on the machine under us. It runs nothing
// itself: incore/internal/bench/block lays out and times code, which incore/internal/bench/host runs.
//
// Instruction forms: a Target (target.go; x86.go, arm64.go, riscv64.go) is what plans need of an instruction set. An
// instance (instance.go) makes instructions of one form. Plans are made of these: plan.go for throughput, chains.go for
// latencies, memory.go, branches.go, stack.go, cases.go (operands by value), mix.go (several forms side by side). timing.go
// measures plans, forms.go all of a form's, solve.go separates sums of
// latencies. results.go and rows.go write what was found.
//
// Models of results: build.go makes one; confirm.go and refute.go compare it with its base; layer.go makes rows of what
// several runs agree on; diff.go and winic.go compare models with each other and with WINIC's measurements.
//
// Without a machine: emulate.go runs plans under QEMU, without times; played.go has a model's simulator in its place.
package bench
