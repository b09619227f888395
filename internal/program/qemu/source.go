package qemu

import _ "embed" // parts of plugins

// Interface is the part of QEMU's plugin interface that plugins use, as C; plugins begin with it.
//
//go:embed csrc/qemu.h
var Interface string

// SVE is C that decodes SVE's loads and stores, which QEMU before 8.1 does not report, and computes their addresses.
//
//go:embed csrc/sve.c
var SVE string
