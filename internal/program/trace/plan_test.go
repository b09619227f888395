package trace

import "testing"

// TestKeys: the keys of visits tell what follows a visit apart: other visits, its dependences, and its slow accesses, although their numbers may be the same.
func TestKeys(t *testing.T) {
	plan := func(blocks []int32, deps []segmentDependence, marks []slow) segmentPlan {
		p := segmentPlan{Segment: &Segment{blocks: blocks, wrong: make([]uint64, 1)}, slow: marks}
		for i := range deps {
			p.deps = append(p.deps, plannedDependence{segmentDependence: &deps[i]})
		}
		last := int32(len(blocks) - 1)
		for v := range int32(len(blocks)) + 1 { // all belong to the last visit
			p.firstDep, p.firstMark = append(p.firstDep, 0), append(p.firstMark, 0)
			if v > last {
				p.firstDep[v], p.firstMark[v] = int32(len(deps)), int32(len(marks))
			}
		}
		return p
	}
	key := func(p segmentPlan) (h uint64) {
		for v := range p.blocks {
			h = p.visited(h, 0, v)
		}
		return h
	}
	seen := map[uint64]string{}
	for name, p := range map[string]segmentPlan{
		"visits":     plan([]int32{5, 5, 5, 1, 0}, nil, nil),
		"dependence": plan([]int32{5, 5, 5}, []segmentDependence{{to: 2, from: 0}}, nil), // two visits before, as block 1; the rest of it as block 0
		"nearer":     plan([]int32{5, 5, 5}, []segmentDependence{{to: 2, from: 1}}, nil),
		"offset":     plan([]int32{5, 5, 5}, []segmentDependence{{to: 2, from: 0, dependence: dependence{offset: 8}}}, nil),
		"access":     plan([]int32{5, 5, 5}, nil, []slow{{leave: 2}}), // as block 1
		"block 1":    plan([]int32{5, 5, 5, 1}, nil, nil),
		"late":       plan([]int32{5, 5, 5}, nil, []slow{{late: 2}}),
		"crosses":    plan([]int32{5, 5, 5}, nil, []slow{{crosses: true}}),
		"neither":    plan([]int32{5, 5, 5}, nil, nil),
	} {
		k := key(p)
		if other := seen[k]; other != "" {
			t.Errorf("%s and %s have one key", name, other)
		}
		seen[k] = name
	}
}
