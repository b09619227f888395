# isa aarch64
# ThunderX2 by PMBS'19, table II: loads and stores 4 cycles, FP 6, integer 1.

# four updates of an in-place sweep; three additions and a multiplication each, of which the
# first addition is of the two neighbours that the update before does not make
gauss_seidel:  # want arch=tx2 lcd=72 cp=100 uniform=9.83
ldr d16, [x2, x6, lsl 3]
ldr d17, [x2, 8]
mov x3, x2
add x4, x2, 24
ldr d18, [x2, x7, lsl 3]
add x2, x2, 32
fadd d19, d16, d17
fadd d19, d19, d15
fadd d19, d19, d18
fmul d20, d19, d8
str d20, [x3], 8
ldr d21, [x3, x6, lsl 3]
ldr d22, [x3, 8]
add x5, x3, 8
ldr d23, [x3, x7, lsl 3]
fadd d24, d21, d22
fadd d24, d24, d20
fadd d24, d24, d23
fmul d25, d24, d8
str d25, [x2, -24]
ldr d26, [x5, x6, lsl 3]
ldr d27, [x3, 16]
ldr d28, [x5, x7, lsl 3]
fadd d29, d26, d27
fadd d29, d29, d25
fadd d29, d29, d28
fmul d30, d29, d8
str d30, [x3, 8]
ldr d0, [x2]
ldr d1, [x4, x6, lsl 3]
ldr d2, [x4, x7, lsl 3]
fadd d3, d1, d0
fadd d3, d3, d30
fadd d3, d3, d2
fmul d15, d3, d8
str d15, [x2, -8]
cmp x9, x2
bne .L

daxpy:  # want arch=tx2 lcd=1 cp=14 tp=1.5 chains=1
ldr d0, [x0, x2, lsl 3]
ldr d1, [x1, x2, lsl 3]
fmadd d1, d0, d8, d1
str d1, [x1, x2, lsl 3]
add x2, x2, 1
cmp x2, x3
bne .L

sum:  # want arch=tx2 lcd=6 cp=10 chains=3
ldr d1, [x0], #8
fadd d0, d0, d1
subs x1, x1, #1
bne .L

# six accumulators hide the latency; pair loads take 5 cycles and both load/store slots: three of them 3 cycles, as six additions on
# P0 and P1
sum_six:  # want arch=tx2 lcd=6 cp=11 chains=8 tp=3
ldp d16, d17, [x0]
ldp d18, d19, [x0, #16]
ldp d20, d21, [x0, #32]
fadd d0, d0, d16
fadd d1, d1, d17
fadd d2, d2, d18
fadd d3, d3, d19
fadd d4, d4, d20
fadd d5, d5, d21
add x0, x0, #48
subs x1, x1, #1
bne .L

# the paper's rule: a path may go from the stored value through the written-back base, but no chain
write_back:  # want arch=tx2 lcd=1 cp=14 chains=1
fadd d1, d0, d2
str d1, [x0], #8
ldr d3, [x0]

divide:  # want arch=tx2 lcd=23 cp=23 tp=6
fdiv d0, d0, d1

# the branch is fused with the compare: 4 + 1
chase:  # want arch=tx2 lcd=4 cp=5 chains=1
ldr x0, [x0]
cmp x0, 0
bne .L

# Neoverse V2: FMADD needs its accumulator 2 cycles late
fma_sum:  # want arch=neoverse-v2 lcd=2 cp=10 chains=3
ldr d1, [x0], #8
fmadd d0, d1, d2, d0
subs x1, x1, #1
b.ne .L

# the other operands are needed at once
fma_product:  # want arch=neoverse-v2 lcd=4 cp=4 chains=1
fmadd d0, d0, d1, d2

maximum:  # want arch=neoverse-v2 lcd=2 cp=6 chains=4
ldr x3, [x0], #8
cmp x3, x1
csel x1, x3, x1, gt
subs x2, x2, #1
b.ne .L

carry:  # want arch=neoverse-v2 lcd=1 cp=6 chains=2
ldr x3, [x0]
adcs x3, x3, x4
str x3, [x1]
add x0, x0, #8

carry_noflags:  # want arch=neoverse-v2 lcd=1 cp=6 chains=1 noflags
ldr x3, [x0]
adcs x3, x3, x4
str x3, [x1]
add x0, x0, #8

eliminated:  # want arch=neoverse-n2 lcd=1 cp=1 chains=1
mov x3, x4
add x4, x3, #1

not_eliminated:  # want arch=neoverse-v2 lcd=2 cp=2 chains=1
mov x3, x4
add x4, x3, #1

copy_pairs:  # want arch=neoverse-v2 lcd=1 chains=2
ldp q0, q1, [x0], #32
stp q0, q1, [x1], #32

a64fx_fma:  # want arch=a64fx lcd=9 cp=9 chains=1
fmla z0.d, p0/m, z1.d, z2.d

# Fujitsu: loads of vector registers take 8 cycles
a64fx_horner:  # want arch=a64fx lcd=9 cp=17 chains=2
ldr d3, [x0], #8
fmadd d0, d0, d1, d3

# forwarding is taken to cost that load (6, of a vector register); store 2, add 2
recurrence:  # want arch=neoverse-v2 lcd=10 chains=2
ldr d0, [x0, #-8]
fadd d0, d0, d1
str d0, [x0], #8

zeroed:  # want arch=neoverse-v2 lcd=0 chains=0
movi v0.2d, #0
fadd v0.2d, v0.2d, v1.2d

integer_views:  # want arch=neoverse-v2 lcd=2 cp=2 chains=1
add w0, w1, #1
add x1, x0, #1
