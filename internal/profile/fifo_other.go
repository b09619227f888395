//go:build !unix

package profile

import "errors"

func makeFIFO(string) error { return errors.New("this system has no named pipes") }
