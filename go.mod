module incore

go 1.25.0

require (
	github.com/goccy/go-yaml v1.19.2 // YAML output
	github.com/google/jsonschema-go v0.4.3 // tests: documents are held to their schema
	github.com/ianlancetaylor/demangle v0.0.0-20260724033716-83e58baca724 // names of C++ and Rust symbols
	github.com/modelcontextprotocol/go-sdk v1.8.0 // incore mcp: the protocol's own library
	github.com/rogpeppe/go-internal v1.14.1 // testscript: tests of the command line
	github.com/sourcegraph/jsonrpc2 v0.2.3 // messages of incore serve --stdio
	github.com/spf13/cobra v1.10.2 // commands, options, shell completion
	github.com/spf13/pflag v1.0.9 // cobra's options: which of them are given
	golang.org/x/sys v0.41.0 // ptrace and memory shared with an instrumented program
	golang.org/x/term v0.30.0 // width of the terminal
)

require (
	github.com/inconshreveable/mousetrap v1.1.0 // indirect
	github.com/segmentio/asm v1.1.3 // indirect
	github.com/segmentio/encoding v0.5.4 // indirect
	github.com/yosida95/uritemplate/v3 v3.0.2 // indirect
	golang.org/x/oauth2 v0.35.0 // indirect
	golang.org/x/sync v0.20.0 // indirect
	golang.org/x/time v0.15.0 // indirect
	golang.org/x/tools v0.42.0 // indirect
)
