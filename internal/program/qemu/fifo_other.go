//go:build !unix

package qemu

import "errors"

func makeFIFO(string) error { return errors.New("this system has no named pipes") }
