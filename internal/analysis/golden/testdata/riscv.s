# isa riscv64
# SiFive 7 by LLVM: loads 3 (FP loads as well, since its pull request 159462), integer 3 with operands needed 2 late, FP 7.

sum:  # want arch=sifive-7 lcd=7 cp=10 chains=2
fld fa1, 0(a0)
fadd.d fa0, fa0, fa1
addi a0, a0, 8
bne a0, a1, .L

chase:  # want arch=sifive-7 lcd=3
ld a0, 0(a0)
bnez a0, .L

counters:  # want arch=sifive-7 lcd=2 cp=4 chains=1
addi a0, a0, 1
addi a0, a0, 1

# compressed forms are the same instructions
counters_c:  # want arch=sifive-7 lcd=2 cp=4 chains=1
c.addi a0, 1
c.addi a0, 1

divide:  # want arch=sifive-7 lcd=56 tp=55 chains=1
fdiv.d fa0, fa0, fa1

# SiFive P450: loads 4 (FP 5), FP 4, stores 1
daxpy:  # want arch=sifive-p450 lcd=1 cp=10 tp=2 chains=2
fld fa0, 0(a0)
fld fa1, 0(a1)
fmadd.d fa1, fa0, fa2, fa1
fsd fa1, 0(a1)
addi a0, a0, 8
addi a1, a1, 8
bne a0, a2, .L

# store 1, forwarding as a load 4, add 1
counter:  # want arch=sifive-p450 lcd=6 chains=1
ld a1, 0(a0)
addi a1, a1, 1
sd a1, 0(a0)

# the same one element on: a load of a floating-point register takes 5, the addition 4
running_sum:  # want arch=sifive-p450 lcd=10 chains=2
fld fa0, -8(a0)
fadd.d fa0, fa0, fa1
fsd fa0, 0(a0)
addi a0, a0, 8

# and two elements on
running_sum_two:  # want arch=sifive-p450 lcd=5 chains=2
fld fa0, -16(a0)
fadd.d fa0, fa0, fa1
fsd fa0, 0(a0)
addi a0, a0, 8

# the length: vsetvli, which needs a2 two cycles late (1), and the subtraction of its result (3)
vector_axpy:  # want arch=sifive-7 lcd=4 cp=13 chains=4
vsetvli t0, a2, e64, m1, ta, ma
vle64.v v8, (a0)
vle64.v v9, (a1)
vfmacc.vf v9, fa0, v8
vse64.v v9, (a1)
sub a2, a2, t0
slli t1, t0, 3
add a0, a0, t1
add a1, a1, t1
bnez a2, .L
