package riscv

import (
	"strconv"
	"strings"
	"sync"
)

// csrList names the control and status registers: "number name name…", one group per
// number, the first name the current one. Names with # stand for consecutive registers:
// "3a0 pmpcfg#0-15" is pmpcfg0 at 3a0 and so on. Source: RISC-V unprivileged and privileged
// ISA specifications (CSR listing), Smaia/Ssaia, Smstateen, Smctr, Zkr, Zcmt, Zicfiss.
const csrList = `
001 fflags;002 frm;003 fcsr;008 vstart;009 vxsat;00a vxrm;00f vcsr;011 ssp;015 seed;017 jvt;c20 vl;c21 vtype;c22 vlenb
c00 cycle;c01 time;c02 instret;c03 hpmcounter#3-31;c80 cycleh;c81 timeh;c82 instreth;c83 hpmcounter#3-31h
100 sstatus;104 sie;105 stvec;106 scounteren;10a senvcfg;10c sstateen#0-3;114 sieh;120 scountinhibit;140 sscratch;141 sepc;142 scause
143 stval sbadaddr;144 sip;14d stimecmp;14e sctrctl;14f sctrstatus;150 siselect;151 sireg;152 sireg2;153 sireg3;154 siph;155 sireg4
156 sireg5;157 sireg6;15c stopei;15d stimecmph;15f sctrdepth;180 satp sptbr;181 srmcfg;5a8 scontext;da0 scountovf;db0 stopi
200 vsstatus;204 vsie;205 vstvec;214 vsieh;240 vsscratch;241 vsepc;242 vscause;243 vstval;244 vsip;24d vstimecmp;24e vsctrctl
250 vsiselect;251 vsireg;252 vsireg2;253 vsireg3;254 vsiph;255 vsireg4;256 vsireg5;257 vsireg6;25c vstopei;25d vstimecmph;280 vsatp;eb0 vstopi
600 hstatus;602 hedeleg;603 hideleg;604 hie;605 htimedelta;606 hcounteren;607 hgeie;608 hvien;609 hvictl;60a henvcfg;60c hstateen#0-3
612 hedelegh;613 hidelegh;615 htimedeltah;618 hvienh;61a henvcfgh;61c hstateen#0-3h;643 htval;644 hip;645 hvip;646 hviprio1;647 hviprio2
64a htinst;655 hviph;656 hviprio1h;657 hviprio2h;680 hgatp;6a8 hcontext;e12 hgeip
300 mstatus;301 misa;302 medeleg;303 mideleg;304 mie;305 mtvec;306 mcounteren;308 mvien;309 mvip;30a menvcfg;30c mstateen#0-3;310 mstatush
312 medelegh;313 midelegh;314 mieh;318 mvienh;319 mviph;31a menvcfgh;31c mstateen#0-3h;320 mcountinhibit mucounteren;321 mcyclecfg;322 minstretcfg
323 mhpmevent#3-31;340 mscratch;341 mepc;342 mcause;343 mtval mbadaddr;344 mip;34a mtinst;34b mtval2;34e mctrctl;350 miselect;351 mireg
352 mireg2;353 mireg3;354 miph;355 mireg4;356 mireg5;357 mireg6;35c mtopei;3a0 pmpcfg#0-15;3b0 pmpaddr#0-63
721 mcyclecfgh;722 minstretcfgh;723 mhpmevent#3-31h;740 mnscratch;741 mnepc;742 mncause;744 mnstatus;747 mseccfg;757 mseccfgh
7a0 tselect;7a1 tdata1;7a2 tdata2;7a3 tdata3;7a4 tinfo;7a5 tcontrol;7a8 mcontext;7aa mscontext;7b0 dcsr;7b1 dpc;7b2 dscratch0 dscratch;7b3 dscratch1
b00 mcycle;b02 minstret;b03 mhpmcounter#3-31;b80 mcycleh;b82 minstreth;b83 mhpmcounter#3-31h
f11 mvendorid;f12 marchid;f13 mimpid;f14 mhartid;f15 mconfigptr;fb0 mtopi`

type csrTable struct {
	number map[string]int64
	name   map[int64]string
}

var csrs = sync.OnceValue(func() csrTable {
	t := csrTable{map[string]int64{}, map[int64]string{}}
	add := func(n int64, name string) {
		t.number[name] = n
		if t.name[n] == "" {
			t.name[n] = name
		}
	}
	for _, entry := range strings.FieldsFunc(csrList, func(r rune) bool { return r == ';' || r == '\n' }) {
		num, names, _ := strings.Cut(entry, " ")
		n, _ := strconv.ParseInt(num, 16, 64)
		for _, name := range strings.Fields(names) {
			stem, span, many := strings.Cut(name, "#")
			if !many {
				add(n, name)
				continue
			}
			from, to, _ := strings.Cut(span, "-")
			suffix := strings.TrimLeft(to, "0123456789")
			lo, _ := strconv.Atoi(from)
			hi, _ := strconv.Atoi(strings.TrimSuffix(to, suffix))
			for i := lo; i <= hi; i++ {
				add(n+int64(i-lo), stem+strconv.Itoa(i)+suffix)
			}
		}
	}
	return t
})

// csrNumber finds a control and status register by name.
func csrNumber(name string) (int64, bool) {
	n, ok := csrs().number[name]
	return n, ok
}

// csrName returns the name of a control and status register, "" if it has none.
func csrName(n int64) string { return csrs().name[n] }
