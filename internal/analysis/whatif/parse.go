// Package whatif predicts the cycles of a kernel on a slightly different core: one more load port, twice the reorder buffer, a faster multiply-add,
// no dependences at all. Every answer is a full prediction on a derived machine.
package whatif

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"incore/internal/machine"
)

// Question is a set of changes that are made together.
type Question struct {
	Text    string // as asked
	changes []change
}

// change is one difference from the machine.
type change struct {
	text string
	kind kind
	name string // group or kind of ports, parameter, feature, pattern of forms, or cost set to zero
	op   byte   // '+', '-': by an amount; '=': to a value; 'x': by a factor
	n    float64
	uops string // of kindUops, in the notation of model files
	inf  bool
	line int    // of kindLine
	at   string // of kindLine without a line: the address
}

type kind uint8

const (
	kindPorts kind = iota
	kindParam
	kindFeature
	kindLatency
	kindUops
	kindFree
	kindLine  // the latency of the load on a line; name is the level that serves it, "" if the question states the cycles
	kindLevel // the cycles of a level of the memory hierarchy
)

// Free lists the costs that a question can set to zero, with their meanings.
var Free = map[string]string{
	"ports":       "every µop finds a free port",
	"frontend":    "the front end delivers as many slots as are dispatched",
	"dispatch":    "any number of slots is dispatched and retired per cycle",
	"window":      "reorder buffer, schedulers, load and store queue are never full",
	"dependences": "no operand is waited for",
	"memory":      "no load waits for a store",
}

// loadPart is the argument of latency(…) for the load's part of every latency.
const loadPart = "load"

// maxQuestion is the largest length of a question.
const maxQuestion = 1000

// Parse reads a question: changes separated by commas.
//
//	ports.GROUP+N  ports.GROUP-N    a port or a group of the model, or load, sta, std, branch: all ports of such µops
//	NAME=N  NAME=Nx  NAME=inf       a parameter of the core (rob, dispatch-width, scheduler, store-forward …)
//	latency(FORMS)+N  -N  =N  =Nx   forms by LLVM's names, with * ? […]; latency(load): the load's part of all
//	uops(FORMS)=USES                as a model file writes them: 2*0156 23/load
//	feature.NAME=on|off
//	NAME=free                       ports, frontend, dispatch, window, dependences, memory
//	line=N:latency=CYCLES, =LEVEL   the load on a line of the source: its cycles from the address to the value, or those of a level of the memory hierarchy
//	load(ADDRESS):latency=CYCLES    the same for the loads from an address as the code writes it: load(8(%rdi,%rax)), load([x0,#8])
//	LEVEL=CYCLES                    L1, L2, L3, DRAM: what a level takes, in the question that names it
func Parse(text string) (Question, error) {
	q := Question{Text: strings.Join(strings.Fields(text), " ")}
	if len(text) > maxQuestion {
		return q, fmt.Errorf("a what-if question of %d characters; at most %d", len(text), maxQuestion)
	}
	for _, part := range parts(q.Text) {
		c, err := parse(strings.TrimSpace(part))
		if err != nil {
			return q, fmt.Errorf("what-if '%s': %w", part, err)
		}
		q.changes = append(q.changes, c)
	}
	return q, q.levels()
}

// parts splits a question at the commas outside of parentheses and brackets.
func parts(s string) (out []string) {
	depth, from := 0, 0
	for i := range len(s) {
		switch s[i] {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth <= 0 {
				out, from = append(out, s[from:i]), i+1
			}
		}
	}
	return append(out, s[from:])
}

// Together combines several questions into one. A cost that is free in several of them is named once.
func Together(list []Question) Question {
	var q Question
	var texts []string
	for _, x := range list {
		for _, c := range x.changes {
			if c.kind == kindFree && slices.Contains(q.changes, c) {
				continue
			}
			q.changes, texts = append(q.changes, c), append(texts, c.text)
		}
	}
	q.Text = strings.Join(texts, ",")
	return q
}

const forms = "expected ports.GROUP+N, PARAMETER=N, =Nx or =inf, latency(FORMS)-N, uops(FORMS)=USES, feature.NAME=on, NAME=free or line=N:latency=CYCLES"

func parse(s string) (c change, err error) {
	c.text = s
	if rest, ok := strings.CutPrefix(s, "ports."); ok {
		return c, c.ports(rest)
	}
	for _, f := range []struct {
		head string
		kind kind
	}{{"latency(", kindLatency}, {"uops(", kindUops}} {
		if rest, ok := strings.CutPrefix(s, f.head); ok {
			c.kind = f.kind
			if c.name, rest, ok = strings.Cut(rest, ")"); !ok || c.name == "" {
				return c, fmt.Errorf("which forms? As in %sVFMADD*)", f.head)
			}
			if _, err := path.Match(c.name, ""); err != nil {
				return c, fmt.Errorf("bad pattern '%s'", c.name)
			}
			return c, c.costs(strings.TrimSpace(rest))
		}
	}
	if strings.HasPrefix(s, "line=") || strings.HasPrefix(s, "load(") {
		return c, c.load(s)
	}
	name, value, ok := strings.Cut(s, "=")
	c.name, value = strings.TrimSpace(name), strings.TrimSpace(value)
	if !ok || c.name == "" || value == "" {
		return c, fmt.Errorf("%s", forms)
	}
	if rest, ok := strings.CutPrefix(c.name, "feature."); ok {
		c.kind, c.name = kindFeature, rest
		switch value {
		case "on", "true":
			c.n = 1
		case "off", "false":
		default:
			return c, fmt.Errorf("a feature is on or off, not '%s'", value)
		}
		return c, nil
	}
	if value == "free" {
		c.kind = kindFree
		if _, ok := Free[c.name]; !ok {
			return c, fmt.Errorf("'%s' cannot be free; what can is %s", c.name, strings.Join(slices.Sorted(maps.Keys(Free)), ", "))
		}
		return c, nil
	}
	if slices.Contains(levels, c.name) {
		c.kind = kindLevel
		c.n, err = number(value)
		return c, err
	}
	c.kind = kindParam
	return c, c.amount(value, true)
}

// ports reads the part of a change of ports after "ports.".
func (c *change) ports(s string) error {
	c.kind = kindPorts
	i := strings.LastIndexAny(s, "+-")
	if i < 1 {
		return fmt.Errorf("how many ports? As in ports.load+1")
	}
	c.name, c.op = s[:i], s[i]
	n, err := strconv.Atoi(s[i+1:])
	if err != nil || n < 1 || n > 32 {
		return fmt.Errorf("bad number of ports '%s' (1 to 32)", s[i+1:])
	}
	c.n = float64(n)
	return nil
}

// costs reads the part of a latency or uops change after its forms.
func (c *change) costs(s string) error {
	if s == "" {
		return fmt.Errorf("no change; as in latency(VFMADD*)-1 or uops(VFMADD*)=01")
	}
	if c.kind == kindUops {
		if s[0] != '=' || len(s) == 1 {
			return fmt.Errorf("which µops? As in uops(VFMADD*)=01")
		}
		c.uops = strings.TrimSpace(s[1:])
		return nil
	}
	if s[0] == '+' || s[0] == '-' {
		n, err := number(s[1:])
		if c.op, c.n = s[0], n; err != nil {
			return err
		}
		return nil
	}
	if s[0] != '=' {
		return fmt.Errorf("expected +N, -N, =N or =Nx behind the forms, not '%s'", s)
	}
	return c.amount(s[1:], false)
}

// amount reads N, Nx or inf.
func (c *change) amount(s string, infinite bool) error {
	c.op = '='
	if infinite && s == "inf" {
		c.inf = true
		return nil
	}
	digits := strings.TrimSuffix(strings.TrimSuffix(s, "x"), "×")
	if digits != s {
		c.op = 'x'
	}
	n, err := number(digits)
	c.n = n
	return err
}

func number(s string) (float64, error) {
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n >= 0 && n <= 1e5) {
		return 0, fmt.Errorf("bad number '%s' (0 to 100000)", s)
	}
	return n, nil
}

// portKinds are the kinds of µops by which a question can name their ports.
var portKinds = map[string]machine.UopKind{"load": machine.UopLoad, "sta": machine.UopStoreAddr, "std": machine.UopStoreData, "branch": machine.UopBranch}
