package dyndeps

import (
	"bytes"
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"incore/internal/base/long"
)

// sveForms are SVE's loads and stores, of all that QEMU before 8.1 does not report. x0 is the base, x1 an index, x2 an
// address, z1 has offsets of 32 or 64 bits, z2 addresses.
var sveForms = []string{
	"ld1b z8.b, p1/z, [x0, x1]", "ld1b z8.d, p1/z, [x0, #-2, mul vl]", "ld1sb z8.h, p1/z, [x0, #1, mul vl]", "ld1h z8.s, p1/z, [x0, x1, lsl #1]",
	"ld1w z8.s, p1/z, [x0]", "ld1sw z8.d, p1/z, [x0, #3, mul vl]", "ld1d z8.d, p1/z, [x0, x1, lsl #3]", "ld1sh z8.d, p1/z, [x0, x1, lsl #1]",
	"ldnt1b z8.b, p1/z, [x0, #1, mul vl]", "ldnt1d z8.d, p1/z, [x0, x1, lsl #3]",
	"ldff1w z8.s, p1/z, [x0, x1, lsl #2]", "ldff1b z8.d, p1/z, [x0]", "ldnf1d z8.d, p1/z, [x0, #1, mul vl]", "ldnf1h z8.s, p1/z, [x0]",
	"ld2b {z8.b, z9.b}, p1/z, [x0, x1]", "ld2d {z8.d, z9.d}, p1/z, [x0, #2, mul vl]", "ld3w {z8.s-z10.s}, p1/z, [x0, #-3, mul vl]", "ld4h {z8.h-z11.h}, p1/z, [x0, x1, lsl #1]",
	"ld1rqd {z8.d}, p1/z, [x0, #16]", "ld1rqw {z8.s}, p1/z, [x0, x1, lsl #2]", "ld1rob {z8.b}, p1/z, [x0, #-32]", "ld1rod {z8.d}, p1/z, [x0, x1, lsl #3]",
	"ld1d z8.d, p1/z, [x0, z1.d]", "ld1d z8.d, p1/z, [x0, z1.d, lsl #3]", "ld1w z8.d, p1/z, [x0, z1.d, uxtw]", "ld1sw z8.d, p1/z, [x0, z1.d, sxtw #2]",
	"ld1d z1.d, p1/z, [x0, z1.d]", "ldff1h z8.d, p1/z, [x0, z1.d, lsl #1]", "ldff1d z8.d, p1/z, [z2.d, #8]", "ld1b z8.d, p1/z, [z2.d, #5]", "ldnt1w {z8.d}, p1/z, [z2.d, x1]",
	"ld1w z8.s, p1/z, [x0, z1.s, uxtw]", "ld1w z8.s, p1/z, [x0, z1.s, sxtw #2]", "ld1sh z8.s, p1/z, [x0, z1.s, uxtw #1]", "ld1b z8.s, p1/z, [x0, z1.s, sxtw]",
	"st1b {z8.b}, p1, [x0, x1]", "st1b {z8.s}, p1, [x0, #2, mul vl]", "st1h {z8.d}, p1, [x0, x1, lsl #1]", "st1w {z8.s}, p1, [x0, #-1, mul vl]", "st1w {z8.d}, p1, [x0]", "st1d {z8.d}, p1, [x0, x1, lsl #3]",
	"stnt1b {z8.b}, p1, [x0, x1]", "stnt1w {z8.s}, p1, [x0, #2, mul vl]", "st2h {z8.h, z9.h}, p1, [x0, x1, lsl #1]", "st2d {z8.d, z9.d}, p1, [x0]", "st3b {z8.b-z10.b}, p1, [x0, #3, mul vl]", "st4w {z8.s-z11.s}, p1, [x0, x1, lsl #2]",
	"st1d {z8.d}, p1, [x0, z1.d]", "st1w {z8.d}, p1, [x0, z1.d, lsl #2]", "st1h {z8.d}, p1, [x0, z1.d, sxtw]", "st1d {z8.d}, p1, [x0, z1.d, uxtw #3]", "st1w {z8.d}, p1, [z2.d, #4]", "stnt1d {z8.d}, p1, [z2.d, x1]",
	"st1w {z8.s}, p1, [x0, z1.s, uxtw]", "st1h {z8.s}, p1, [x0, z1.s, sxtw #1]",
	// reported by QEMU itself; they must not be counted twice
	"ldr z8, [x0, #1, mul vl]", "str z8, [x0, #-1, mul vl]", "ld1rd {z8.d}, p1/z, [x0, #16]",
}

// isStore tells stores from loads by the mnemonic.
func isStore(form string) bool { return strings.HasPrefix(form, "st") }

// sveProgram writes a program that finds out by itself which bytes around a base each form reads or writes, and prints them: for a store, those
// that change; for a load, those whose change changes what is loaded. Each byte is written by an instruction of its own before (paint), and
// read by one after (sweep), so that the dependences of the form say which bytes the observer takes it to access.
const sveProgram = `
#include <stdint.h>
#include <stdio.h>
#include <string.h>
enum { SIZE = 4096 };
static uint8_t buf[SIZE] __attribute__((aligned(4096)));
static uint8_t out[2][4 * 256], pred[32], offsets[256], addresses[256];
extern void paint(uint8_t *), sweep(uint8_t *);
asm(".text\n.globl paint\npaint: mov w1, #0\n.rept 4096\nstrb w1, [x0], #1\n.endr\nret\n.globl sweep\nsweep:\n.rept 4096\nldrb w1, [x0], #1\n.endr\nret\n");
static uint32_t seed = 12345;
static unsigned rnd(void) { return (seed = seed * 1103515245 + 12345) >> 16; }
%s
static void (*const forms[])(uint8_t *, long, uint8_t *) = {%s};
static const char store[] = {%s};
int main(void)
{
	uint64_t vl;
	asm volatile("rdvl %%0, #1" : "=r"(vl));
	printf("%%u\n", (unsigned)vl);
	for (unsigned k = 0; k < sizeof store; k++) {
		for (unsigned i = 0; i < vl / 8; i++) pred[i] = rnd();
		if (strstr(names[k], "ldff") || strstr(names[k], "ldnf")) pred[0] |= 1; /* else QEMU 7.2 loads from elsewhere */
		int wide = strstr(names[k], ".d") != 0;
		for (unsigned i = 0; i < vl / (wide ? 8 : 4); i++) {
			int32_t o = rnd() %% 100;
			if (strstr(names[k], "sxtw")) o = -o;
			if (wide) ((uint64_t *)offsets)[i] = strstr(names[k], "xtw") ? (uint32_t)o | 0xabcdull << 32 : (uint64_t)(int64_t)o;
			else ((int32_t *)offsets)[i] = o;
			if (wide) ((uint64_t *)addresses)[i] = (uintptr_t)buf + 2048 + o;
		}
		paint(buf);
		if (store[k]) {
			forms[k](buf + 2048, 7, out[0]);
			sweep(buf);
		}
		printf("%%u", k);
		for (unsigned i = 0; store[k] && i < SIZE; i++) if (buf[i]) printf(" %%u", i);
		if (!store[k]) forms[k](buf + 2048, 7, out[0]);
		for (unsigned i = 0; !store[k] && i < SIZE; i++) {
			buf[i] = 255;
			forms[k](buf + 2048, 7, out[1]);
			buf[i] = 0;
			if (memcmp(out[0], out[1], 4 * vl)) printf(" %%u", i);
		}
		printf("\n");
	}
	return 0;
}
`

// TestSVE holds the bytes that the plugin takes SVE's loads and stores to access against those that they do access.
func TestSVE(t *testing.T) {
	c := targets[1]
	need(t, c.cc, c.emulator)
	var code, table, stores strings.Builder
	fmt.Fprintf(&code, "static const char *const names[] = {\"%s\"};\n", strings.Join(sveForms, `", "`))
	for i, f := range sveForms {
		fmt.Fprintf(&code, `__attribute__((noinline)) static void form%d(uint8_t *base, long index, uint8_t *to)
{
	register uint8_t *x0 asm("x0") = base; register long x1 asm("x1") = index;
	asm volatile("ldr z1, [%%3]\nldr z2, [%%4]\nldr p1, [%%2]\nsetffr\n"
		"dup z8.b, #255\ndup z9.b, #255\ndup z10.b, #255\ndup z11.b, #255\nat%d: %s\n"
		"cmp %%6, #0\nb.ne 1f\nmov z8.d, z1.d\n1:\nstr z8, [%%5]\nstr z9, [%%5, #1, mul vl]\nstr z10, [%%5, #2, mul vl]\nstr z11, [%%5, #3, mul vl]"
		: : "r"(x0), "r"(x1), "r"(pred), "r"(offsets), "r"(addresses), "r"(to), "r"(%dL) : "memory", "cc");
}
`, i, i, f, map[bool]int{true: 0, false: 1}[strings.HasPrefix(f, "ld1d z1.d")])
		fmt.Fprintf(&table, "form%d, ", i)
		fmt.Fprintf(&stores, "%d, ", map[bool]int{true: 1, false: 0}[isStore(f)])
	}
	p := build(t, c.cc, ".c", fmt.Sprintf(sveProgram, code.String(), table.String(), stores.String()), "-O1", "-static", "-march=armv8.2-a+sve2+f64mm")
	at := labels(t, p)
	for _, cpu := range long.Some([]string{"max,sve512=on", "max,sve256=on", "max,sve2048=on,sve-default-vector-length=-1"}, 1) {
		t.Run(cpu, func(t *testing.T) { sveRun(t, p, at, cpu) })
	}
}

// TestSVEUnseen checks that what cannot be recovered is said to be missing.
func TestSVEUnseen(t *testing.T) {
	c := targets[1]
	need(t, c.cc, c.emulator)
	p := build(t, c.cc, ".S", `
	.arch armv8.2-a+sve
	.globl _start
	.type _start, @function
_start:	ptrue p0.d
	adrp x1, a
	add x1, x1, :lo12:a
	mov x3, #100
load:	ld1d z0.d, p0/z, [x1]
store:	st1d z0.d, p0, [x1, #1, mul vl]
	prfd pldl1keep, p0, [x1, #1, mul vl]
	incb x1
	ldr x2, [x1]
	subs x3, x3, #1
	b.ne load
	mov x8, #93
	mov x0, #0
	svc #0
	.size _start, .-_start
	.bss
a:	.skip 8000`, "-nostdlib", "-static")
	tr := observe(t, p, Options{})
	if got, want := describe(t, tr), "store>load 99 5-5 1@load=99"; !strings.Contains(got, want) || tr.Hidden != 200 || tr.Unseen != 0 || tr.Loads != 200 || tr.Stores != 100 {
		t.Errorf("%d accesses that QEMU does not report, %d not seen, %d loads, %d stores, got\n%s\nwant\n%s", tr.Hidden, tr.Unseen, tr.Loads, tr.Stores, got, want)
	}
	tr = observe(t, p, Options{noRegisters: true})
	if notes := strings.Join(tr.notes(), "\n"); tr.Unseen != 200 || len(tr.Pairs) != 0 || !strings.Contains(notes, "200 executions") || !strings.Contains(notes, "66.7 %") {
		t.Errorf("%d not seen, %d dependences, notes: %s", tr.Unseen, len(tr.Pairs), notes)
	}
	tr = observe(t, p, Options{CPU: "max,sve1024=on"})
	if notes := strings.Join(tr.notes(), "\n"); tr.VectorBits != 512 || !strings.Contains(notes, "sve-default-vector-length=-1") {
		t.Errorf("vectors of %d bits, notes: %s", tr.VectorBits, notes)
	}
}

func sveRun(t *testing.T, p *Program, at map[string]uint64, cpu string) {
	var out, errs bytes.Buffer
	tr, err := p.Observe(context.Background(), Options{CPU: cpu, Stdout: &out, Stderr: &errs})
	if err != nil || tr.Exit != "" {
		t.Fatalf("%v %s\n%s", err, tr.Exit, errs.String())
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != len(sveForms)+1 || lines[0] != fmt.Sprint(tr.VectorBits/8) || tr.Unseen > 0 || tr.Hidden == 0 {
		t.Fatalf("%d lines, vectors of %s bytes, seen as %d bits, %d of %d not seen", len(lines), lines[0], tr.VectorBits, tr.Unseen, tr.Hidden)
	}
	for i, form := range sveForms {
		var got []int
		here := at[fmt.Sprintf("at%d", i)]
		for _, x := range tr.Pairs {
			if isStore(form) && x.From == here && x.To >= at["sweep"] && x.To < at["sweep"]+4*4096 {
				got = append(got, int(x.To-at["sweep"])/4)
			} else if !isStore(form) && x.To == here && x.From >= at["paint"] && x.From < at["sweep"] {
				got = append(got, int(x.From-at["paint"]-4)/4)
			}
		}
		slices.Sort(got)
		text := fmt.Sprint(i)
		for _, b := range got {
			text += fmt.Sprint(" ", b)
		}
		if text != lines[i+1] {
			t.Errorf("%s:\nseen as %s\nis      %s", form, text, lines[i+1])
		}
	}
}
