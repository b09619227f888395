package host

import (
	"math"
	"testing"
)

// TestCrowded: of windows of a short loop those count in which the core had most room, and the result says how crowded it was in them.
func TestCrowded(t *testing.T) {
	seen := quietRoom.Load()
	defer quietRoom.Store(seen)
	quietRoom.Store(0)
	ExpectRoom(0)
	if quietRoom.Load() != 0 {
		t.Error("a model without a figure says something")
	}
	ExpectRoom(1 / roomSlack)
	s := &sample{windows: 60, copies: 1}
	for i := range 60 {
		room := 1.2
		if i%4 == 0 {
			room = 1.1
		}
		s.cycles, s.ratios, s.rooms = append(s.cycles, 2*room), append(s.ratios, 1), append(s.rooms, room)
	}
	r, err := s.result()
	if err != nil || math.Abs(r.Cycles-2.2) > 1e-9 || math.Abs(r.Crowded-1.1) > 1e-9 || r.Windows != 15 {
		t.Errorf("a loop of a cycle or two: %+v, %v", r, err)
	}
	s.copies = 50
	if r, err = s.result(); err != nil || r.Crowded != 1 || r.Windows != 60 {
		t.Errorf("fifty copies in a loop: %+v, %v", r, err)
	}
	if crowdedBeyond(1.9) || !crowdedBeyond(2.1) {
		t.Error("a thread that runs is not told from one that keeps room")
	}
	if c := crowded(1.02); c != 1 {
		t.Errorf("what the probe's end costs is taken for a crowd: %v", c)
	}
	if c := crowded(0); c != 1 {
		t.Errorf("without a probe: %v", c)
	}
	if crowded(0.8); math.Float64frombits(quietRoom.Load()) != 0.8 {
		t.Error("a quicker probe than the model's is not believed")
	}
}
