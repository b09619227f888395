"""Drives 'incore lsp' by pytest-lsp, which checks answers against the protocol, with what three editors say that they can do. Run by TestPytest."""
import os
import pathlib

import pytest
import pytest_lsp
from lsprotocol import types
from pytest_lsp import ClientServerConfig, LanguageClient, client_capabilities

DOT = pathlib.Path(os.environ["INCORE_FILE"])
URI = DOT.as_uri()
DOC = types.TextDocumentIdentifier(uri=URI)


@pytest_lsp.fixture(
    config=ClientServerConfig(server_command=[os.environ["INCORE_BINARY"], "lsp"]),
    params=["neovim@v0.11.0", "emacs@v29.1", "visual-studio-code"],
)
async def client(request, lsp_client: LanguageClient):
    lsp_client.set_configuration({"incore": {"arch": "zen4"}})
    for method in ["workspace/codeLens/refresh", "workspace/inlayHint/refresh"]:
        lsp_client.feature(method)(lambda *_: None)
    await lsp_client.initialize_session(
        types.InitializeParams(capabilities=client_capabilities(request.param), workspace_folders=[types.WorkspaceFolder(uri=DOT.parent.as_uri(), name="w")])
    )
    lsp_client.workspace_did_change_configuration(types.DidChangeConfigurationParams(settings={"incore": {"arch": "zen4"}}))
    yield
    await lsp_client.shutdown_session()


async def opened(client):
    item = types.TextDocumentItem(uri=URI, language_id="asm", version=1, text=DOT.read_text())
    client.text_document_did_open(types.DidOpenTextDocumentParams(text_document=item))
    while not client.diagnostics.get(URI):
        await client.wait_for_notification("textDocument/publishDiagnostics")


def at(line, character):
    return {"text_document": DOC, "position": types.Position(line=line, character=character)}


@pytest.mark.asyncio
async def test_editor(client):
    await opened(client)
    hover = await client.text_document_hover_async(types.HoverParams(**at(8, 3)))
    assert "VADDSDrr" in hover.contents.value and "zen4" in hover.contents.value
    whole = types.Range(start=types.Position(line=0, character=0), end=types.Position(line=13, character=0))
    assert len(await client.text_document_inlay_hint_async(types.InlayHintParams(text_document=DOC, range=whole))) == 6
    lens = (await client.text_document_code_lens_async(types.CodeLensParams(text_document=DOC)))[0]
    assert lens.range.start.line == 5 and lens.command.title.startswith("3.0 cycles/iteration on zen4")
    report = await client.workspace_execute_command_async(types.ExecuteCommandParams(command=lens.command.command, arguments=lens.command.arguments))
    assert "slowest loop-carried dependency" in report
    symbols = await client.text_document_document_symbol_async(types.DocumentSymbolParams(text_document=DOC))
    assert [s.name for s in symbols] == ["dot:.L3"]
    assert (await client.text_document_definition_async(types.DefinitionParams(**at(11, 6)))).range.start.line == 5
    assert any("accumulators" in d.message for d in client.diagnostics[URI])


@pytest.mark.asyncio
async def test_changes(client):
    await opened(client)

    def change(version, text, line, first, last):
        where = types.Range(start=types.Position(line=line, character=first), end=types.Position(line=line, character=last))
        client.text_document_did_change(
            types.DidChangeTextDocumentParams(
                text_document=types.VersionedTextDocumentIdentifier(uri=URI, version=version),
                content_changes=[types.TextDocumentContentChangePartial(range=where, text=text)],
            )
        )

    change(2, "div", 8, 2, 5)
    lens = (await client.text_document_code_lens_async(types.CodeLensParams(text_document=DOC)))[0]
    assert not lens.command.title.startswith("3.0 ")
    change(3, "\tvfmadd231p\n", 13, 0, 0)
    items = await client.text_document_completion_async(types.CompletionParams(**at(13, 11)))
    assert "vfmadd231pd" in [i.label for i in items.items]
    change(4, "\tnosuchinsn\n", 13, 0, 0)
    while not any("nosuchinsn" in d.message for d in client.diagnostics[URI]):
        await client.wait_for_notification("textDocument/publishDiagnostics")
