module incore

go 1.24

require (
	github.com/goccy/go-yaml v1.19.2 // YAML output
	github.com/ianlancetaylor/demangle v0.0.0-20260724033716-83e58baca724 // names of C++ and Rust symbols
	github.com/rogpeppe/go-internal v1.14.1 // testscript: tests of the command line
	github.com/spf13/cobra v1.10.2 // commands, options, shell completion
	github.com/spf13/pflag v1.0.9 // cobra's options: which of them are given
	golang.org/x/sys v0.31.0 // ptrace and memory shared with an instrumented program
	golang.org/x/term v0.30.0 // width of the terminal
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	golang.org/x/tools v0.26.0 // indirect
)
