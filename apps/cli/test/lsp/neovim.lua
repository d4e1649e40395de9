-- What Neovim asks of `kubeadmit lsp` on the examples; run by record.js, which writes the exchange down.
local root = vim.env.LSP_ROOT
local command = vim.split(vim.env.LSP_COMMAND, ' ')

local function fail(text)
  io.stderr:write(text .. '\n')
  vim.cmd('cquit 1')
end

local function wait(what, test)
  if not vim.wait(20000, test, 20) then fail('Neovim waited in vain for ' .. what) end
end

vim.cmd('edit ' .. root .. '/policy.yaml')
local buffer = vim.api.nvim_get_current_buf()
local client = vim.lsp.start_client({ name = 'kubeadmit', cmd = command, root_dir = root, workspace_folders = { { uri = vim.uri_from_fname(root), name = 'example' } } })
if not client then fail('no client') end
vim.lsp.buf_attach_client(buffer, client)
wait('the begin', function() return vim.lsp.buf_get_clients(buffer)[client] ~= nil end)

local lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
local function find(text)
  for number, line in ipairs(lines) do
    local start = line:find(text, 1, true)
    if start then return number - 1, start - 1 end
  end
  fail('no such text: ' .. text)
end

local function ask(method, line, character, more)
  local params = vim.tbl_extend('force', {
    textDocument = vim.lsp.util.make_text_document_params(buffer),
    position = { line = line, character = character },
  }, more or {})
  local answers, problem = vim.lsp.buf_request_sync(buffer, method, params, 20000)
  if not answers then fail(method .. ': ' .. tostring(problem)) end
  return answers[client].result
end

-- A mistake is typed, and the editor is told of it.
local line, column = find('variables.replicas <=')
vim.api.nvim_buf_set_text(buffer, line, column, line, column + #'variables.replicas', { 'variables.replica' })
wait('a diagnostic', function()
  for _, found in ipairs(vim.diagnostic.get(buffer)) do
    if found.message:find("undefined field 'replica'", 1, true) then return true end
  end
end)
local completion = ask('textDocument/completion', line, column + #'variables.repl')
if #completion.items == 0 then fail('no completion') end
vim.api.nvim_buf_set_text(buffer, line, column, line, column + #'variables.replica', { 'variables.replicas' })
wait('no diagnostic', function() return #vim.diagnostic.get(buffer) == 0 end)
if not ask('textDocument/hover', line, column + #'variables.repl') then fail('no hover') end

local name, at = find('name: ')
local edit = ask('textDocument/rename', name, at + #'name: ' + 1, { newName = 'renamed' })
if vim.tbl_count(edit.changes) < 2 then fail('the binding is not renamed') end
vim.lsp.util.apply_workspace_edit(edit, 'utf-16')
lines = vim.api.nvim_buf_get_lines(buffer, 0, -1, false)
find('name: renamed')

vim.lsp.stop_client(client)
wait('the end', function() return vim.lsp.get_client_by_id(client) == nil end)
vim.cmd('qall!')
