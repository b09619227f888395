package main

import "errors"

func convertWINIC(file, over, name string) error { return errors.New("TODO") }
