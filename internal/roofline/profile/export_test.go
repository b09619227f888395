package profile

// Unfiltered has a program record all its addresses.
func (o Options) Unfiltered() Options {
	o.unfiltered = true
	return o
}
