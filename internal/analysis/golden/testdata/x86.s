# isa x86-64
# Skylake by LLVM (skylake-llvm.model): scalar loads 5 cycles (256 bits: 7), FP add, multiply and FMA 4, integer 1, imul 3, stores 1, forwarding 4.

# 5 + 4 + 4 + 1; three memory operations on ports 2 and 3 (the store's address is indexed)
triad:  # want arch=skylake-llvm tp=1.5 lcd=1 cp=14 slots=6 dispatch=1.5 chains=1
movsd (%rsi,%rax,8), %xmm0
mulsd %xmm2, %xmm0
addsd (%rdx,%rax,8), %xmm0
movsd %xmm0, (%rdi,%rax,8)
addq $1, %rax
cmpq %rax, %rcx
jne triad

# three µops on 0156
sum:  # want arch=skylake-llvm tp=0.75 lcd=4 cp=9 chains=2
addsd (%rdi,%rax,8), %xmm0
addq $1, %rax
cmpq %rax, %rcx
jne sum

sum_two:  # want arch=skylake-llvm tp=1 lcd=4 cp=9 chains=3
addsd (%rdi), %xmm0
addsd 8(%rdi), %xmm1
addq $16, %rdi
cmpq %rdi, %rcx
jne sum_two

sum_zen4:  # want arch=zen4 lcd=3 cp=10 chains=2
addsd (%rdi,%rax,8), %xmm0
addq $1, %rax
cmpq %rax, %rcx
jne sum_zen4

# Intel's fast path: 4 cycles for a plain base and a displacement below 2048, else 5
chase:  # want arch=skylake-llvm lcd=4 cp=6 chains=1
movq (%rax), %rax
testq %rax, %rax
jne chase

chase_field:  # want arch=skylake-llvm lcd=4 cp=5
movq 2040(%rax), %rax

chase_far:  # want arch=skylake-llvm lcd=5 cp=5
movq 2048(%rax), %rax

chase_indexed:  # want arch=skylake-llvm lcd=5 cp=5
movq (%rax,%rbx), %rax

# the value is computed on: no fast path, 5 + 1
chase_computed:  # want arch=skylake-llvm lcd=6 cp=6
movq (%rax), %rax
addq %rbx, %rax

chase_icelake:  # want arch=icelake-client lcd=5 cp=5
movq (%rax), %rax

dot:  # want arch=skylake-llvm tp=1 lcd=4 cp=11 chains=2
vmovupd (%rdi,%rax), %ymm1
vfmadd231pd (%rsi,%rax), %ymm1, %ymm0
addq $32, %rax
cmpq %rax, %rcx
jne dot

# the path is the load and the addition behind it, 9; multiplication and addition are 8
horner:  # want arch=skylake-llvm lcd=8 cp=9 chains=1
mulsd %xmm1, %xmm0
addsd (%rdi), %xmm0

hash:  # want arch=skylake-llvm lcd=4 cp=4 tp=1 chains=1
imulq $31, %rax, %rax
addq %rbx, %rax

# forwarding 4 from the stored register to the loaded value, add 4
prefix_sum:  # want arch=skylake-llvm lcd=8 cp=10 chains=2
movsd -8(%rdi,%rax,8), %xmm0
addsd (%rsi,%rax,8), %xmm0
movsd %xmm0, (%rdi,%rax,8)
addq $1, %rax
cmpq %rax, %rcx
jne prefix_sum

prefix_sum_two:  # want arch=skylake-llvm lcd=4 cp=10 chains=2
movsd -16(%rdi,%rax,8), %xmm0
addsd (%rsi,%rax,8), %xmm0
movsd %xmm0, (%rdi,%rax,8)
addq $1, %rax
cmpq %rax, %rcx
jne prefix_sum_two

# reads what the iteration will overwrite: no dependence
in_place:  # want arch=skylake-llvm lcd=1 cp=10 chains=1
movsd 8(%rdi,%rax,8), %xmm0
addsd (%rsi,%rax,8), %xmm0
movsd %xmm0, (%rdi,%rax,8)
addq $1, %rax
cmpq %rax, %rcx
jne in_place

# the pointer moves by lea and its copy is stored through
copied_pointer:  # want arch=skylake-llvm lcd=8 cp=10
movsd (%rdi), %xmm0
movq %rdi, %rdx
addsd %xmm1, %xmm0
leaq 8(%rdi), %rdi
movsd %xmm0, 8(%rdx)
cmpq %rdi, %rcx
jne copied_pointer

# forwarding 4, add 1
spill:  # want arch=skylake-llvm lcd=5 cp=6 chains=1
movq %rax, -8(%rsp)
movq -8(%rsp), %rax
addq $1, %rax

push_pop:  # want arch=skylake-llvm chains=1
pushq %rax
popq %rax
addq $1, %rax

# the addition 1 behind the load, forwarding 4
counter:  # want arch=skylake-llvm lcd=5 cp=7 chains=1
addq $1, (%rdi)

# the value is taken at rename, so that only the addition remains
counter_zen4:  # want arch=zen4 lcd=1 cp=5 chains=1
addq $1, (%rdi)

histogram:  # want arch=skylake-llvm lcd=1
movzbl (%rdi), %eax
addl $1, (%rsi,%rax,4)
addq $1, %rdi
cmpq %rdi, %rdx
jne histogram

# the carry: dec leaves it alone
bignum:  # want arch=skylake-llvm lcd=1 cp=7 chains=3
movq (%rsi,%rax,8), %r8
adcq (%rdx,%rax,8), %r8
movq %r8, (%rdi,%rax,8)
leaq 1(%rax), %rax
decq %rcx
jne bignum

bignum_noflags:  # want arch=skylake-llvm lcd=1 cp=7 chains=2 noflags
movq (%rsi,%rax,8), %r8
adcq (%rdx,%rax,8), %r8
movq %r8, (%rdi,%rax,8)
leaq 1(%rax), %rax
decq %rcx
jne bignum_noflags

# load 5, compare 1, cmov 1; the maximum goes through both
maximum:  # want arch=skylake-llvm lcd=2 cp=7 chains=3
movq (%rdi), %rbx
cmpq %rbx, %rax
cmovl %rbx, %rax
addq $8, %rdi
cmpq %rdi, %rsi
jne maximum

maximum_noflags:  # want arch=skylake-llvm lcd=1 chains=2 noflags
movq (%rdi), %rbx
cmpq %rbx, %rax
cmovl %rbx, %rax
addq $8, %rdi
cmpq %rdi, %rsi
jne maximum_noflags

zeroed:  # want arch=skylake-llvm lcd=1 cp=7 chains=1
xorl %eax, %eax
addl (%rdi), %eax
addl %eax, %ebx

# three circles: all four, without ebx (3), ebx alone (1)
not_zeroed:  # want arch=skylake-llvm lcd=4 cp=8 chains=3
xorl %ecx, %eax
addl (%rdi), %eax
addl %eax, %ebx
addl %ebx, %eax

eliminated:  # want arch=skylake-llvm lcd=1 cp=1 chains=1 tp=0.25
movq %rax, %rbx
addq $1, %rbx
movq %rbx, %rax

# sandybridge does not eliminate moves
not_eliminated:  # want arch=sandybridge lcd=3 cp=3 chains=1
movq %rax, %rbx
addq $1, %rbx
movq %rbx, %rax

square_root:  # want arch=skylake-llvm lcd=18 cp=18 tp=6
sqrtsd %xmm0, %xmm0

divisions:  # want arch=skylake-llvm lcd=0 cp=14 tp=4 chains=0
movapd %xmm3, %xmm2
divsd %xmm1, %xmm2

# three vectors on ports 0 and 1 and 5, one alone on 5
shuffle:  # want arch=skylake-llvm tp=1.3333 lcd=0 uniform=2
vpaddd %ymm0, %ymm1, %ymm2
vpaddd %ymm0, %ymm1, %ymm3
vpaddd %ymm0, %ymm1, %ymm4
vpermd %ymm0, %ymm1, %ymm5

fibonacci:  # want arch=skylake-llvm lcd=1 cp=1
leaq (%rax,%rbx), %rcx
movq %rbx, %rax
movq %rcx, %rbx
decq %rdx
jne fibonacci

# PMBS'19, table I, for code of this shape: of four updates one begins with its neighbours'
# sum, three with the west neighbour, so that ten additions and four multiplications are in the chain.
# Cascade Lake 10 × 4 + 4 × 4, Zen 10 × 3 + 4 × 4; the path has a load, two additions and a store more.
gauss_seidel_clx:  # want arch=cascadelake lcd=56 cp=72
vmovsd (%rdi,%rax,8), %xmm1
vmovsd 16(%rsi,%rax,8), %xmm4
vmovsd (%rdx,%rax,8), %xmm5
vaddsd %xmm4, %xmm1, %xmm1
vaddsd %xmm5, %xmm1, %xmm1
vaddsd %xmm0, %xmm1, %xmm1
vmulsd %xmm1, %xmm15, %xmm1
vmovsd %xmm1, 8(%rsi,%rax,8)
vmovsd 24(%rsi,%rax,8), %xmm4
vmovsd 8(%rdi,%rax,8), %xmm5
vmovsd 8(%rdx,%rax,8), %xmm6
vaddsd %xmm4, %xmm1, %xmm2
vaddsd %xmm5, %xmm2, %xmm2
vaddsd %xmm6, %xmm2, %xmm2
vmulsd %xmm2, %xmm15, %xmm2
vmovsd %xmm2, 16(%rsi,%rax,8)
vmovsd 32(%rsi,%rax,8), %xmm4
vmovsd 16(%rdi,%rax,8), %xmm5
vmovsd 16(%rdx,%rax,8), %xmm6
vaddsd %xmm4, %xmm2, %xmm3
vaddsd %xmm5, %xmm3, %xmm3
vaddsd %xmm6, %xmm3, %xmm3
vmulsd %xmm3, %xmm15, %xmm3
vmovsd %xmm3, 24(%rsi,%rax,8)
vmovsd 40(%rsi,%rax,8), %xmm4
vmovsd 24(%rdi,%rax,8), %xmm5
vmovsd 24(%rdx,%rax,8), %xmm6
vaddsd %xmm4, %xmm3, %xmm0
vaddsd %xmm5, %xmm0, %xmm0
vaddsd %xmm6, %xmm0, %xmm0
vmulsd %xmm0, %xmm15, %xmm0
vmovsd %xmm0, 32(%rsi,%rax,8)
addq $4, %rax
cmpq %rcx, %rax
jb gauss_seidel_clx

gauss_seidel_zen:  # want arch=zen1 lcd=46 cp=60
vmovsd (%rdi,%rax,8), %xmm1
vmovsd 16(%rsi,%rax,8), %xmm4
vmovsd (%rdx,%rax,8), %xmm5
vaddsd %xmm4, %xmm1, %xmm1
vaddsd %xmm5, %xmm1, %xmm1
vaddsd %xmm0, %xmm1, %xmm1
vmulsd %xmm1, %xmm15, %xmm1
vmovsd %xmm1, 8(%rsi,%rax,8)
vmovsd 24(%rsi,%rax,8), %xmm4
vmovsd 8(%rdi,%rax,8), %xmm5
vmovsd 8(%rdx,%rax,8), %xmm6
vaddsd %xmm4, %xmm1, %xmm2
vaddsd %xmm5, %xmm2, %xmm2
vaddsd %xmm6, %xmm2, %xmm2
vmulsd %xmm2, %xmm15, %xmm2
vmovsd %xmm2, 16(%rsi,%rax,8)
vmovsd 32(%rsi,%rax,8), %xmm4
vmovsd 16(%rdi,%rax,8), %xmm5
vmovsd 16(%rdx,%rax,8), %xmm6
vaddsd %xmm4, %xmm2, %xmm3
vaddsd %xmm5, %xmm3, %xmm3
vaddsd %xmm6, %xmm3, %xmm3
vmulsd %xmm3, %xmm15, %xmm3
vmovsd %xmm3, 24(%rsi,%rax,8)
vmovsd 40(%rsi,%rax,8), %xmm4
vmovsd 24(%rdi,%rax,8), %xmm5
vmovsd 24(%rdx,%rax,8), %xmm6
vaddsd %xmm4, %xmm3, %xmm0
vaddsd %xmm5, %xmm0, %xmm0
vaddsd %xmm6, %xmm0, %xmm0
vmulsd %xmm0, %xmm15, %xmm0
vmovsd %xmm0, 32(%rsi,%rax,8)
addq $4, %rax
cmpq %rcx, %rax
jb gauss_seidel_zen

# the same costs with memory operands: additions enter behind the loads
fused_loads_clx:  # want arch=cascadelake lcd=12 cp=20 chains=2
vaddsd (%rdi,%rax,8), %xmm0, %xmm0
vaddsd (%rsi,%rax,8), %xmm0, %xmm0
vmulsd %xmm0, %xmm15, %xmm0
vmovsd %xmm0, (%rdx,%rax,8)
addq $1, %rax

fused_loads_zen:  # want arch=zen1 lcd=10 cp=18 chains=2
vaddsd (%rdi,%rax,8), %xmm0, %xmm0
vaddsd (%rsi,%rax,8), %xmm0, %xmm0
vmulsd %xmm0, %xmm15, %xmm0
vmovsd %xmm0, (%rdx,%rax,8)
addq $1, %rax
