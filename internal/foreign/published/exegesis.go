package published

import (
	"bufio"
	"bytes"
	"errors"
	"math"
	"strings"

	"incore/internal/base/regex"
	"incore/internal/isa"
)

var (
	exegesisStart = regex.Lazy(`(?m)^(---|mode:\s)`)
	exegesisKey   = regex.Lazy(`(?m)^key:`)
	exegesisValue = regex.Lazy(`key:\s*'?(\w+)'?\s*,\s*value:\s*([0-9.eE+-]+)`)
)

// exegesis reads benchmarks of llvm-exegesis: YAML documents of one shape, each with the form's name as the first word of its first instruction, a mode, and measurements. Documents
// with an error, of uops, or of several instructions are left out.
func exegesis(data []byte, set *isa.ISA) (*File, error) {
	r := &reader{file: &File{Kind: Exegesis}, set: set, index: map[isa.FormID]int{}}
	var name, mode, failed string
	count, in := 0, false
	value := math.NaN()
	flush := func() {
		if name != "" && failed == "" && count == 1 && !math.IsNaN(value) {
			f := set.Forms.Named(name)
			switch mode {
			case "latency":
				r.add(name, f, value, math.NaN())
			case "inverse_throughput":
				r.add(name, f, math.NaN(), value)
			}
		} else if name != "" && failed == "" && count > 1 {
			r.file.Left = append(r.file.Left, name+" and others")
		}
		name, mode, failed, count, in, value = "", "", "", 0, false, math.NaN()
	}
	s := bufio.NewScanner(bytes.NewReader(data))
	s.Buffer(nil, 1<<24) // the assembled snippet is a line
	for s.Scan() {
		line := s.Text()
		text := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(line, "---"):
			flush()
		case strings.HasPrefix(text, "instructions:"):
			in = true
		case in && strings.HasPrefix(text, "- "):
			if count++; count == 1 {
				name, _, _ = strings.Cut(strings.Trim(strings.TrimSpace(text[2:]), `'"`), " ")
			}
		case strings.HasPrefix(text, "mode:"):
			mode = strings.Trim(strings.TrimSpace(text[5:]), `'"`)
		case strings.HasPrefix(text, "error:"):
			failed = strings.Trim(strings.TrimSpace(text[6:]), `'"`)
		default:
			if m := exegesisValue().FindStringSubmatch(text); m != nil && m[1] == mode {
				value = cyclesOf(m[2])
			}
		}
		if in && !strings.HasPrefix(text, "- ") && !strings.HasPrefix(text, "instructions:") {
			in = false
		}
	}
	if err := s.Err(); err != nil {
		return nil, err
	}
	flush()
	if len(r.file.Figures)+len(r.file.Left) == 0 {
		return nil, errors.New("holds no benchmark of llvm-exegesis without an error")
	}
	return r.done()
}
