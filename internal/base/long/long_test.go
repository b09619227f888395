package long

import "testing"

func TestSome(t *testing.T) {
	cases := []int{1, 2, 3}
	t.Setenv("INCORE_LONG", "")
	if got := Some(cases, 2); len(got) != 2 || Tests() {
		t.Errorf("without INCORE_LONG: %d cases, long tests %v", len(got), Tests())
	}
	if got := Some(cases, 5); len(got) != 3 {
		t.Errorf("more than there are: %d", len(got))
	}
	t.Setenv("INCORE_LONG", "1")
	if got := Some(cases, 2); (len(got) == 3) != Tests() || Tests() == testing.Short() {
		t.Errorf("with INCORE_LONG: %d cases, long tests %v", len(got), Tests())
	}
}

func TestCount(t *testing.T) {
	t.Setenv("INCORE_LONG", "")
	if Count(8, 2) != 2 || Step(4, 3) != 12 {
		t.Errorf("without INCORE_LONG: %d cases, every %dth", Count(8, 2), Step(4, 3))
	}
	t.Setenv("INCORE_LONG", "1")
	if (Count(8, 2) == 8) != Tests() || (Step(4, 3) == 4) != Tests() {
		t.Errorf("with INCORE_LONG: %d cases, every %dth", Count(8, 2), Step(4, 3))
	}
}
