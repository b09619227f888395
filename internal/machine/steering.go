package machine

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"strconv"
	"strings"
)

// Steering is a group of scheduler partitions among which the core chooses for µops that could use several of them, before the µops are ready; and
// the policy of the choice ("param steering-NAME: POLICY PARTITION… KEY=VALUE…").
type Steering struct {
	Policy     SteeringPolicy
	Partitions []Partition
	Hold       int // cycles for which an entry stays taken after its µop has issued
	Delay      int // cycles after which the choice sees µops that entered or left

	Addresses     DispatchLimit // SteerPackets: limit of a partition's µops per cycle if some of them compute addresses on these ports
	AddressWeight int           // SteerPackets: occupancy added to a partition that got an address in the same cycle

	Queue     int // SteerTurns: entries of the queue before the partitions, which µops leave in program order
	Imbalance int // a µop gets another partition if at least that many fewer µops wait there: for its port (SteerTurns), in all (SteerChance)
}

// SteeringPolicy tells when and how the partition of a µop is chosen.
type SteeringPolicy uint8

// The policies. SteerPackets: all µops that are dispatched in a cycle (a packet) get their partitions together, by the occupancy of the partitions.
// SteerTurns: µops wait in a queue, and the µops that leave it get the partitions in rotation. SteerChance:
// each µop gets any partition that has a port for it and room.
const (
	SteerPackets SteeringPolicy = iota
	SteerTurns
	SteerChance
)

var steeringPolicies = []string{SteerPackets: "packet", SteerTurns: "turns", SteerChance: "chance"}

func (p SteeringPolicy) String() string { return steeringPolicies[p] }

// Partition is a partition of the scheduler that µops are steered to.
type Partition struct {
	Scheduler int     // index into Core.Schedulers
	Second    PortSet // SteerPackets: it accepts a second µop per cycle if that µop can use only these ports
	Free      int     // free entries, as far as the choice knows, that the second µop requires
}

const (
	// MaxPartitions is the largest number of partitions in a group.
	MaxPartitions = 4
	// MaxGroups is the largest number of groups in a core.
	MaxGroups = 2
	// MaxTurnPorts is the largest number of ports of all partitions together with SteerTurns.
	MaxTurnPorts = 8
	// MaxTurnDelay is the largest Steering.Delay with SteerTurns.
	MaxTurnDelay = 4
	// MaxSteeringCycles is the largest number of cycles from the issue of a µop until the choice sees its entry as free.
	MaxSteeringCycles = 10
)

// SteeringPrefix begins the names of groups of partitions in models.
const SteeringPrefix = "steering-"

// steeringPart is a KEY=VALUE part of Steering in model files.
type steeringPart struct {
	name        string
	policies    []SteeringPolicy // policies that accept the part
	least, most int
	to          func(s *Steering) *int
}

var steeringParts = []steeringPart{
	{"hold", []SteeringPolicy{SteerPackets, SteerTurns, SteerChance}, 0, MaxSteeringCycles, func(s *Steering) *int { return &s.Hold }},
	{"delay", []SteeringPolicy{SteerPackets, SteerTurns}, 0, MaxSteeringCycles, func(s *Steering) *int { return &s.Delay }},
	{"address-weight", []SteeringPolicy{SteerPackets}, 0, 100, func(s *Steering) *int { return &s.AddressWeight }},
	{"queue", []SteeringPolicy{SteerTurns}, 1, maxParam, func(s *Steering) *int { return &s.Queue }},
	{"imbalance", []SteeringPolicy{SteerTurns, SteerChance}, 1, maxParam, func(s *Steering) *int { return &s.Imbalance }},
}

// steering reads "POLICY PARTITION… KEY=VALUE…". Partitions are names of schedulers; with the policy packet, also the ports of second µops and the
// free entries that these require (NAME+PORTS/FREE).
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

// set reads a KEY=VALUE part.
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

// check returns an error if parts contradict each other or are missing.
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

// scheduler returns the index of the scheduler with a name, -1 if there is none.
func (c *Core) scheduler(name string) int {
	return slices.IndexFunc(c.Schedulers, func(s Scheduler) bool { return s.Name == name })
}
