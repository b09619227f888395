# Runs OSACA's command once for each line of the standard input, a file for its messages and its arguments separated by tabs,
# and answers each with an empty line. Started anew it spends a second and more on loading itself and on collecting garbage that is none; here
# every run is a fork of an interpreter that has loaded what the command needs, and starts from the same state. One that
# takes a minute of CPU time is ended (OSACA's own limit is on one of its analyses alone).
import gc
import os
import resource
import runpy
import sys


def osaca(arguments):
    sys.argv = ["osaca"] + arguments
    try:
        runpy.run_module("osaca", run_name="__main__", alter_sys=True)
    except SystemExit:
        pass


gc.disable()
answers = os.dup(1)
null = os.open(os.devnull, os.O_WRONLY)
os.dup2(null, 1)
os.dup2(null, 2)
osaca(["--version"])
for line in sys.stdin:
    child = os.fork()
    if child == 0:
        resource.setrlimit(resource.RLIMIT_CPU, (60, 60))
        messages, *arguments = line.rstrip("\n").split("\t")
        os.dup2(os.open(messages, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), 2)
        try:
            osaca(arguments)
        except Exception as e:
            print(f"{type(e).__name__}: {e}", file=sys.stderr)
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    os.write(answers, b"\n")
