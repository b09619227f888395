package api

import (
	"regexp"

	"incore/internal/regex"
)

// rewording replaces words of the command line in a message by what is true of requests, too.
type rewording struct {
	from func() *regexp.Regexp
	to   string
}

// The words for lists that other requests answer. A door may put its own name of the request in their place.
const (
	ListOfMachines = "the list of machines has"
	ListOfLoops    = "the list of loops has"
)

// rewordings are tried in their order. The last leaves the name of an option, which is that of a request's parameter, without its dashes.
var rewordings = []rewording{
	{regex.Lazy(`'incore archs' lists`), ListOfMachines},
	{regex.Lazy(`'incore loops' lists`), ListOfLoops},
	{regex.Lazy(`'incore analyze', [^;]* read it by its name; for others`), "only the text is read here:"},
	{regex.Lazy(`gunzip -c FILE \| incore analyze -`), "send it unpacked"},
	{regex.Lazy(` \('incore loops' and 'incore analyze' read those\)`), ""},
	{regex.Lazy(`; name the instruction set with --isa if this is assembly|; --isa overrides the detection|; give one with --model|; --engine bounds predicts it`), ""},
	{regex.Lazy(`--isa, --syntax and --arch override`), "syntax and arch override"},
	{regex.Lazy(`choose (?:code|a part of it) with --[a-z]+(?:(?:,| or|, or) --[a-z]+)*, or mark it`), "mark it"},
	{regex.Lazy(`choose (?:code|a part of it) with --[a-z]+(?:(?:,| or|, or) --[a-z]+)*`), "give a part of it alone"},
	{regex.Lazy(`(^|[^-\w])--([a-z])`), "$1$2"},
}

// Plain replaces words of the command line in a message or hint by words that are true of requests, too.
func Plain(text string) string {
	for _, r := range rewordings {
		text = r.from().ReplaceAllString(text, r.to)
	}
	return text
}
