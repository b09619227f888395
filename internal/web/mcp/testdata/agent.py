"""A scripted agent: it makes a kernel faster step by step with the tools of 'incore mcp', which it drives by the PyPI package mcp."""
import asyncio
import json
import sys

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client

KERNELS = {
    "sum": "loop:\n vaddsd (%rdi,%rax,8), %xmm0, %xmm0\n inc %rax\n cmp %rcx, %rax\n jne loop\n",
    "dot": "loop:\n vmovsd (%rdi,%rax,8), %xmm1\n vfmadd231sd (%rsi,%rax,8), %xmm1, %xmm0\n inc %rax\n cmp %rcx, %rax\n jne loop\n",
    "scaled": "loop:\n vmovsd (%rdi,%rax,8), %xmm1\n vdivsd %xmm2, %xmm1, %xmm1\n vmovsd %xmm1, (%rsi,%rax,8)\n inc %rax\n cmp %rcx, %rax\n jne loop\n",
}


def field(value, snake, camel):
    return getattr(value, snake) if hasattr(value, snake) else getattr(value, camel)


async def call(session, tool, **arguments):
    answer = await session.call_tool(tool, arguments)
    text = answer.content[0].text
    if field(answer, "is_error", "isError"):
        raise RuntimeError(f"{tool}: {text}")
    assert len(text.splitlines()) <= 40, f"{tool}: {len(text.splitlines())} lines"
    return field(answer, "structured_content", "structuredContent")


async def improve(session, code, arch):
    """Takes the best advice again and again, as far as compare finds it faster."""
    steps = []
    for _ in range(6):
        result = (await call(session, "analyze_loop", code=code, arch=arch))["loops"][0]["results"][0]
        for advice in result["advice"]:
            if not advice.get("code"):
                continue
            changed = "\n".join(advice.get("before_loop", []) + advice["code"] + advice.get("after_loop", [])) + "\n"
            loop = (await call(session, "compare", before=code, after=changed, arch=arch))["loops"][0]
            if loop["verdict"] == "faster":
                steps.append({"change": advice["change"], "before": loop["before"], "after": loop["after"], "times": loop["before"] / loop["after"]})
                code = changed
                break
        else:
            break
    return steps


async def main(program):
    async with stdio_client(StdioServerParameters(command=program, args=["mcp"])) as (read, write):
        async with ClientSession(read, write) as session:
            await session.initialize()
            tools = (await session.list_tools()).tools
            for tool in tools:
                assert field(tool, "output_schema", "outputSchema"), f"{tool.name} has no output schema"
                assert field(tool.annotations, "read_only_hint", "readOnlyHint"), f"{tool.name} is not read-only"
            steps = {}
            for arch in ["zen4", "skx"]:
                for name, code in KERNELS.items():
                    steps[f"{name} on {arch}"] = await improve(session, code, arch)
            print(json.dumps({"tools": sorted(t.name for t in tools), "steps": steps}))


asyncio.run(main(sys.argv[1]))
