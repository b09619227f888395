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
	"runtime"
	"strings"
	"sync/atomic"
	"syscall"
	"unsafe"

	"golang.org/x/sys/unix"
)

// marker is the first argument of the program when it starts itself inside the new namespaces. The environment is also set, so that no user's argument is
// mistaken for it.
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
	err := enter(os.Args[1:])
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
	ctx, cancel := context.WithTimeout(ctx, Time)
	defer cancel()
	var out, errs bounded
	out.left, errs.left = output, messages
	cmd := exec.CommandContext(ctx, "/proc/self/exe") // whose folder the other user need not be able to read
	cmd.Args = append([]string{marker, path}, args...)
	cmd.Env = []string{environment + "=1", "PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=/tmp"}
	cmd.Stdin, cmd.Stdout, cmd.Stderr = bytes.NewReader(input), &out, &errs
	cmd.SysProcAttr = attributes()
	cmd.WaitDelay = Time / 10
	runtime.LockOSThread() // the child is killed when the thread that started it ends
	defer runtime.UnlockOSThread()
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

// inside is the user and group in the jail. It is not root, so that the contained program has no capability from its start.
const inside = 1000

// Users outside the jail if this process is root: one of these, a different one for each run, so that limits of a user's processes hold for each run, and no
// other process has the user. The range is one that no system assigns.
const (
	firstUser = 2_000_000_000
	users     = 1 << 20
	nobody    = 65534
)

var runs atomic.Uint32

// attributes returns those of the process in the jail: new namespaces, another user, and the capabilities with which it builds the jail before it drops them.
func attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{
		Cloneflags:  syscall.CLONE_NEWUSER | syscall.CLONE_NEWNS | syscall.CLONE_NEWNET | syscall.CLONE_NEWPID | syscall.CLONE_NEWIPC | syscall.CLONE_NEWUTS,
		AmbientCaps: []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_SETPCAP},
		Pdeathsig:   syscall.SIGKILL,
	}
	user, group := os.Getuid(), os.Getgid()
	if user == 0 {
		if user = firstUser + (os.Getpid()<<8+int(runs.Add(1)))%users; !mapped("uid", user) || !mapped("gid", user) {
			user = nobody // in a container of few users
		}
		group = user
		a.GidMappingsEnableSetgroups = true
		a.Credential = &syscall.Credential{Uid: inside, Gid: inside}
	}
	a.UidMappings = []syscall.SysProcIDMap{{ContainerID: inside, HostID: user, Size: 1}}
	a.GidMappings = []syscall.SysProcIDMap{{ContainerID: inside, HostID: group, Size: 1}}
	return a
}

// mapped reports whether a user or group ("uid", "gid") exists in the namespace of this process.
func mapped(kind string, id int) bool {
	text, err := os.ReadFile("/proc/self/" + kind + "_map")
	if err != nil {
		return false
	}
	for line := range strings.Lines(string(text)) {
		var first, outside, size int
		if n, _ := fmt.Sscan(line, &first, &outside, &size); n == 3 && id >= first && id-first < size {
			return true
		}
	}
	return false
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

// enter builds the file system, sets the limits, drops all capabilities and becomes the program.
func enter(args []string) error {
	runtime.LockOSThread() // capabilities are those of a thread
	if err := build(place); err != nil {
		return err
	}
	for _, l := range []struct {
		what  int
		limit uint64
	}{{unix.RLIMIT_CPU, uint64(Time.Seconds())}, {unix.RLIMIT_FSIZE, fileSize}, {unix.RLIMIT_NOFILE, files}, {unix.RLIMIT_CORE, 0}} {
		if err := unix.Setrlimit(l.what, &unix.Rlimit{Cur: l.limit, Max: l.limit}); err != nil {
			return fmt.Errorf("setting limits: %w", err)
		}
	}
	// Linux before 5.14 counts the user's other processes, too.
	if err := unix.Setrlimit(unix.RLIMIT_NPROC, &unix.Rlimit{Cur: tasks, Max: tasks}); err != nil {
		return fmt.Errorf("setting limits: %w", err)
	}
	if err := drop(); err != nil {
		return err
	}
	if err := unix.Prctl(unix.PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0); err != nil {
		return err
	}
	return become(args, []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TMPDIR=/tmp", "HOME=/tmp"})
}

// become limits the memory and executes the program. Go's runtime has more address space than the program may have, and
// dies when it needs more of it: so nothing is allocated in between.
func become(args, env []string) error {
	argv, err := syscall.SlicePtrFromStrings(args)
	if err != nil {
		return err
	}
	envv, err := syscall.SlicePtrFromStrings(env)
	if err != nil {
		return err
	}
	limit := &unix.Rlimit{Cur: memory, Max: memory}
	_, _, errno := unix.RawSyscall6(unix.SYS_PRLIMIT64, 0, unix.RLIMIT_AS, uintptr(unsafe.Pointer(limit)), 0, 0, 0)
	if errno == 0 {
		_, _, errno = unix.RawSyscall(unix.SYS_EXECVE, uintptr(unsafe.Pointer(argv[0])), uintptr(unsafe.Pointer(&argv[0])), uintptr(unsafe.Pointer(&envv[0])))
	}
	return errno
}

// drop drops all capabilities, also those that a program could get back.
func drop() error {
	if err := unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0); err != nil {
		return fmt.Errorf("dropping capabilities: %w", err)
	}
	for c := uintptr(0); c <= 63; c++ {
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, c, 0, 0, 0); err != nil && err != unix.EINVAL { // the kernel has no such capability
			return fmt.Errorf("dropping capability %d: %w", c, err)
		}
	}
	var none [2]unix.CapUserData
	if err := unix.Capset(&unix.CapUserHeader{Version: unix.LINUX_CAPABILITY_VERSION_3}, &none[0]); err != nil {
		return fmt.Errorf("dropping capabilities: %w", err)
	}
	return nil
}

// place is a folder that every system has. The jail's file system is mounted there, where only the process in the jail sees it, so that no folder has to be made
// and removed.
const place = "/tmp"

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
