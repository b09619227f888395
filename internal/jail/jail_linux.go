package jail

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// marker is the first argument of the program when it starts itself inside the new namespaces. The environment also holds the secret, so that no
// user's argument is mistaken for it.
const (
	marker      = "incore-jail"
	environment = "INCORE_JAIL"
)

// shown are the system's folders that the compiler sees, read-only.
var shown = []string{"/usr", "/bin", "/lib", "/lib64", "/lib32", "/etc/alternatives"}

// Enter must be the first call of a program that uses Run. In a process that Run has started, it closes the jail, becomes the contained program, and
// does not return.
func Enter() {
	if len(os.Args) < 3 || os.Args[0] != marker || os.Getenv(environment) == "" {
		return
	}
	err := enter(os.Getenv(environment), os.Args[1:])
	fmt.Fprintln(os.Stderr, "containing the compiler:", err)
	os.Exit(125)
}

// Run runs a program by name with the given standard input. It returns an error if the program could not be run; the failure of a program that ran is
// part of the result.
func Run(ctx context.Context, input []byte, name string, args ...string) (*Result, error) {
	path, err := exec.LookPath(name)
	if err != nil {
		return nil, err
	}
	if path, err = filepath.Abs(path); err != nil {
		return nil, err
	}
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	root, err := os.MkdirTemp("", "incore-cc")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(root)
	ctx, cancel := context.WithTimeout(ctx, Time)
	defer cancel()
	var out, errs bounded
	out.left, errs.left = output, messages
	cmd := exec.CommandContext(ctx, self)
	cmd.Args = append([]string{marker, path}, args...)
	cmd.Env = []string{environment + "=" + root, "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=/tmp"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &errs
	cmd.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		UidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getuid(), Size: 1}},
		GidMappings: []syscall.SysProcIDMap{{ContainerID: 0, HostID: os.Getgid(), Size: 1}},
		Pdeathsig:   syscall.SIGKILL,
	}
	cmd.WaitDelay = Time / 10
	err = cmd.Run()
	r := &Result{Output: out.kept.Bytes(), Messages: errs.kept.String()}
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		r.Failed = fmt.Sprintf("stopped after %v", Time)
	case out.cut:
		r.Failed = fmt.Sprintf("stopped: its output has more than %d bytes", output)
	case errors.As(err, &exit) && exit.ExitCode() == 125:
		return nil, fmt.Errorf("%w: %s", ErrUnavailable, strings.TrimSpace(r.Messages))
	case errors.As(err, &exit):
		r.Failed = exit.Error()
	case errors.Is(err, syscall.EPERM), errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EINVAL):
		return nil, fmt.Errorf("%w: the kernel allows this user no namespaces: %w", ErrUnavailable, err)
	case err != nil:
		return nil, err
	}
	return r, nil
}

// bounded keeps the first bytes written to it and refuses more.
type bounded struct {
	kept bytes.Buffer // not embedded: its ReadFrom knows no bound
	left int
	cut  bool
}

func (b *bounded) Write(p []byte) (int, error) {
	if len(p) > b.left {
		b.cut = true
		b.kept.Write(p[:b.left])
		b.left = 0
		return 0, io.ErrShortWrite
	}
	b.left -= len(p)
	return b.kept.Write(p)
}

// enter makes root the file system, sets the limits and becomes the program.
func enter(root string, args []string) error {
	if err := build(root); err != nil {
		return err
	}
	for _, l := range []struct {
		what  int
		limit uint64
	}{{unix.RLIMIT_AS, memory}, {unix.RLIMIT_CPU, uint64(Time.Seconds())}, {unix.RLIMIT_FSIZE, fileSize}, {unix.RLIMIT_NOFILE, files}, {unix.RLIMIT_CORE, 0}} {
		if err := unix.Setrlimit(l.what, &unix.Rlimit{Cur: l.limit, Max: l.limit}); err != nil {
			return fmt.Errorf("setting limits: %w", err)
		}
	}
	// The limit also counts the user's other processes, so it is best effort.
	_ = unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: tasks, Max: tasks})
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return unix.Exec(args[0], args, []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=/tmp", "HOME=/tmp"})
}

// build mounts the file system: the shown folders, read-only, and a small /tmp in memory.
func build(root string) error {
	if err := unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""); err != nil {
		return fmt.Errorf("making mounts private: %w", err)
	}
	if err := unix.Mount("incore", root, "tmpfs", unix.MS_NOSUID|unix.MS_NODEV, "size=64m,mode=755"); err != nil {
		return fmt.Errorf("mounting a file system: %w", err)
	}
	for _, dir := range shown {
		if err := show(root, dir); err != nil {
			return err
		}
	}
	for _, dir := range []string{"tmp", "old"} {
		if err := os.Mkdir(filepath.Join(root, dir), 0o777); err != nil {
			return err
		}
	}
	if err := device(root, "/dev/null"); err != nil {
		return err
	}
	if err := unix.PivotRoot(root, filepath.Join(root, "old")); err != nil {
		return fmt.Errorf("changing the root: %w", err)
	}
	if err := os.Chdir("/tmp"); err != nil {
		return err
	}
	if err := unix.Unmount("/old", unix.MNT_DETACH); err != nil {
		return fmt.Errorf("leaving the old root: %w", err)
	}
	return os.Remove("/old")
}

// device makes a device of the system part of the new root.
func device(root, name string) error {
	to := filepath.Join(root, name)
	if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
		return err
	}
	if err := os.WriteFile(to, nil, 0o666); err != nil {
		return err
	}
	if err := unix.Mount(name, to, "", unix.MS_BIND, ""); err != nil {
		return fmt.Errorf("mounting %s: %w", name, err)
	}
	return nil
}

// show makes a folder of the system, or a link to one, part of the new root.
func show(root, dir string) error {
	to := filepath.Join(root, dir)
	info, err := os.Lstat(dir)
	switch {
	case errors.Is(err, os.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.Mode()&os.ModeSymlink != 0:
		target, err := os.Readlink(dir)
		if err != nil {
			return err
		}
		return os.Symlink(target, to)
	}
	if err := os.MkdirAll(to, 0o755); err != nil {
		return err
	}
	if err := unix.Mount(dir, to, "", unix.MS_BIND|unix.MS_REC, ""); err != nil {
		return fmt.Errorf("mounting %s: %w", dir, err)
	}
	// Restrictions of the outer mount must be kept, else the kernel refuses.
	var st unix.Statfs_t
	flags := uintptr(unix.MS_BIND | unix.MS_REMOUNT | unix.MS_RDONLY | unix.MS_NOSUID | unix.MS_NODEV)
	if err := unix.Statfs(dir, &st); err == nil {
		flags |= uintptr(st.Flags) & (unix.MS_NOEXEC | unix.MS_NOATIME | unix.MS_NODIRATIME | unix.MS_RELATIME)
	}
	if err := unix.Mount("", to, "", flags, ""); err != nil {
		return fmt.Errorf("making %s read-only: %w", dir, err)
	}
	return nil
}
