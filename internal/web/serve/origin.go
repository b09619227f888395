package serve

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strings"

	"incore/internal/web/api"
)

// A page of another site that is open in the user's browser can send requests to this server, and by a name that leads here (DNS rebinding) read the answers. So a
// request has to name the server as this machine is named, and its Origin, which browsers add, has to be that of the server's own pages.

// foreign returns the error for a request that comes from a page of another site, nil for others.
func (o *Options) foreign(r *http.Request) *api.Error {
	if !o.named(r.Host) {
		return &api.Error{Status: http.StatusForbidden, Message: "this server is not called " + clip(r.Host), Hint: "use its address, or name it with --host"}
	}
	origin := r.Header.Get("Origin")
	if u, err := url.Parse(origin); origin != "" && (err != nil || !strings.EqualFold(u.Host, r.Host)) || r.Header.Get("Sec-Fetch-Site") == "cross-site" {
		return &api.Error{Status: http.StatusForbidden, Message: "a page of another site may not ask this server"}
	}
	return nil
}

// named reports whether a host of a request is a name of this server: an address, localhost, this machine's name, or one that the user gave.
func (o *Options) named(host string) bool {
	if name, _, err := net.SplitHostPort(host); err == nil {
		host = name
	}
	host = strings.ToLower(strings.TrimSuffix(strings.Trim(host, "[]"), "."))
	if _, err := netip.ParseAddr(host); err == nil || host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	mine, _ := os.Hostname()
	mine = strings.ToLower(mine)
	short, _, _ := strings.Cut(mine, ".")
	return host != "" && (host == mine || host == short || slices.ContainsFunc(o.Hosts, func(h string) bool { return strings.EqualFold(h, host) }))
}

// clip shortens a text of the request for a message.
func clip(s string) string {
	if len(s) > 100 {
		return s[:100] + "…"
	}
	return s
}
