"""Tests of the installed package. INCORE_TEST_INSTALLED=1 has them check that the package's own program answers."""

import asyncio
import dataclasses
import json
import os
import signal
import subprocess
import sys
import threading
import time

import pytest

import incore
import incore.aio
from incore import _worker, types

LOOP = "1: imul %rax, %rbx; dec %rcx; jnz 1b"
SLOW = {"text": "1:\n" + " vfmadd231pd (%rdi), %ymm1, %ymm2\n add %rax, %rbx\n" * 400 + " dec %rcx\n jnz 1b\n", "arch": ["zen4", "skx", "spr"], "sensitivity": True}


def test_program():
    if os.environ.get("INCORE_TEST_INSTALLED"):
        assert incore.program().startswith(sys.prefix)


def test_analyze():
    d = incore.analyze(LOOP, "zen4")
    assert d.cycles == 3 and d.kernels[0].targets[0].prediction.bound == "latency"
    assert "3.0 cycles" in str(d)
    assert isinstance(d, types.Document) and d.kernels[0].targets[0].arch == "zen4"
    assert d == types.Document.from_json(json.loads(json.dumps(d.raw)))
    assert dataclasses.asdict(d.kernels[0].work)["branches"] == 1
    assert "Kernel(" in repr(d)
    d = incore.analyze(LOOP, ["zen4", "skx"], timeline=3, sensitivity=True)
    assert [t.arch for t in d.kernels[0].targets] == ["zen4", "skylake-server"]
    assert d.kernels[0].targets[0].timeline is not None and d.kernels[0].targets[0].sensitivity


def test_every_field():
    """Nothing that the worker sends is unknown to the classes."""

    def check(v):
        known = {f.name for f in dataclasses.fields(v)}
        unknown = {v._renamed.get(k, k) for k in v.raw if not hasattr(type(v), k)} - known
        assert not unknown, (type(v).__name__, unknown)
        for key, (_, many) in v._objects.items():
            x = getattr(v, v._renamed.get(key, key))
            for y in [] if x is None else [x] if many == "one" else x if many == "list" else x.values():
                check(y)

    check(incore.analyze(LOOP, "zen4,skx", timeline=3, sensitivity=True))
    check(incore.analyze("1: mov (%rdi), %rax; add %rax, (%rdi); vaddsd (%rsi,%rcx,8), %xmm0, %xmm0; inc %rcx; cmp %rcx, %rdx; jne 1b", "zen4"))
    check(incore.compare(LOOP, LOOP.replace("imul", "add"), arch="zen4"))
    check(incore.deps("1: mov (%rdi), %rax; add %rax, 8(%rdi); add $8, %rdi; jnz 1b", "zen4", war=True, waw=True, may=True))
    check(incore.explain("add (%rax), %rbx", "zen4,skx"))
    for m in incore.machines():
        check(m)


def test_files(tmp_path):
    file = tmp_path / "loop.s"
    file.write_text("1:\n imul %rax, %rbx\n dec %rcx\n jnz 1b\n")
    for name in (file, str(file)):
        assert incore.analyze(name, "zen4").cycles == 3
    file.write_text("1:\n imul %rax, %rbx\n imul %nix, 7(\n dec %rcx\n jnz 1b\n")
    try:
        d = incore.analyze(file, "zen4")
        assert d.diagnostics or d.kernels[0].targets[0].diagnostics
    except incore.InputError as e:
        assert e.file == str(file) and e.line == 3 and str(file) in str(e)
    with pytest.raises(FileNotFoundError):
        incore.analyze(tmp_path / "none.s")


def test_object_file(tmp_path):
    program = incore.program()
    if os.path.getsize(program) > 8 << 20:  # a smaller one
        found = [p for p in ("/bin/ls", "/bin/cat") if os.path.exists(p)]
        if not found or sys.platform != "linux":
            pytest.skip("no small program here")
        program = found[0]
    found = incore.loops(program)
    assert found.loops and found.to_pandas is not None
    first = found.loops[0]
    d = incore.analyze(program, function=first.function, loop=first.loop) if os.path.isabs(program) else None
    assert d is None or d.cycles > 0
    with pytest.raises(incore.InputError, match="which function"):
        incore.analyze(program)
    d = incore.analyze(program, "zen4", function=first.function, loop=first.loop, syntax="intel", timeline=1, sensitivity=True, what_if="rob=2x", iterations=4)
    t = d.kernels[0].targets[0]
    assert d.input.syntax == "intel" and t.timeline and t.sensitivity and t.entered and [w.question for w in t.what_if] == ["rob=2x"]
    assert asyncio.run(incore.aio.analyze(program, "zen4", function=first.function, loop=first.loop, what_if=["rob=2x"])).kernels[0].targets[0].what_if
    for option, value in {"syntax": "masm", "timeline": -1, "sensitivity": "x", "what_if": ["nonsense"], "iterations": -1, "loop": -1, "sources": {}}.items():
        with pytest.raises(incore.InputError, match=option.replace("_", "-") + "|loop -1|iterations"):
            incore.analyze(program, "zen4", **{"function": first.function, "loop": first.loop, option: value})


def test_predict():
    rows = incore.predict(["imul %rax, %rax", "4801d8", "nonsense"] * 3000, "zen4")
    assert len(rows) == 9000 and [r.cycles for r in rows[:3]] == [3, 1, None] and rows[2].error
    assert len(incore.predict(["nop"], ["zen4", "skx"])) == 2
    assert incore.predict([], "zen4") == []


def test_measure():
    try:
        m = incore.measure(LOOP)
    except incore.InputError as e:
        pytest.skip(str(e))
    assert 0.5 < m.cycles < 20


def test_tables():
    pandas = pytest.importorskip("pandas")
    d = incore.analyze(LOOP, "zen4,skx")
    assert list(d.to_pandas().cycles) == [3, 3] and isinstance(d.to_pandas(), pandas.DataFrame)
    assert len(incore.machines().to_pandas()) == len(incore.machines())
    assert incore.explain("add %rax, %rbx", "zen4").to_pandas().latency[0] == 1
    assert incore.deps(LOOP, "zen4").to_pandas().latency[0] == 3
    assert list(incore.compare(LOOP, LOOP.replace("imul", "add"), arch="zen4").to_pandas().cycles) == [3, 1]


DOUBTFUL = {
    "call": ("1: call foo; dec %rdx; jne 1b", "zen4"),
    "string": ("1: rep movsb; dec %rdx; jne 1b", "zen4"),
    "extension": ("1: vaddph %zmm0,%zmm1,%zmm1; dec %rdx; jne 1b", "zen2"),
    "unreadable": ("1: nosuch %rax, %rax; dec %rdx; jne 1b", "zen4"),
    "riscv": ("1: ecall; bnez a0, 1b", "sifive-7"),
}


@pytest.mark.parametrize("name", DOUBTFUL)
def test_doubt(name):
    """Tables have no figure where it is not known, and mark lower bounds."""
    code, arch = DOUBTFUL[name]
    for row in incore.analyze(code, arch)._rows():
        assert row["at_least"] or row["unknown"], row
        assert row["high"] is None if row["at_least"] else row["cycles"] is None or row["low"] == row["high"] == row["cycles"], row
        assert row["cycles"] is None or row["cycles"] <= row["low"] or not row["unknown"], row
    d = incore.compare(code, code, arch=arch)
    assert all(row["at_least"] for row in d._rows())


@pytest.mark.parametrize("instruction, arch, known, bounded", [("rep movsb", "zen4", False, False), ("call foo", "zen4", True, False), ("vaddph %zmm0,%zmm1,%zmm1", "zen2", False, True), ("nop", "zen4", True, True)])
def test_doubtful_costs(instruction, arch, known, bounded):
    for row in incore.explain(instruction, arch)._rows():
        assert {v is not None for v in (row["latency"], row["throughput"], row["slots"])} == {known}
        assert (row["latency_high"] is not None) == bounded == (not row["open"])


def test_absent():
    """A measure that an answer leaves out is None, not 0."""
    for c in vars(types).values():
        if dataclasses.is_dataclass(c):
            for f in dataclasses.fields(c):
                if str(f.type).startswith("Optional"):
                    assert getattr(c.from_json({}), f.name) is None, (c, f.name)
    assert types.LoopInfo.from_json({}).share is None and types.Measurement.from_json({}).least is None


def test_html():
    page = incore.analyze("1: imul %rax, %rbx # <b>; dec %rcx; jnz 1b", "zen4")._repr_html_()
    assert page.startswith("<iframe") and "srcdoc" in page and "&lt;script" in page
    assert "<td>" in incore.predict(["nop"], "zen4")._repr_html_()
    assert "&lt;" in incore.predict(["<nop>"], "zen4")._repr_html_()


@pytest.mark.parametrize("call, error", [
    (lambda: incore.analyze(7), TypeError),
    (lambda: incore.analyze(""), incore.InputError),
    (lambda: incore.analyze("nop", "none"), incore.InputError),
    (lambda: incore.analyze("nop", ["zen4"] * 9), incore.InputError),
    (lambda: incore.analyze("nop", timeline=-1), incore.InputError),
    (lambda: incore.analyze("nop", timeline="x"), incore.InputError),
    (lambda: incore.analyze("x" * (2 << 20), "zen4"), incore.InputError),
    (lambda: incore.analyze("nop", timeline=float("nan")), ValueError),
    (lambda: incore.predict("nop"), TypeError),
    (lambda: incore.predict([1]), TypeError),
    (lambda: incore.compare("nop", "nop", "nop", "nop", "nop"), incore.InputError),
    (lambda: incore.explain(""), incore.InputError),
    (lambda: incore.loops(__file__), incore.InputError),
    (lambda: incore.loops(sys.executable, "zen4,skx"), incore.InputError),
    (lambda: incore.analyze("nop", 7), TypeError),
    (lambda: incore.analyze("nop", what_if=["nonsense"]), incore.InputError),
    (lambda: incore.analyze("nop", what_if="nonsense"), incore.InputError),
    (lambda: incore.analyze("nop", function="f"), incore.InputError),
    (lambda: incore.analyze("nop", loop=1), incore.InputError),
    (lambda: incore.analyze("nop", timeline=10**30), incore.InputError),
    (lambda: incore.analyze("nop", what_if=[float("inf")]), ValueError),
    (lambda: incore.analyze("nop", syntax="x" * 1000), incore.InputError),
    (lambda: incore.analyze("\ud800"), incore.InputError),
    (lambda: incore.analyze("fadd.d fa0, fa1, fa2", "zen4"), incore.InputError),
    (lambda: incore.compare("nop", "fadd v0.2d, v0.2d, v1.2d"), incore.InputError),
    (lambda: incore.explain("x" * 5000), incore.InputError),
    (lambda: incore.analyze(b"nop"), TypeError),
    (lambda: incore.analyze(None), TypeError),
    (lambda: incore.deps(os.sep), OSError),
])
def test_wrong(call, error):
    with pytest.raises(error) as e:
        call()
    text = str(e.value)
    assert text and " --" not in text and "'incore " not in text and "send {" not in text and not text.startswith("is ")
    assert incore.analyze(LOOP, "zen4").cycles == 3


@pytest.mark.parametrize("text", ["x" * (12 << 20), "\u20ac" * (2 << 20), "nop\n" * (9 << 18)], ids=["long", "escaped", "lines"])
@pytest.mark.parametrize("method", ["analyze", "compare", "deps", "measure", "explain"])
def test_too_long(method, text):
    """A request beyond what the program takes is refused, whichever limit it breaks."""
    texts = [text] * (2 if method == "compare" else 1)
    with pytest.raises(incore.InputError, match="bytes"):
        getattr(incore, method)(*texts)
    with pytest.raises(incore.InputError, match="bytes"):
        asyncio.run(getattr(incore.aio, method)(*texts))
    assert incore.analyze(LOOP, "zen4").cycles == 3


def test_large_file(tmp_path):
    """Object files at the limits: each is answered or refused, none waits for ever."""
    for size in (1 << 20, (8 << 20) - 4, (8 << 20) + 1, 9 << 20, 65 << 20):
        file = tmp_path / "large.o"
        with open(file, "wb") as f:
            f.write(b"\x7fELF")
            f.truncate(size)
        with pytest.raises(incore.InputError, match="large.o"):
            incore.loops(file)
        with pytest.raises(incore.InputError):
            incore.analyze(file, function="f")


def test_refused():
    """An answer without an id ends the requests that wait; the worker goes on."""
    for line in (b"{]}\n", b'{"jsonrpc": "2.0", "id": {}, "method": "machines"}\n', b"x" * (13 << 20) + b"\n"):
        r = _worker.worker().submit("analyze", SLOW)
        r.worker._write(line)
        with pytest.raises(incore.Error, match="JSON|id|bytes"):
            r.result(30)
        assert r.worker.alive and incore.analyze(LOOP, "zen4").cycles == 3


@pytest.mark.parametrize("name", ["missing.s", "missing.o", "dir/missing.S", "./missing", "/nonexistent/missing"])
def test_missing(name):
    """The name of a file that is not there is no code."""
    for call in (incore.analyze, incore.deps, incore.measure, incore.loops, lambda n: incore.compare(LOOP, n)):
        with pytest.raises(FileNotFoundError):
            call(name)


@pytest.mark.parametrize("text", ["nop", "ret", "add %rax, %rbx", "jmp .s", "fadd.s fa0, fa1, fa2", "c.nop", "4801d8"])
def test_no_name(text):
    """An instruction is no name of a file."""
    assert not incore._requests.is_path(text)


def test_killed():
    """A worker that was killed, between requests or during one, is replaced."""
    incore.analyze(LOOP, "zen4")
    first = _worker.worker()
    first._process.kill()
    first._process.wait()
    assert incore.analyze(LOOP, "zen4").cycles == 3
    w = _worker.worker()
    assert w is not first
    threading.Timer(0.05, w._process.kill).start()
    assert _worker.request("analyze", SLOW)["kernels"]
    r = _worker.worker().submit("analyze", SLOW)
    r.worker._process.kill()
    with pytest.raises(incore.WorkerError):
        r.result(30)


def test_threads():
    failed = []

    def many():
        for _ in range(20):
            if incore.analyze(LOOP, "zen4").cycles != 3:
                failed.append(1)

    threads = [threading.Thread(target=many) for _ in range(20)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not failed and len(_worker._workers) <= 2


def test_async():
    async def main():
        found = await asyncio.gather(*(incore.aio.analyze(LOOP, "zen4") for _ in range(200)))
        assert {d.cycles for d in found} == {3}
        assert len(await incore.aio.predict(["nop"] * 9000, "zen4")) == 9000
        with pytest.raises(incore.InputError):
            await incore.aio.analyze("nop", "none")
        task = asyncio.ensure_future(_slow())
        await asyncio.sleep(0.05)
        begin = time.monotonic()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert time.monotonic() - begin < 5
        assert (await incore.aio.explain("nop", "zen4")).instructions

    async def _slow():
        await incore.aio.analyze(SLOW["text"], SLOW["arch"], sensitivity=True)

    asyncio.run(main())


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
def test_fork():
    incore.analyze(LOOP, "zen4")
    child = os.fork()
    if child == 0:
        try:
            os._exit(0 if incore.analyze(LOOP, "zen4").cycles == 3 else 1)
        finally:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0
    assert incore.analyze(LOOP, "zen4").cycles == 3


def run(code, **environment):
    begin = time.monotonic()
    r = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60, env={**os.environ, **environment})
    return r, time.monotonic() - begin


@pytest.mark.skipif(os.name == "nt", reason="programs of Unix")
@pytest.mark.parametrize("program", ["/nonexistent", "/bin/cat", "/bin/false", "/bin/echo", "/dev/null"])
def test_no_program(program):
    r, took = run("import incore\ntry: incore.machines()\nexcept incore.WorkerError as e: print('refused', e)", INCORE_PROGRAM=program)
    assert r.stdout.startswith("refused"), r
    assert took < 20


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_ends():
    """Neither the end of the process nor its death leaves a worker behind."""
    for end in ("", "os.kill(os.getpid(), 9)"):
        r, _ = run(f"import incore, os\nincore.machines()\nfrom incore import _worker\nprint(_worker.worker()._process.pid, flush=True)\n{end}")
        pid = int(r.stdout)
        for _ in range(100):
            try:
                os.kill(pid, 0)
            except ProcessLookupError:
                break
            if os.path.exists(f"/proc/{pid}/stat") and ") Z " in open(f"/proc/{pid}/stat").read():
                break  # a zombie that init has not collected
            time.sleep(0.05)
        else:
            pytest.fail("the worker is still there")


@pytest.mark.skipif(os.name == "nt", reason="signals of Unix")
def test_interrupt():  # also where the tests run behind a shell's &, which ignores interrupts
    code = "import incore, signal, os, threading\nsignal.signal(signal.SIGINT, signal.default_int_handler)\nthreading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()\n" \
           "try:\n while True: incore.analyze('1: imul %rax, %rbx; dec %rcx; jnz 1b', 'zen4')\nexcept KeyboardInterrupt: print('interrupted')"
    r, _ = run(code)
    assert r.stdout.strip() == "interrupted", r
