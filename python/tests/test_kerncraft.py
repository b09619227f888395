"""Tests of the model for Kerncraft, as far as they need no Kerncraft."""

import sys
from pathlib import Path

import pytest

import incore

sys.path.insert(0, str(Path(__file__).resolve().parent.parent / "kerncraft-incore"))
import kerncraft_incore  # noqa: E402


@pytest.mark.parametrize("body, loads", [
    ("add %rax, %rbx", 0),
    ("mov (%rsi), %rax", 1),
    ("vaddpd (%rsi), %ymm0, %ymm0; vmovupd 32(%rsi), %ymm1", 2),
    ("mov %rax, (%rsi)", 0),
])
def test_loads(body, loads):
    cycles = kerncraft_incore.analyse(f"1: {body}; dec %rcx; jnz 1b", "skl", "x86")["port cycles"]
    assert cycles[kerncraft_incore.LOADS] == loads / 2


@pytest.mark.parametrize("body", ["nosuch (%rsi), %rax", "vmovsd (%rsi, %xmm0", "mov (%rsi), %rax\n vload (%rdi), %ymm1", "ldr x0, [x1]"])
def test_unreadable(body):
    """Loads of an instruction that cannot be read are no 0."""
    with pytest.raises(incore.InputError, match="not known|assembly"):
        kerncraft_incore.analyse(f"1: {body}\n dec %rcx\n jnz 1b", "skl", "x86")


@pytest.mark.parametrize("body, cycles", [("rep stosb", 10), ("call f", 1)])
def test_uncertain(body, cycles):
    """Cycles that are a lower bound come with a warning."""
    with pytest.warns(UserWarning, match="not certain: at least"):
        assert kerncraft_incore.analyse(f"1: {body}\n dec %rdx\n jnz 1b", "zen4", "x86")["throughput"] == cycles
