#!/bin/sh
# Checks loops against a baseline and writes the results in formats of CI services: ci/check.sh BASELINE FORMAT=FILE... [-- FILE...]
# The report goes to standard output. The exit status is that of 'incore baseline check' (docs/ci.md).
set -eu
incore=${INCORE:-incore}
baseline=$1
shift
formats=
while [ $# -gt 0 ]; do
	[ "$1" = -- ] && { shift; break; }
	formats="$formats $1"
	shift
done
status=0
"$incore" baseline check --baseline "$baseline" "$@" || status=$?
for f in $formats; do
	written=0
	"$incore" baseline check --baseline "$baseline" --format "${f%%=*}" -o "${f#*=}" "$@" 2>/dev/null || written=$?
	[ "$written" = "$status" ] || { echo "$f: not written (status $written)" >&2; exit "$written"; }
done
exit "$status"
