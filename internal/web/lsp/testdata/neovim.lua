-- Opens a file in Neovim with the settings of docs/editors.md and writes what the editor got, as JSON. Run by TestNeovim.
local file, out = vim.env.INCORE_FILE, vim.env.INCORE_OUT
dofile(vim.env.INCORE_SETTINGS)
local got = {}
local function wait(what, ready)
  if not vim.wait(20000, ready, 20) then got.failed = (got.failed or '') .. what .. ' ' end
end
local function open(name)
  vim.cmd.edit(name)
  wait('client for ' .. name, function()
    local c = vim.lsp.get_clients({ bufnr = 0 })[1]
    return c and c.initialized
  end)
  return vim.lsp.get_clients({ bufnr = 0 })[1]
end
local client
local function ask(method, params)
  params.textDocument = { uri = vim.uri_from_bufnr(0) }
  local answer = client:request_sync(method, params, 10000, 0)
  return answer and answer.result
end
local function names(items)
  return vim.tbl_map(function(i) return i.label or i.name end, items)
end
local function lens()
  vim.lsp.codelens.refresh({ bufnr = 0 })
  wait('lens', function() return #vim.lsp.codelens.get(0) > 0 end)
  return vim.lsp.codelens.get(0)[1]
end

client = open(file)
got.encoding = client.offset_encoding
wait('diagnostics', function() return #vim.diagnostic.get(0) > 0 end)
got.diagnostic = vim.diagnostic.get(0)[1].message
wait('hints', function() vim.cmd.redraw(); return #vim.lsp.inlay_hint.get({ bufnr = 0 }) > 0 end)
got.hints = #vim.lsp.inlay_hint.get({ bufnr = 0 })
got.hover = ask('textDocument/hover', { position = { line = 8, character = 3 } }).contents.value
got.symbols = names(ask('textDocument/documentSymbol', {}))
got.definition = ask('textDocument/definition', { position = { line = 11, character = 6 } }).range.start.line

-- Changes as a user makes them: a line with a letter of two bytes, typed text with completion, both undone.
vim.api.nvim_buf_set_lines(0, 0, 0, false, { '# é a line more' })
wait('the lens to move', function() got.lens = ask('textDocument/codeLens', {})[1]; return got.lens.range.start.line == 6 end)
vim.cmd('normal! Go\tvfmadd231p')
local last = vim.api.nvim_buf_line_count(0) - 1
wait('completion', function()
  local at = { line = last, character = #vim.api.nvim_get_current_line() }
  got.mnemonics = names(ask('textDocument/completion', { position = at }).items)
  return #got.mnemonics > 0 -- Neovim sends changes with a delay
end)
vim.cmd('silent normal! u')
wait('the lens to move back', function() return ask('textDocument/codeLens', {})[1].range.start.line == 5 end)
vim.api.nvim_buf_set_text(0, 8, 1, 8, 7, { 'vdivsd' })
wait('the lens of the changed loop', function() got.changed = lens().command.title; return not got.changed:find('3.0 cycles') end)

-- The command of a code lens shows the report in a window.
vim.api.nvim_win_set_cursor(0, { 6, 0 })
vim.lsp.codelens.run()
wait('the report', function() return vim.api.nvim_buf_get_name(0):find('report') end)
got.report = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')

-- The loop of the object file beside a source.
if (vim.env.INCORE_SOURCE or '') ~= '' then
  vim.cmd('silent! only!')
  client = open(vim.env.INCORE_SOURCE)
  got.source = { lens().range.start.line, lens().command.title }
end
vim.fn.writefile({ vim.json.encode(got) }, out)
vim.cmd('qall!')
