//go:build js && wasm

// Command incore-wasm is the analyser as WebAssembly, for the pages that 'incore serve --export' writes:
//
//	GOOS=js GOARCH=wasm go build -ldflags='-s -w' -o incore.wasm ./cmd/incore-wasm
//
// It gives its worker the function incoreAnswer(path, query, body, done), which calls done(status, json).
package main

import (
	"bytes"
	"context"
	"errors"
	"net/url"
	"runtime/debug"
	"syscall/js"

	"incore/internal/report"
	"incore/internal/web/api"
)

func main() {
	debug.SetGCPercent(200)
	o := &api.Options{Version: report.Version}
	js.Global().Set("incoreAnswer", js.FuncOf(func(_ js.Value, args []js.Value) any {
		path, done := args[0].String(), args[3]
		query, err := url.ParseQuery(args[1].String())
		if err != nil {
			query = nil
		}
		body := make([]byte, args[2].Get("length").Int())
		js.CopyBytesToGo(body, args[2])
		go func() { // a callback must not wait
			status, text := answer(o, path, query, body)
			done.Invoke(status, text)
		}()
		return nil
	}))
	js.Global().Call("incoreReady")
	select {}
}

// answer answers a request as the server does.
func answer(o *api.Options, path string, query url.Values, body []byte) (status int, text string) {
	status = 200
	v, err := func() (v any, err error) {
		defer func() {
			if p := recover(); p != nil {
				err = &api.Error{Status: 500, Message: "the analysis failed; this is a mistake in incore"}
				println("panic:", string(debug.Stack()))
			}
		}()
		return o.Answer(context.Background(), path, query, body)
	}()
	var e *api.Error
	if errors.As(err, &e) {
		status, v = e.Status, e
	}
	var b bytes.Buffer
	_ = report.JSON(&b, v)
	return status, b.String()
}
