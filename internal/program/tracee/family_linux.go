package tracee

import "golang.org/x/sys/unix"

// Family is a program and the threads and children that it begins, which are traced until they are released. The thread that started the program waits for them
// (runtime.LockOSThread).
type Family struct {
	Pid     int // of the program's first thread
	stopped map[int]bool
}

// Wait waits until the first thread stops or ends. A thread that is killed with the program before it is released is reaped here: the kernel does not tell the
// end of the first one before.
func (f *Family) Wait(status *unix.WaitStatus) error {
	for {
		pid, err := wait(-1, status, unix.WALL|unix.WNOTHREAD) // not what other threads started
		switch {
		case err != nil:
			return err
		case pid == f.Pid:
			return nil
		case !status.Stopped():
			delete(f.stopped, pid)
		default: // it begins, and the first thread is about to say so
			if f.stopped == nil {
				f.stopped = map[int]bool{}
			}
			f.stopped[pid] = true
		}
	}
}

// Born waits until the thread or child that the first thread has just begun stops, and returns its number; ok is false if it has ended.
func (f *Family) Born() (pid int, ok bool) {
	message, err := unix.PtraceGetEventMsg(f.Pid)
	if err != nil {
		return 0, false
	}
	pid = int(message)
	if f.stopped[pid] {
		delete(f.stopped, pid)
		return pid, true
	}
	var status unix.WaitStatus
	_, err = Wait(pid, &status)
	return pid, err == nil && status.Stopped()
}
