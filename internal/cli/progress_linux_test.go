package cli

import (
	"bytes"
	"io"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"incore/internal/base/long"
)

// terminal opens a pseudo-terminal. What is written to it comes back from drawn, which closes it.
func terminal(t *testing.T) (tty *os.File, drawn func() string) {
	t.Helper()
	master, err := os.OpenFile("/dev/ptmx", os.O_RDWR, 0)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	fd := int(master.Fd())
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	n, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	if tty, err = os.OpenFile("/dev/pts/"+strconv.Itoa(n), os.O_RDWR|unix.O_NOCTTY, 0); err != nil {
		t.Skip("no pseudo-terminals here: ", err)
	}
	text := make(chan string)
	go func() {
		var b bytes.Buffer
		_, _ = io.Copy(&b, master) // ends with an error when the terminal is closed
		text <- b.String()
	}()
	return tty, func() string {
		tty.Close()
		s := <-text
		master.Close()
		return s
	}
}

// TestSearchedOnTerminal: what takes no second draws nothing, what takes longer says how far it is, and leaves an empty line.
func TestSearchedOnTerminal(t *testing.T) {
	tty, drawn := terminal(t)
	e := &env{stderr: tty}
	quick := e.searched()
	quick(1, 100)
	quick(100, 100)
	slow := e.searched()
	slow(1, 100)
	time.Sleep(1200 * time.Millisecond)
	slow(50, 100)
	slow(51, 100) // in the same tenth of a second, as a rule
	time.Sleep(150 * time.Millisecond)
	slow(99, 100)
	slow(100, 100)
	got := drawn()
	if !regexp.MustCompile(`^\r50 of 100 functions searched(\r51 of 100 functions searched)?\r99 of 100 functions searched\r\x1b\[K$`).MatchString(got) {
		t.Errorf("drawn: %q", got)
	}
	if (&env{stderr: &bytes.Buffer{}}).searched() != nil {
		t.Error("progress where there is no terminal")
	}
}

// TestLoopsOnTerminal lists the loops of a shared library of 100 MB on a terminal.
func TestLoopsOnTerminal(t *testing.T) {
	long.Only(t, "searches a library of 100 MB")
	library := largeLibrary(t)
	tty, drawn := terminal(t)
	var out bytes.Buffer
	if code := Main([]string{"incore", "loops", library}, strings.NewReader(""), &out, tty); code != 0 {
		t.Fatalf("status %d: %s", code, drawn())
	}
	got := drawn()
	if !regexp.MustCompile(`^(\r\d+ of \d+ functions searched)+\r\x1b\[K$`).MatchString(got) {
		t.Errorf("no progress, or it was not taken away: %.200q", got)
	}
	if strings.Contains(out.String(), "searched") || !strings.Contains(out.String(), "loops ") {
		t.Errorf("standard output: %.300s", out.String())
	}
}
