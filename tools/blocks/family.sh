#!/usr/bin/env bash
# family.sh DIR CORE: makes the corpus CORE-kernels.tsv of the CPU at hand: loops of a generated family of kernels (family.go), by gcc and clang, measured in place.
# Half of them, by the parity of a hash, are held out: heldout-CORE-kernels.tsv. It measures again nothing that DIR has: a stopped run goes on.
set -euo pipefail
cd "$(dirname "$0")/../.."
dir=$1 core=$2
mkdir -p "$dir/obj"
CGO_ENABLED=0 go build -o "$dir/incore" ./cmd/incore
CGO_ENABLED=0 go build -o "$dir/blocks" ./tools/blocks
"$dir/blocks" -family >"$dir/kernels.c"
flags=("-O2" "-O3" "-Ofast" "-O3 -funroll-loops")
for cc in gcc clang-19; do
	command -v "$cc" >/dev/null || { echo "no $cc here: its code is missing" >&2; continue; }
	for i in "${!flags[@]}"; do
		# shellcheck disable=SC2086 # one word per option
		[ -e "$dir/obj/$cc-$i.o" ] || "$cc" ${flags[i]} -march=x86-64-v3 -w -c -o "$dir/obj/$cc-$i.o" "$dir/kernels.c"
	done
done
# loops of up to 450 bytes, by a hash: a sample where the run is stopped
"$dir/blocks" -loops -placed -seed 18 "$dir/obj" | awk 'length < 900' | while read -r loop; do echo "$(sha256sum <<<"$loop" | cut -c1-16) $loop"; done | sort | cut -d' ' -f2 >"$dir/loops.hex"
for pass in a b; do
	"$dir/incore" measure --format csv --regs distinct --jobs 1 --pages 7 -o "$dir/$pass.csv" "$dir/loops.hex"
done
"$dir/blocks" -agree "$dir/a.csv,$dir/b.csv" >"$dir/all.tsv"
for half in 0 1; do
	name=$core-kernels; ((half)) || name=heldout-$core-kernels
	awk -F'\t' 'NR == 1' "$dir/all.tsv" >"$dir/$name.tsv"
	tail -n +2 "$dir/all.tsv" | while IFS= read -r row; do
		[ $((0x$(sha256sum <<<"${row%%$'\t'*}" | cut -c1) % 2)) -eq $half ] && printf '%s\n' "$row" || true
	done >>"$dir/$name.tsv"
done
wc -l "$dir"/*-kernels.tsv
