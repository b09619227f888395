#!/usr/bin/env bash
# heldout.sh DIR SEED CORE: makes the held-out corpora of the CPU at hand, heldout-CORE.tsv (straight blocks) and heldout-CORE-loops.tsv (loops, in place).
# It compiles the kernels of the evaluation suite and of tools/corpus with gcc and clang at several levels of optimisation, draws blocks and loops by the
# seed, measures each twice, and keeps those whose two passes agree. It measures again nothing that DIR has: a stopped run goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$1 seed=$2 core=$3
mkdir -p "$dir/obj"
CGO_ENABLED=0 go build -o "$dir/incore" ./cmd/incore
CGO_ENABLED=0 go build -o "$dir/blocks" ./tools/blocks

flags=("-O1" "-O2" "-O2 -march=x86-64-v3" "-O3 -march=x86-64-v3" "-Ofast -march=x86-64-v3" "-Ofast -march=x86-64-v4" "-Ofast -march=x86-64-v4 -mprefer-vector-width=512" "-O3 -funroll-loops")
grep -qw avx512f /proc/cpuinfo || avx512=no
for cc in gcc clang-19; do
	command -v "$cc" >/dev/null || { echo "no $cc here: its code is missing" >&2; continue; }
	for i in "${!flags[@]}"; do
		[[ ${flags[i]} != *v4* || ${avx512:-yes} = yes ]] || continue # this CPU would not run it
		for src in internal/eval/suite/src/*/*.c tools/corpus/src/*.c; do
			obj=$dir/obj/$(basename "$src" .c)-$cc-$i.o
			# shellcheck disable=SC2086 # one word per option
			[ -e "$obj" ] || "$cc" ${flags[i]} -w -c -o "$obj" "$src" 2>/dev/null || true
		done
	done
done

"$dir/blocks" -n 1500 -seed "$seed" "$dir/obj" >"$dir/blocks.hex"
"$dir/blocks" -loops -placed -seed "$seed" "$dir/obj" | shuf -n 900 --random-source=<(yes "$seed") >"$dir/loops.hex"
for what in blocks loops; do
	for pass in a b; do # a file of results that is there is gone on with
		"$dir/incore" measure --format csv --regs distinct --jobs 1 --pages 7 -o "$dir/$what-$pass.csv" "$dir/$what.hex"
	done
done
"$dir/blocks" -agree "$dir/blocks-a.csv,$dir/blocks-b.csv" >"$dir/heldout-$core.tsv"
"$dir/blocks" -agree "$dir/loops-a.csv,$dir/loops-b.csv" >"$dir/heldout-$core-loops.tsv"
wc -l "$dir"/heldout-*.tsv
