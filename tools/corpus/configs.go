package main

// compiler is a command and its configurations.
type compiler struct {
	name, cmd string
	ext       string // extensions it takes, each followed by a blank
	flags     string // for every configuration
	configs   []config
}

// config is a set of options; dir is the folder of the corpus to which it belongs.
type config struct{ name, dir, flags string }

const (
	cFlags   = "-S -w"
	cxxFlags = "-S -w -std=c++17"
	x64      = "--target=x86_64-linux-gnu "
	a64      = "--target=aarch64-linux-gnu "
	rv64     = "--target=riscv64-linux-gnu "
	rvv      = "-march=rv64gcv_zba_zbb_zbs_zfh "
)

var gccX86 = []config{
	{"O0", "x86-att", "-O0"},
	{"O1-g", "x86-att", "-O1 -g"},
	{"Os-pic", "x86-att", "-Os -fPIC"},
	{"O2-hsw", "x86-att", "-O2 -march=haswell"},
	{"O3-sse2", "x86-att", "-O3"},
	{"O3-skx-zmm", "x86-att", "-O3 -march=skylake-avx512 -mprefer-vector-width=512"},
	{"Ofast-spr", "x86-att", "-Ofast -march=sapphirerapids -funroll-loops"},
	{"O0", "x86-intel", "-O0 -masm=intel"},
	{"O2", "x86-intel", "-O2 -masm=intel"},
	{"O3-hsw", "x86-intel", "-O3 -march=haswell -masm=intel"},
	{"Ofast-skx", "x86-intel", "-Ofast -march=skylake-avx512 -masm=intel -g -fPIC"},
}

var clangX86 = []config{
	{"O0", "x86-att", x64 + "-O0"},
	{"O1-g", "x86-att", x64 + "-O1 -g"},
	{"Os-pic", "x86-att", x64 + "-Os -fPIC"},
	{"O2-hsw", "x86-att", x64 + "-O2 -march=haswell"},
	{"O3-sse2", "x86-att", x64 + "-O3"},
	{"O3-znver4", "x86-att", x64 + "-O3 -march=znver4"},
	{"Ofast-spr", "x86-att", x64 + "-O3 -ffast-math -march=sapphirerapids -mprefer-vector-width=512"},
	{"O0", "x86-intel", x64 + "-O0 -masm=intel"},
	{"O2", "x86-intel", x64 + "-O2 -masm=intel"},
	{"O3-hsw", "x86-intel", x64 + "-O3 -march=haswell -masm=intel -g"},
	{"Ofast-skx", "x86-intel", x64 + "-O3 -ffast-math -march=skylake-avx512 -masm=intel -fPIC"},
}

var gccA64 = []config{
	{"O0", "aarch64", "-O0"},
	{"O1-g", "aarch64", "-O1 -g -march=armv8-a"},
	{"Os-pic", "aarch64", "-Os -fPIC"},
	{"O2-v82", "aarch64", "-O2 -march=armv8.2-a+fp16+dotprod+crypto"},
	{"O3-sve", "aarch64", "-O3 -march=armv8.2-a+sve"},
	{"O3-sve2", "aarch64", "-O3 -march=armv8.5-a+sve2+fp16 -msve-vector-bits=128"},
	{"Ofast-tx2", "aarch64", "-Ofast -mcpu=thunderx2t99 -funroll-loops"},
	{"Ofast-n2", "aarch64", "-Ofast -mcpu=neoverse-n2"},
}

var clangA64 = []config{
	{"O0", "aarch64", a64 + "-O0"},
	{"O1-g", "aarch64", a64 + "-O1 -g"},
	{"O2-v82", "aarch64", a64 + "-O2 -march=armv8.2-a+fp16+dotprod+crypto"},
	{"O3-sve", "aarch64", a64 + "-O3 -march=armv8.2-a+sve -fPIC"},
	{"O3-sve2", "aarch64", a64 + "-O3 -march=armv9-a"},
	{"Ofast-v2", "aarch64", a64 + "-O3 -ffast-math -mcpu=neoverse-v2"},
	{"Ofast-m1", "aarch64", a64 + "-O3 -ffast-math -mcpu=apple-m1"},
}

var gccRV = []config{
	{"O0", "riscv", "-O0"},
	{"O1-g", "riscv", "-O1 -g"},
	{"Os", "riscv", "-Os -march=rv64gc"},
	{"O3-pic", "riscv", "-O3 -fPIC"},
	{"Ofast-b", "riscv", "-Ofast -march=rv64gc_zba_zbb_zbs -funroll-loops"},
}

var clangRV = []config{
	{"O0", "riscv", rv64 + "-O0 -march=rv64gc"},
	{"O2-g", "riscv", rv64 + "-O2 -march=rv64gc -g"},
	{"O2-v", "riscv", rv64 + "-O2 " + rvv},
	{"O3-v", "riscv", rv64 + "-O3 -fPIC " + rvv},
	{"Ofast-v", "riscv", rv64 + "-O3 -ffast-math -mcpu=sifive-x280 " + rvv},
}

var rust = []config{
	{"O3", "x86-att", "-C opt-level=3"},
	{"O0-g", "x86-att", "-C opt-level=0 -g"},
	{"O3-v3", "x86-intel", "-C opt-level=3 -C target-cpu=x86-64-v3 -C llvm-args=-x86-asm-syntax=intel"},
}

var compilers = []compiler{
	{"gcc", "gcc", ".c ", cFlags, gccX86},
	{"gcc", "g++", ".cpp ", cxxFlags, gccX86},
	{"gcc", "gfortran", ".f90 ", cFlags, gccX86},
	{"clang", "clang-19", ".c ", cFlags, clangX86},
	{"clang", "clang++-19", ".cpp ", cxxFlags, clangX86},
	{"gcc", "aarch64-linux-gnu-gcc", ".c ", cFlags, gccA64},
	{"gcc", "aarch64-linux-gnu-g++", ".cpp ", cxxFlags, gccA64},
	{"gcc", "aarch64-linux-gnu-gfortran", ".f90 ", cFlags, gccA64},
	{"clang", "clang-19", ".c ", cFlags, clangA64},
	{"clang", "clang++-19", ".cpp ", cxxFlags, clangA64},
	{"gcc", "riscv64-linux-gnu-gcc", ".c ", cFlags, gccRV},
	{"gcc", "riscv64-linux-gnu-g++", ".cpp ", cxxFlags, gccRV},
	{"gcc", "riscv64-linux-gnu-gfortran", ".f90 ", cFlags, gccRV},
	{"clang", "clang-19", ".c ", cFlags, clangRV},
	{"clang", "clang++-19", ".cpp ", cxxFlags, clangRV},
	{"rustc", "rustc", ".rs ", "--emit asm", rust},
}
