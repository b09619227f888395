package symname

import (
	"strings"
	"testing"
	"unicode/utf8"
)

func TestDemangle(t *testing.T) {
	for symbol, want := range map[string]string{
		"_ZN5Eigen8internal4gemmEv":                      "Eigen::internal::gemm()",
		"_RNvCs1234_7mycrate3foo":                        "mycrate::foo",
		"_ZN4core3fmt9Formatter3pad17h0123456789abcdefE": "core::fmt::Formatter::pad",
		"main.(*T).Method":                               "main.(*T).Method",
		"dot":                                            "dot",
	} {
		if got := Demangle(symbol); got != want {
			t.Errorf("%s: %s, want %s", symbol, got, want)
		}
	}
}

func TestShorter(t *testing.T) {
	for name, want := range map[string][3]string{
		"Mat<float>::scale(float)":                                   {"Mat<float>::scale", "Mat::scale", "scale"},
		"void kernel<int, 4>(std::vector<int, std::a<int> > const&)": {"kernel<int, 4>", "kernel", "kernel"},
		"ns::norm(std::vector<double> const&) [clone .cold]":         {"ns::norm", "ns::norm", "norm"},
		"(anonymous namespace)::f(int)":                              {"(anonymous namespace)::f", "(anonymous namespace)::f", "f"},
		"A::operator()(int) const":                                   {"A::operator()", "A::operator()", "operator()"},
		"A::operator<(A const&)":                                     {"A::operator<", "A::operator<", "operator<"},
		"A::operator->()":                                            {"A::operator->", "A::operator->", "operator->"},
		"operator new(unsigned long)":                                {"operator new", "operator new", "operator new"},
		"main.(*T).Method":                                           {"main.(*T).Method", "main.(*T).Method", "Method"},
		"example.com/x/y.f":                                          {"example.com/x/y.f", "example.com/x/y.f", "f"},
		"mycrate::foo":                                               {"mycrate::foo", "mycrate::foo", "foo"},
		"f(int)::g(long)":                                            {"f(int)::g", "f::g", "g"},
		"main::{lambda(int)#1}::operator()(int) const":               {"main::{lambda(int)#1}::operator()", "main::{lambda#1}::operator()", "operator()"},
		"A::f() const::{lambda(auto:1)#2}::operator()<B>(B) const":   {"A::f() const::{lambda(auto:1)#2}::operator()<B>", "A::f::{lambda#2}::operator()", "operator()"},
		"A::f()::'lambda'(int)::operator()(int) const [clone .cold]": {"A::f()::'lambda'(int)::operator()", "A::f::'lambda'::operator()", "operator()"},
		"std::ostream& operator<< <int>(std::ostream&, A<int>)":      {"operator<< <int>", "operator<<", "operator<<"},
		"A::operator std::function<void (int)>() const":              {"A::operator std::function<void (int)>", "A::operator std::function<void (int)>", "operator std::function<void (int)>"},
		`operator"" _h(char const*, unsigned long)`:                  {`operator"" _h`, `operator"" _h`, `operator"" _h`},
		"bool A<(1 > 2), &B::operator->>::f[abi:cxx11](int)":         {"A<(1 > 2), &B::operator->>::f[abi:cxx11]", "A::f", "f"},
		"decltype (g()) f<int>(int)":                                 {"f<int>", "f", "f"},
		"<alloc::vec::Vec<T> as core::ops::Index<I>>::index":         {"<alloc::vec::Vec<T> as core::ops::Index<I>>::index", "<alloc::vec::Vec as core::ops::Index>::index", "index"},
		"main.(*Set[go.shape.int]).Add":                              {"main.(*Set[go.shape.int]).Add", "main.(*Set).Add", "Add"},
		"x/y.Map[go.shape.[]int]":                                    {"x/y.Map[go.shape.[]int]", "x/y.Map", "Map"},
		"-[NSFoo bar:]":                                              {"-[NSFoo bar:]", "-[NSFoo bar:]", "-[NSFoo bar:]"},
		"dot":                                                        {"dot", "dot", "dot"},
		"f(":                                                         {"f", "f", "f"},
		"":                                                           {},
	} {
		if got := Shorter(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestSplit(t *testing.T) {
	for name, want := range map[string][2]string{
		"f(int)+0x1c": {"f(int)", "+0x1c"}, "A::f:.L3": {"A::f", ":.L3"}, "main:.L3": {"main", ":.L3"}, "A::f": {"A::f", ""}, "A::f(B::C):line 7": {"A::f(B::C)", ":line 7"},
		"_ZN1A1fEv:.LBB0_1": {"_ZN1A1fEv", ":.LBB0_1"}, "dot": {"dot", ""}, "": {"", ""}, ":": {":", ""}, "x:": {"x:", ""}, "operator+(int)": {"operator+(int)", ""},
		"f(g::{lambda(auto:1, auto:2 const&)#1})": {"f(g::{lambda(auto:1, auto:2 const&)#1})", ""},
	} {
		if f, p := Split(name); f != want[0] || p != want[1] {
			t.Errorf("%s: %q and %q, want %q", name, f, p, want)
		}
	}
}

// TestFit checks that each name in a column fits, differs from those of other kernels where there is room for that, and is understood as a choice of this kernel.
func TestFit(t *testing.T) {
	long := "void std::__introsort_loop<__gnu_cxx::__normal_iterator<int*, std::vector<int> >, long>(__gnu_cxx::__normal_iterator<int*, std::vector<int> >, long)"
	names := []string{long + "+0x10", long + ":.L24", "main:.L3", strings.Replace(long, "int*", "char*", 1) + "+0x10", "void app::apply<std::vector<float> >(std::vector<float>&)+0x10",
		"void app::apply<std::vector<char> >(std::vector<char>&)+0x10", "int app::norm<std::vector<double, std::allocator<double> > >(std::vector<double, std::allocator<double> >)+0x8"}
	for _, room := range []int{30, 40, 60, 200} {
		seen := map[string]bool{}
		for i, short := range Fit(names, room) {
			if n := utf8.RuneCountInString(short); n > room {
				t.Errorf("%d characters for %d: %s", n, room, short)
			}
			if !Same(names[i], short) {
				t.Errorf("%s is not understood as %s", short, names[i])
			}
			if _, place := Split(names[i]); !strings.HasSuffix(short, place) {
				t.Errorf("%s: the place of %s is lost", short, names[i])
			}
			if seen[short] && room > 60 {
				t.Errorf("%d characters: %s stands for two kernels", room, short)
			}
			seen[short] = true
		}
	}
	if got := Fit(names, 40); got[6] != "app::norm+0x8" || got[4] != "app::apply<std::vector<float> >+0x10" || got[2] != "main:.L3" {
		t.Errorf("%q", got)
	}
}

func TestSame(t *testing.T) {
	const kernel = "double app::norm<int>(std::vector<double> const&):.L24"
	for _, asked := range []string{kernel, ".L24", "double app::norm<int>(std::vector<double> const&)", "app::norm<int>", "app::norm:.L24", "norm", "double app…const&):.L24", "app::no…"} {
		if !Same(kernel, asked) {
			t.Errorf("%s is not understood", asked)
		}
	}
	for _, asked := range []string{"", ".L2", "app", "norm:.L25", "app::norm<char>", "…x", "app::normal"} {
		if Same(kernel, asked) {
			t.Errorf("%s is understood", asked)
		}
	}
}
