package parallel

import (
	"context"
	"errors"
	"slices"
	"sync/atomic"
	"testing"
	"time"
)

// TestOrdered has workers that are not equally fast; what they return comes in order.
func TestOrdered(t *testing.T) {
	for _, workers := range []int{1, 3} {
		var got []int
		err := Ordered(context.Background(), workers, 20, func(_ context.Context, worker, i int) (int, error) {
			if worker == 0 {
				time.Sleep(time.Millisecond)
			}
			return i * i, nil
		}, func(i, v int) error {
			got = append(got, v-i*i+i)
			return nil
		})
		want := make([]int, 20)
		for i := range want {
			want[i] = i
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers: %v, %v", workers, got, err)
		}
	}
}

// TestOrderedEnds: the first error ends all, whoever makes it, and what came before it is taken; of several workers another may still be at an earlier one.
func TestOrderedEnds(t *testing.T) {
	for _, who := range []string{"do", "take", "ctx"} {
		for workers := 1; workers <= 2; workers++ {
			orderedEnds(t, who, workers)
		}
	}
}

func orderedEnds(t *testing.T, who string, workers int) {
	stop := errors.New("stop")
	ctx, cancel := context.WithCancel(context.Background())
	var calls atomic.Int64
	taken := 0
	err := Ordered(ctx, workers, 1000, func(ctx context.Context, _, i int) (int, error) {
		if calls.Add(1); i == 10 && who == "ctx" {
			cancel()
		}
		if i == 10 && who == "do" {
			return 0, stop
		}
		return i, ctx.Err()
	}, func(i, _ int) error {
		if taken++; i == 10 && who == "take" {
			return stop
		}
		return nil
	})
	cancel()
	if want := map[string]error{"do": stop, "take": stop, "ctx": context.Canceled}[who]; !errors.Is(err, want) {
		t.Errorf("%s: %v, want %v", who, err, want)
	}
	if least := map[bool]int{true: 10}[who == "take" || who == "do" && workers == 1]; calls.Load() > 900 || taken > 11 || taken < least {
		t.Errorf("%s, %d workers: %d calls, %d taken", who, workers, calls.Load(), taken)
	}
}
