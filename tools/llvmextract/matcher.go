package main

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// matcher is the content of -gen-asm-matcher's output.
type matcher struct {
	kinds    []string
	tokens   map[string]string   // literal → kind
	super    map[string][]string // kind → kinds that include it
	pred     map[string]string   // kind → predicate
	regKind  map[string]string   // register → smallest kind
	features [][2]any            // name, conditions
	conv     []conversion
	meaning  map[string][]any // conversion step → its effect
	tied     map[string][]int
	tables   [][]matchRow
	regNames map[string]map[string]string // matching function → spelling → register
}

type conversion struct {
	name  string
	steps [][]any // step, asm operand or name of a tie
}

// matchRow is a row of the match table.
type matchRow struct {
	mnemonic, opcode, conv, feature string
	kinds                           []string
}

var (
	kindLine    = regexp.MustCompile(`(?m)^\s*(\w+)(?: = \d+)?,(?:\s*//\s*(.*))?$`)
	tokenFunc   = regexp.MustCompile(`static MatchClassKind matchTokenString\(StringRef Name\) \{`)
	tokenLine   = regexp.MustCompile(`return (MCK_\w+);\s*// "((?:[^"\\]|\\.)*)"`)
	superFunc   = regexp.MustCompile(`static bool isSubclass\(MatchClassKind A, MatchClassKind B\) \{`)
	superOne    = regexp.MustCompile(`return B == (MCK_\w+);`)
	superMany   = regexp.MustCompile(`\n    case (MCK_\w+): return true;`)
	featureEnum = regexp.MustCompile(`AMFBS_\w+`)
	featureBit  = regexp.MustCompile(`Feature_(\w+)Bit`)
	matchArray  = regexp.MustCompile(`static const MatchEntry MatchTable(\d+)\[\] = \{\n`)
	matchLine   = regexp.MustCompile(`\{ \d+ /\* (.*?) \*/, \w+::(\w+), (\w+), (AMFBS_\w+), \{ (.*?) \}, \}`)
	convRow     = regexp.MustCompile(`// (Convert_\w+|ConvertCustom_\w+)\n\s*\{ (.*?) \},`)
	convHead    = regexp.MustCompile(`ConversionTable\[CVT_NUM_SIGNATURES\]\[\d+\] = \{\n`)
	convFunc    = regexp.MustCompile(`\nconvertToMCInst\(unsigned Kind, MCInst &Inst, unsigned Opcode,\s*const OperandVector &Operands[^{]*\{`)
	convCase    = regexp.MustCompile(`(?s)case CVT_(\w+):\n(.*?)break;`)
	stepOp      = regexp.MustCompile(`\.(add\w+)\(Inst, (\d+)\)`)
	stepImm     = regexp.MustCompile(`createImm\((-?\d+)\)`)
	stepReg     = regexp.MustCompile(`createReg\(([\w:]+)\)`)
	stepCustom  = regexp.MustCompile(`(\w+)\(Inst, (?:Operands|OpIdx)`)
	tieName     = regexp.MustCompile(`(?m)^\s*(Tie\w+)`)
	validFunc   = regexp.MustCompile(`static unsigned validateOperandClass\(MCParsedAsmOperand &GOp, MatchClassKind Kind\) \{`)
	kindPred    = regexp.MustCompile(`case (MCK_\w+): \{\s*DiagnosticPredicate DP\(Operand\.(\w+(?:<[^()]*>)?)\(\)\);`)
	regKindCase = regexp.MustCompile(`case \w+::(\w+): OpKind = (MCK_\w+);`)
	regNameFunc = regexp.MustCompile(`static MCRegister (MatchRegister\w*)\(StringRef Name\) \{`)
	regNameLine = regexp.MustCompile(`return \w+::(\w+);\s*// "([^"]*)"`)
)

func readMatcher(target, text string) (*matcher, error) {
	impl := section(text, "GET_MATCHER_IMPLEMENTATION")
	m := &matcher{tokens: map[string]string{}, super: map[string][]string{}, pred: map[string]string{}, regKind: map[string]string{},
		meaning: map[string][]any{}, tied: map[string][]int{}, regNames: map[string]map[string]string{}}
	_, enum, _ := strings.Cut(impl, "enum MatchClassKind {")
	enum, _, _ = strings.Cut(enum, "\n};")
	for _, k := range kindLine.FindAllStringSubmatch(enum, -1) {
		if k[1] != "InvalidMatchClass" {
			m.kinds = append(m.kinds, k[1])
		}
	}
	for _, t := range tokenLine.FindAllStringSubmatch(functionBody(impl, tokenFunc), -1) {
		m.tokens[t[2]] = t[1]
	}
	m.readSuper(functionBody(impl, superFunc))
	m.readFeatures(impl)
	m.readConversions(impl)
	valid := functionBody(impl, validFunc)
	for _, k := range kindPred.FindAllStringSubmatch(valid, -1) {
		m.pred[k[1]] = k[2]
	}
	for _, k := range regKindCase.FindAllStringSubmatch(valid, -1) {
		m.regKind[k[1]] = k[2]
	}
	for _, f := range functions(section(text, "GET_REGISTER_MATCHER"), regNameFunc) {
		names := map[string]string{}
		for _, n := range regNameLine.FindAllStringSubmatch(f.body, -1) {
			names[n[2]] = n[1]
		}
		m.regNames[f.head[1]] = names
	}
	if err := m.readTables(impl); err != nil {
		return nil, err
	}
	if len(m.kinds) == 0 || len(m.tables) == 0 || len(m.conv) == 0 || len(m.meaning) == 0 {
		return nil, fmt.Errorf("%d kinds, %d tables, %d conversions with %d kinds of steps found", len(m.kinds), len(m.tables), len(m.conv), len(m.meaning))
	}
	return m, nil
}

func functionBody(text string, header *regexp.Regexp) string {
	for _, f := range functions(text, header) {
		return f.body
	}
	return ""
}

// readSuper reads which kinds include which; the outer cases are indented by two blanks.
func (m *matcher) readSuper(body string) {
	lines := strings.Split(body, "\n")
	for i, l := range lines {
		lines[i] = uncomment(l)
	}
	for _, c := range strings.Split(strings.Join(lines, "\n"), "\n  case ")[1:] {
		name, _, ok := strings.Cut(c, ":")
		if !ok || !strings.HasPrefix(name, "MCK_") {
			continue
		}
		var sup []string
		for _, re := range []*regexp.Regexp{superOne, superMany} {
			for _, s := range re.FindAllStringSubmatch(c, -1) {
				sup = append(sup, s[1])
			}
		}
		m.super[name] = sup
	}
}

func (m *matcher) readFeatures(impl string) {
	_, rest, ok := strings.Cut(impl, "// Feature bitsets.\n")
	if !ok {
		return
	}
	enum, rest, _ := strings.Cut(rest, "};\n")
	lines, _ := array(rest, "FeatureBitsets")
	for i, name := range featureEnum.FindAllString(enum, -1) {
		conds := []string{}
		if i < len(lines) {
			for _, b := range featureBit.FindAllStringSubmatch(lines[i], -1) {
				conds = append(conds, b[1])
			}
		}
		m.features = append(m.features, [2]any{name, conds})
	}
}

func (m *matcher) readConversions(impl string) {
	if at := convHead.FindStringIndex(impl); at != nil {
		body, _, _ := strings.Cut(impl[at[1]:], "\n};")
		for _, r := range convRow.FindAllStringSubmatch(body, -1) {
			m.conv = append(m.conv, conversion{r[1], convSteps(r[2])})
		}
	}
	for _, c := range convCase.FindAllStringSubmatch(functionBody(impl, convFunc), -1) {
		if sem := stepMeaning(c[1], c[2]); sem != nil {
			m.meaning[c[1]] = sem
		}
	}
	_, rest, ok := strings.Cut(impl, "enum {\n  Tie")
	if !ok {
		return
	}
	enum, rest, _ := strings.Cut("  Tie"+rest, "\n};")
	lines, _ := array(strings.Replace(rest, "TiedAsmOperandTable[][3]", "TiedAsmOperandTable[]", 1), "TiedAsmOperandTable")
	for i, n := range tieName.FindAllString(enum, -1) {
		if i < len(lines) {
			m.tied[strings.TrimSpace(n)] = ints(comment.ReplaceAllString(lines[i], ""))
		}
	}
}

// convSteps reads pairs of step and operand up to CVT_Done.
func convSteps(row string) [][]any {
	steps := [][]any{}
	var items []string
	for _, x := range strings.Split(row, ",") {
		if x = strings.TrimSpace(x); x != "" {
			items = append(items, x)
		}
	}
	for i := 0; i+1 < len(items) && items[i] != "CVT_Done"; i += 2 {
		var src any = items[i+1]
		if n := ints(items[i+1]); len(n) == 1 && fmt.Sprint(n[0]) == items[i+1] {
			src = n[0]
		}
		steps = append(steps, []any{strings.TrimPrefix(items[i], "CVT_"), src})
	}
	return steps
}

// stepMeaning returns the effect of a conversion step's code, nil if it is not known.
func stepMeaning(name, code string) []any {
	if x := stepOp.FindStringSubmatch(code); x != nil {
		return []any{"op", x[1], atoi(x[2])}
	}
	if x := stepImm.FindStringSubmatch(code); x != nil {
		return []any{"imm", ints(x[1])[0]}
	}
	if x := stepReg.FindStringSubmatch(code); x != nil {
		return []any{"reg", unqualified(x[1])}
	}
	if strings.Contains(strings.ToLower(name), "tied") || strings.Contains(code, "Inst.addOperand(Inst.getOperand") {
		return []any{"tied"}
	}
	if x := stepCustom.FindStringSubmatch(code); x != nil {
		return []any{"custom", x[1]}
	}
	return nil
}

func (m *matcher) readTables(impl string) error {
	for _, head := range matchArray.FindAllStringSubmatchIndex(impl, -1) {
		body, _, _ := strings.Cut(impl[head[1]:], "\n};")
		var rows []matchRow
		for _, r := range matchLine.FindAllStringSubmatch(body, -1) {
			kinds := strings.Split(strings.ReplaceAll(r[5], " ", ""), ",")
			kinds = slices.DeleteFunc(kinds, func(k string) bool { return k == "" })
			rows = append(rows, matchRow{r[1], r[2], r[3], r[4], kinds})
		}
		if n := strings.Count(body, "AMFBS_"); n != len(rows) {
			return fmt.Errorf("read %d of %d match rows", len(rows), n)
		}
		m.tables = append(m.tables, rows)
	}
	return nil
}
