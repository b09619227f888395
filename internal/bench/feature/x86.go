package feature

import (
	"regexp"
	"sync"

	"incore/internal/bench/host"
	"incore/internal/isa"
)

// A cpuFeature is a CPUID bit for a set of instructions, and the register state that the operating system must have
// enabled for them (bits of XCR0). Sources: Intel SDM volume 2, CPUID, and the instruction set extensions' programming
// reference; AMD APM volume 3, appendix E. Names are Linux's where it has one.
type cpuFeature struct {
	name      string
	leaf, sub uint32
	reg, bit  uint8 // reg: 0 eax, 1 ebx, 2 ecx, 3 edx
	state     uint64
}

// The state of vector, mask, tile and APX registers.
const (
	avxState  = 1<<1 | 1<<2
	zmmState  = avxState | 1<<5 | 1<<6 | 1<<7
	tileState = 1<<17 | 1<<18
	apxState  = 1 << 19
)

const (
	eax = iota
	ebx
	ecx
	edx
)

var cpuFeatures = []cpuFeature{
	{"sse3", 1, 0, ecx, 0, 0}, {"pclmulqdq", 1, 0, ecx, 1, 0}, {"ssse3", 1, 0, ecx, 9, 0}, {"fma", 1, 0, ecx, 12, avxState}, {"cx16", 1, 0, ecx, 13, 0},
	{"sse4_1", 1, 0, ecx, 19, 0}, {"sse4_2", 1, 0, ecx, 20, 0}, {"movbe", 1, 0, ecx, 22, 0}, {"popcnt", 1, 0, ecx, 23, 0}, {"aes", 1, 0, ecx, 25, 0},
	{"xsave", 1, 0, ecx, 27, 0}, {"avx", 1, 0, ecx, 28, avxState}, {"f16c", 1, 0, ecx, 29, avxState}, {"rdrand", 1, 0, ecx, 30, 0}, {"mmx", 1, 0, edx, 23, 0},
	{"sse", 1, 0, edx, 25, 0}, {"sse2", 1, 0, edx, 26, 0},
	{"fsgsbase", 7, 0, ebx, 0, 0}, {"sgx", 7, 0, ebx, 2, 0}, {"bmi1", 7, 0, ebx, 3, avxState}, {"avx2", 7, 0, ebx, 5, avxState}, {"bmi2", 7, 0, ebx, 8, avxState},
	{"invpcid", 7, 0, ebx, 10, 0}, {"rtm", 7, 0, ebx, 11, 0}, {"avx512f", 7, 0, ebx, 16, zmmState}, {"avx512dq", 7, 0, ebx, 17, zmmState}, {"rdseed", 7, 0, ebx, 18, 0},
	{"adx", 7, 0, ebx, 19, 0}, {"avx512_ifma", 7, 0, ebx, 21, zmmState}, {"clflushopt", 7, 0, ebx, 23, 0}, {"clwb", 7, 0, ebx, 24, 0}, {"avx512pf", 7, 0, ebx, 26, zmmState},
	{"avx512er", 7, 0, ebx, 27, zmmState}, {"avx512cd", 7, 0, ebx, 28, zmmState}, {"sha_ni", 7, 0, ebx, 29, 0}, {"avx512bw", 7, 0, ebx, 30, zmmState}, {"avx512vl", 7, 0, ebx, 31, zmmState},
	{"prefetchwt1", 7, 0, ecx, 0, 0}, {"avx512_vbmi", 7, 0, ecx, 1, zmmState}, {"pku", 7, 0, ecx, 4, 0}, {"waitpkg", 7, 0, ecx, 5, 0}, {"avx512_vbmi2", 7, 0, ecx, 6, zmmState},
	{"gfni", 7, 0, ecx, 8, 0}, {"vaes", 7, 0, ecx, 9, avxState}, {"vpclmulqdq", 7, 0, ecx, 10, avxState}, {"avx512_vnni", 7, 0, ecx, 11, zmmState}, {"avx512_bitalg", 7, 0, ecx, 12, zmmState},
	{"avx512_vpopcntdq", 7, 0, ecx, 14, zmmState}, {"rdpid", 7, 0, ecx, 22, 0}, {"keylocker", 7, 0, ecx, 23, 0}, {"cldemote", 7, 0, ecx, 25, 0}, {"movdiri", 7, 0, ecx, 27, 0},
	{"movdir64b", 7, 0, ecx, 28, 0}, {"enqcmd", 7, 0, ecx, 29, 0},
	{"avx512_4vnniw", 7, 0, edx, 2, zmmState}, {"avx512_4fmaps", 7, 0, edx, 3, zmmState}, {"uintr", 7, 0, edx, 5, 0}, {"avx512_vp2intersect", 7, 0, edx, 8, zmmState},
	{"serialize", 7, 0, edx, 14, 0}, {"tsxldtrk", 7, 0, edx, 16, 0}, {"amx_bf16", 7, 0, edx, 22, tileState}, {"avx512_fp16", 7, 0, edx, 23, zmmState}, {"amx_tile", 7, 0, edx, 24, tileState},
	{"amx_int8", 7, 0, edx, 25, tileState},
	{"sha512", 7, 1, eax, 0, avxState}, {"sm3", 7, 1, eax, 1, avxState}, {"sm4", 7, 1, eax, 2, avxState}, {"raoint", 7, 1, eax, 3, 0}, {"avx_vnni", 7, 1, eax, 4, avxState},
	{"avx512_bf16", 7, 1, eax, 5, zmmState}, {"cmpccxadd", 7, 1, eax, 7, 0}, {"lkgs", 7, 1, eax, 18, 0}, {"amx_fp16", 7, 1, eax, 21, tileState}, {"avx_ifma", 7, 1, eax, 23, avxState}, {"msrlist", 7, 1, eax, 27, 0},
	{"pbndkb", 7, 1, ebx, 1, 0}, {"avx_vnni_int8", 7, 1, edx, 4, avxState}, {"avx_ne_convert", 7, 1, edx, 5, avxState}, {"amx_complex", 7, 1, edx, 8, tileState},
	{"avx_vnni_int16", 7, 1, edx, 10, avxState}, {"prefetchi", 7, 1, edx, 14, 0}, {"usermsr", 7, 1, edx, 15, 0}, {"apxf", 7, 1, edx, 21, apxState},
	{"xsaveopt", 13, 1, eax, 0, 0}, {"ptwrite", 0x14, 0, ebx, 4, 0},
	{"svm", 0x80000001, 0, ecx, 2, 0}, {"abm", 0x80000001, 0, ecx, 5, 0}, {"sse4a", 0x80000001, 0, ecx, 6, 0}, {"3dnowprefetch", 0x80000001, 0, ecx, 8, 0}, {"xop", 0x80000001, 0, ecx, 11, avxState},
	{"lwp", 0x80000001, 0, ecx, 15, 0}, {"fma4", 0x80000001, 0, ecx, 16, avxState}, {"tbm", 0x80000001, 0, ecx, 21, avxState}, {"rdtscp", 0x80000001, 0, edx, 27, 0}, {"3dnow", 0x80000001, 0, edx, 31, 0},
	{"clzero", 0x80000008, 0, ebx, 0, 0}, {"rdpru", 0x80000008, 0, ebx, 4, 0}, {"padlock", 0xC0000001, 0, edx, 3, 0},
}

// X86 returns the table of x86-64.
func X86(set *isa.ISA) *Table {
	t := &Table{arch: "amd64", needs: func(f isa.FormID) []string { return x86Needs(set.Forms.Name(f), set.Forms.Encoding(f)) }}
	for _, f := range cpuFeatures {
		t.Names = append(t.Names, f.name)
	}
	return t
}

// x86Here returns the features that CPUID reports and whose state the operating system has enabled.
func x86Here() Set {
	has := Set{}
	state := host.EnabledState()
	for _, f := range cpuFeatures {
		if host.CPUID(f.leaf, f.sub)[f.reg]>>f.bit&1 != 0 && state&f.state == f.state {
			has[f.name] = true
		}
	}
	return has
}

// A featureRule gives the needs of forms by name and encoding; the first matching rule counts.
type featureRule struct {
	encodings string // of isa.FormTable.Encoding: V, E, X; L legacy
	name      *regexp.Regexp
	needs     []string
}

func needs(encodings, name string, features ...string) featureRule {
	return featureRule{encodings, regexp.MustCompile("^(?:" + name + ")"), features}
}

// featureRules give the features that forms need. LLVM's tables do not contain them, because its assembler accepts all.
// Instructions without a rule are in every x86-64 CPU, or a trial run shows whether they exist. A feature of an
// extension implies that of its vector width (AVX, AVX-512).
var featureRules = sync.OnceValue(func() []featureRule {
	const half = `V(?:ADD|SUB|MUL|DIV|MIN|MAX|MINC|MAXC|SQRT|RCP|RSQRT|CMP|COMI|UCOMI|FPCLASS|GETEXP|GETMANT|REDUCE|RNDSCALE|SCALEF|F(?:N)?M(?:ADD|SUB)(?:ADD|SUB)?(?:132|213|231)|FC?MADDC|FC?MULC|MOV)(?:PH|SH)(?:Z|_)`
	return []featureRule{
		needs("E", `.*_(?:EVEX|ND|NF)(?:_ND)?(?:_REV)?$`, "apxf"), needs("LE", `CCMP|CTEST|CFCMOV|SETZU|IMULZU|PUSH2|POP2|PUSHP|POPP|MOVBE(?:16|32|64)rr`, "apxf"),
		needs("E", `V4F`, "avx512_4fmaps"), needs("E", `VP4DP`, "avx512_4vnniw"), needs("E", `VEXP2|VRCP28|VRSQRT28`, "avx512er"), needs("E", `V(?:GATHER|SCATTER)PF`, "avx512pf"),
		needs("E", `VCVT(?:PH2PS|PS2PH)Z(?:128|256)`, "avx512f", "avx512vl"), needs("E", `VCVT(?:PH2PS|PS2PH)Z`, "avx512f"), // as F16C
		needs("E", half+`|VCVT.*(?:PH2|2PHX|SH2|2SH|W2PH|PH2W)|VCVT(?:U?DQ|U?QQ|PD|SD|USI|SI|USI64|SI64)2(?:PH|SH)|VMOVW|VMOVSH(?:Z|2W|to)`, "avx512_fp16"),
		needs("E", `VCVTNE2?PS2?.*BF16|VDPBF16`, "avx512_bf16"), needs("E", `VPOPCNT[BW]|VPSHUFBITQMB`, "avx512_bitalg"), needs("E", `VPOPCNT`, "avx512_vpopcntdq"),
		needs("E", `VP(?:COMPRESS|EXPAND)[BW]|VPSH[LR]D`, "avx512_vbmi2"), needs("E", `VPERM(?:I2|T2)?BZ|VPERM(?:I2|T2)B|VPMULTISHIFT`, "avx512_vbmi"), needs("E", `VPMADD52`, "avx512_ifma"),
		needs("E", `VPDP(?:BUSD|WSSD)`, "avx512_vnni"), needs("E", `VPCONFLICT|VPLZCNT|VPBROADCASTM`, "avx512cd"), needs("E", `VP2INTERSECT`, "avx512_vp2intersect"),
		needs("E", `VAES`, "vaes", "avx512f"), needs("E", `VPCLMUL`, "vpclmulqdq", "avx512f"), needs("E", `VGF2P8`, "gfni", "avx512f"),
		needs("E", `.*Z(?:128|256)`, "avx512f", "avx512vl"), needs("E", ``, "avx512f"),
		needs("V", `K(?:ADD|AND|ANDN|MOV|NOT|OR|ORTEST|SHIFT[LR]|TEST|UNPCK|XNOR|XOR)[BWDQ]?.*(?:rr|ri|kk|kr|rk|km|mk|[kmr])$`, "avx512f"),
		needs("V", `V?FN?M(?:ADD|SUB)(?:ADD|SUB)?[PS][SD]4`, "fma4"), needs("V", `VFN?M`, "fma"), needs("V", `VPERMIL2`, "xop"), needs("VX", `VPCMOV|VPROT|VPSH[AL]|VPPERM|VPCOM|VPMAC|VPMADC|VPH(?:ADD|SUB)(?:B|UB|W[DQ]|UW|DQ|UDQ)|VFRCZ`, "xop"),
		needs("X", `BLC|BLS|T1MSKC|TZMSK|BEXTRI`, "tbm"), needs("X", `LWP|LLWPCB|SLWPCB`, "lwp"), needs("X", ``, "xop"),
		needs("V", `VCVTPH2PS|VCVTPS2PH`, "f16c"), needs("V", `VAES.*Y`, "vaes"), needs("V", `VAES`, "aes", "avx"), needs("V", `VPCLMULQDQY`, "vpclmulqdq"), needs("V", `VPCLMUL`, "pclmulqdq", "avx"),
		needs("V", `VGF2P8`, "gfni", "avx"), needs("V", `VPMADD52`, "avx_ifma"), needs("V", `VPDP(?:BUSD|WSSD)`, "avx_vnni"), needs("V", `VPDPB`, "avx_vnni_int8"), needs("V", `VPDPW`, "avx_vnni_int16"),
		needs("V", `VBCSTNE|VCVTNE`, "avx_ne_convert"), needs("V", `VSHA512`, "sha512"), needs("V", `VSM3`, "sm3"), needs("V", `VSM4`, "sm4"), needs("V", `CMPCC`, "cmpccxadd"),
		needs("V", `TDPBF16`, "amx_bf16"), needs("V", `TDPFP16`, "amx_fp16"), needs("V", `TDPB`, "amx_int8"), needs("V", `TCMM`, "amx_complex"), needs("V", `TILE|LDTILE|STTILE`, "amx_tile"),
		needs("V", `ANDN|BEXTR|BLS`, "bmi1"), needs("V", `BZHI|MULX|PDEP|PEXT|RORX|SARX|SHLX|SHRX`, "bmi2"), needs("V", `VP.*Y|VMPSADBWY|VEXTRACTI128|VINSERTI128|VPERM2I128|VBROADCASTI128|VPBROADCAST|VPS[LR][LA]?V|VPMASKMOV|VP?GATHER`, "avx2"),
		needs("V", ``, "avx"),
		needs("L", `LZCNT`, "abm"), needs("L", `TZCNT`, "bmi1"), needs("L", `POPCNT`, "popcnt"), needs("L", `MOVBE`, "movbe"), needs("L", `AD[CO]X`, "adx"), needs("L", `RDRAND`, "rdrand"), needs("L", `RDSEED`, "rdseed"),
		needs("L", `CRC32|PCMPISTR|PCMPESTR|PCMPGTQ`, "sse4_2"), needs("L", `AES(?:ENC|DEC)(?:WIDE)?(?:128|256)KL|ENCODEKEY|LOADIWKEY`, "keylocker"), needs("L", `AES`, "aes"), needs("L", `PCLMUL`, "pclmulqdq"), needs("L", `SHA(?:1|256)`, "sha_ni"),
		needs("L", `GF2P8`, "gfni"), needs("L", `EXTRQ|INSERTQ|MOVNTS[SD]`, "sse4a"), needs("L", `CMPXCHG16B`, "cx16"), needs("L", `RD(?:FS|GS)BASE|WR(?:FS|GS)BASE`, "fsgsbase"), needs("L", `MOVDIRI`, "movdiri"), needs("L", `MOVDIR64`, "movdir64b"),
		needs("L", `ENQCMD`, "enqcmd"), needs("L", `SERIALIZE`, "serialize"), needs("L", `XSUSLDTRK|XRESLDTRK`, "tsxldtrk"), needs("L", `RDPID`, "rdpid"), needs("L", `RDTSCP`, "rdtscp"), needs("L", `CLDEMOTE`, "cldemote"),
		needs("L", `A(?:ADD|AND|OR|XOR)(?:32|64)`, "raoint"), needs("L", `XSHA|XSTORE|XCRYPT|MONTMUL`, "padlock"), needs("L", `RDPRU`, "rdpru"), needs("L", `CLZERO`, "clzero"), needs("L", `LKGS`, "lkgs"), needs("L", `PBNDKB`, "pbndkb"), needs("L", `TESTUI`, "uintr"),
		needs("L", `URDMSR|UWRMSR`, "usermsr"), needs("L", `RDMSRLIST|WRMSRLIST`, "msrlist"), needs("L", `PTWRITE`, "ptwrite"), needs("L", `PREFETCHWT1`, "prefetchwt1"), needs("L", `PREFETCHIT`, "prefetchi"), needs("L", `XTEST|XABORT|XBEGIN|XEND`, "rtm"),
		needs("L", `VM|INVEPT|INVVPID|RMPQUERY|INVLPGA`, "svm"), needs("L", `PF[A-Z0-9]+r|PI2F|PAVGUSB|PMULHRW(?:rr|rm)|PSWAPD`, "3dnow"),
		needs("L", `ADDSUB|HADDP|HSUBP|LDDQU|MOV(?:DDUP|SHDUP|SLDUP)|FISTTP`, "sse3"), needs("L", `(?:MMX_)?(?:PABS|PALIGNR|PH(?:ADD|SUB)|PMADDUBSW|PMULHRSW|PSHUFB|PSIGN)`, "ssse3"),
		needs("L", `BLEND|P?BLENDV|DPP[SD]|EXTRACTPS|INSERTPS|MOVNTDQA|MPSADBW|PACKUSDW|PBLEND|PCMPEQQ|PEXTR[BDQ]|PEXTRWmr|PHMINPOS|PINSR[BDQ]|P(?:MAX|MIN)(?:SB|SD|UD|UW)|PMOV[SZ]X|PMULDQ|PMULLD|PTEST|ROUND`, "sse4_1"),
	}
})

// x86Needs lists the CPUID features that a form needs.
func x86Needs(name string, encoding byte) []string {
	if encoding == 0 {
		encoding = 'L'
	}
	for _, r := range featureRules() {
		for i := range len(r.encodings) {
			if r.encodings[i] == encoding && r.name.MatchString(name) {
				return r.needs
			}
		}
	}
	return nil
}
