package machine

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Steering is a group of partitions of the scheduler of which each µop that may go to ports of several gets one before it is ready, and how it gets it
// ("param steering-NAME: POLICY PARTITION… KEY=VALUE…").
type Steering struct {
	Policy     SteeringPolicy
	Partitions []Partition
	Hold       int // cycles for which an entry stays taken once its µop has issued
	Delay      int // cycles for which the choice does not know of µops that came or left

	Addresses     DispatchLimit // SteerPackets: how many µops a cycle a partition takes if some compute addresses by these ports
	AddressWeight int           // SteerPackets: by how many µops a partition seems fuller that has got an address in the same cycle

	Queue     int // SteerTurns: entries of a queue before the partitions, which µops leave in program order
	Imbalance int // SteerTurns: where so many more µops wait for its port than for its port of another partition, a µop gets that one
}

// SteeringPolicy is when and how the partition of a µop is chosen.
type SteeringPolicy uint8

// The policies. A packet is what is dispatched in a cycle: its µops get partitions together, by how full these are. Turns: µops wait in a queue, and those
// that leave it get the partitions in turn.
const (
	SteerPackets SteeringPolicy = iota
	SteerTurns
)

var steeringPolicies = []string{SteerPackets: "packet", SteerTurns: "turns"}

func (p SteeringPolicy) String() string { return steeringPolicies[p] }

// Partition is a partition of the scheduler that µops are steered to.
type Partition struct {
	Scheduler int     // index into Core.Schedulers
	Second    PortSet // SteerPackets: it takes a second µop a cycle, of those that can go to these ports only
	Free      int     // if so many entries are free, as far as the choice knows
}

const (
	// MaxPartitions is how many partitions a group has at most.
	MaxPartitions = 4
	// MaxGroups is how many groups a core has at most.
	MaxGroups = 2
	// MaxTurnPorts is how many ports the partitions have at most, together, that µops are steered to in turn.
	MaxTurnPorts = 8
	// MaxTurnDelay is the greatest Steering.Delay there.
	MaxTurnDelay = 4
	// MaxSteeringCycles is how many cycles there may be at most between the issue of a µop and when the choice knows that its entry is free.
	MaxSteeringCycles = 10
)

// SteeringPrefix is how models name groups of partitions that µops are steered to.
const SteeringPrefix = "steering-"

// steeringPart is a part of Steering as model files state it.
type steeringPart struct {
	name        string
	policies    []SteeringPolicy // that have it
	least, most int
	to          func(s *Steering) *int
}

var steeringParts = []steeringPart{
	{"hold", []SteeringPolicy{SteerPackets, SteerTurns}, 0, MaxSteeringCycles, func(s *Steering) *int { return &s.Hold }},
	{"delay", []SteeringPolicy{SteerPackets, SteerTurns}, 0, MaxSteeringCycles, func(s *Steering) *int { return &s.Delay }},
	{"address-weight", []SteeringPolicy{SteerPackets}, 0, 100, func(s *Steering) *int { return &s.AddressWeight }},
	{"queue", []SteeringPolicy{SteerTurns}, 1, maxParam, func(s *Steering) *int { return &s.Queue }},
	{"imbalance", []SteeringPolicy{SteerTurns}, 1, maxParam, func(s *Steering) *int { return &s.Imbalance }},
}

// steering reads "POLICY PARTITION… KEY=VALUE…". Partitions are names of schedulers, in packets with the ports of second µops and how many entries must be free
// for these (NAME+PORTS/FREE).
func (m *Model) steering(c *Core, text string) error {
	f := strings.Fields(text)
	if len(f) == 0 || !slices.Contains(steeringPolicies, f[0]) {
		return fmt.Errorf("want a policy (%s), partitions, and its parts", strings.Join(steeringPolicies, ", "))
	}
	s := Steering{Policy: SteeringPolicy(slices.Index(steeringPolicies, f[0]))}
	var partitions []string
	for _, word := range f[1:] {
		name, value, named := strings.Cut(word, "=")
		var err error
		switch {
		case !named:
			partitions = append(partitions, word)
		case name == "addresses" && s.Policy == SteerPackets:
			s.Addresses, err = m.limit(strings.Replace(value, ":", " ", 1))
		default:
			err = s.set(name, value)
		}
		if err != nil {
			return err
		}
	}
	if err := m.steered(c, &s, partitions); err != nil {
		return err
	}
	if err := s.check(); err != nil {
		return err
	}
	c.Steering = append(c.Steering, s)
	return nil
}

// set reads a part.
func (s *Steering) set(name, value string) error {
	for _, p := range steeringParts {
		if p.name != name || !slices.Contains(p.policies, s.Policy) {
			continue
		}
		n, err := strconv.Atoi(value)
		if err != nil || n < p.least || n > p.most {
			return fmt.Errorf("%s=%s: want a number from %d to %d", name, clip(value), p.least, p.most)
		}
		*p.to(s) = n
		return nil
	}
	return fmt.Errorf("the policy '%s' has no part '%s'", s.Policy, clip(name))
}

// check finds what contradicts itself or is missing.
func (s *Steering) check() error {
	switch {
	case s.Hold+s.Delay > MaxSteeringCycles:
		return fmt.Errorf("hold and delay: more than %d cycles", MaxSteeringCycles)
	case s.Policy != SteerTurns:
		return nil
	case s.Queue == 0 || s.Imbalance == 0:
		return errors.New("turns need queue= and imbalance=")
	case s.Delay < 1 || s.Delay > MaxTurnDelay:
		return fmt.Errorf("turns need delay= from 1 to %d", MaxTurnDelay)
	}
	return nil
}

// steered finds the partitions of a group.
func (m *Model) steered(c *Core, s *Steering, names []string) error {
	if len(names) == 0 || len(names) > MaxPartitions {
		return fmt.Errorf("not one to %d partitions", MaxPartitions)
	}
	if len(c.Steering) == MaxGroups {
		return fmt.Errorf("more than %d groups", MaxGroups)
	}
	var all, seconds, others PortSet
	for i := range c.Steering {
		for _, p := range c.Steering[i].Partitions {
			others |= c.Schedulers[p.Scheduler].Ports
		}
	}
	for _, word := range names {
		p, err := m.steeredTo(c, word)
		if err != nil {
			return err
		}
		own := &c.Schedulers[p.Scheduler]
		switch {
		case p.Second != 0 && s.Policy != SteerPackets:
			return fmt.Errorf("'%s': second µops are of packets", clip(word))
		case all&own.Ports != 0:
			return fmt.Errorf("a port of two schedulers, '%s' is one of them", own.Name)
		case others&own.Ports != 0:
			return fmt.Errorf("the scheduler '%s' is one of two groups", own.Name)
		}
		all, seconds = all|own.Ports, seconds|p.Second
		s.Partitions = append(s.Partitions, p)
	}
	if seconds&^all != 0 {
		return errors.New("second µops for ports that are of none of the partitions")
	}
	if s.Policy == SteerTurns && bits.OnesCount64(uint64(all)) > MaxTurnPorts {
		return fmt.Errorf("more than %d ports", MaxTurnPorts)
	}
	return nil
}

// steeredTo reads "NAME", "NAME+PORTS" or "NAME+PORTS/FREE".
func (m *Model) steeredTo(c *Core, word string) (p Partition, err error) {
	name, second, two := strings.Cut(word, "+")
	if p.Scheduler = c.scheduler(name); p.Scheduler < 0 {
		return p, fmt.Errorf("there is no scheduler '%s'", clip(name))
	}
	own := &c.Schedulers[p.Scheduler]
	second, count, some := strings.Cut(second, "/")
	if p.Free, err = strconv.Atoi(count); some && (err != nil || p.Free < 0 || p.Free > own.Entries) {
		return p, fmt.Errorf("'%s': want a number of free entries from 0 to %d", clip(word), own.Entries)
	}
	if p.Second, err = m.ports(second); err != nil {
		return p, err
	}
	if two && p.Second&own.Ports == 0 {
		return p, fmt.Errorf("'%s': the second µops have no port of the scheduler", clip(word))
	}
	return p, nil
}

// scheduler is the index of a scheduler, -1 if there is none of this name.
func (c *Core) scheduler(name string) int {
	return slices.IndexFunc(c.Schedulers, func(s Scheduler) bool { return s.Name == name })
}
