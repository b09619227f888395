-- Opens a file in Neovim with incore as its language server and writes what the editor got, as JSON. Run by TestNeovim.
local binary, file, out = vim.env.INCORE_BINARY, vim.env.INCORE_FILE, vim.env.INCORE_OUT
vim.lsp.config('incore', {
  cmd = { binary, 'lsp' },
  filetypes = { 'asm' },
  root_markers = { '.git' },
  settings = { incore = { arch = 'zen4' } },
})
vim.lsp.enable('incore')
vim.cmd.edit(file)
vim.bo.filetype = 'asm'
local got = {}
local function wait(what, ready)
  if not vim.wait(20000, ready, 20) then got.failed = (got.failed or '') .. what .. ' ' end
end
wait('client', function() return #vim.lsp.get_clients({ bufnr = 0 }) > 0 and vim.lsp.get_clients({ bufnr = 0 })[1].initialized end)
local client = vim.lsp.get_clients({ bufnr = 0 })[1]
got.encoding = client.offset_encoding
vim.lsp.inlay_hint.enable(true, { bufnr = 0 })
wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
got.diagnostic = vim.diagnostic.get(0)[1].message
vim.cmd.redraw()
wait('hints', function() vim.cmd.redraw(); return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
got.hints = #vim.lsp.inlay_hint.get({ bufnr = 0 })
local function ask(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(0) }
  local answer = client:request_sync(method, params, 10000, 0)
  return answer and answer.result
end
got.hover = ask('textDocument/hover', { position = { line = 8, character = 3 } }).contents.value
vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# é a line more' })
wait('the lens to move', function() got.lens = ask('textDocument/codeLens', {})[1]; return got.lens.range.start.line == 6 end)
vim.fn.writefile({ vim.json.encode(got) }, out)
vim.cmd('qall!')
