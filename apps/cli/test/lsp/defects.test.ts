import { createLanguageService } from '@kubeadmit/language';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startClient } from './client.ts';

test('shows an internal error once, and goes on', async () => {
  const prototype = Object.getPrototypeOf(await createLanguageService());
  const error = new RangeError('Maximum call stack size exceeded');
  const spy = vi.spyOn(prototype, 'diagnostics').mockRejectedValue(error);
  onTestFinished(() => spy.mockRestore());
  const client = startClient();
  await client.request('initialize', { processId: null, rootUri: null, capabilities: {} });
  await client.notify('initialized', {});
  const uri = 'file:///a.yaml';
  const textDocument = { uri, languageId: 'yaml', version: 1, text: 'kind: Pod\n' };
  await client.notify('textDocument/didOpen', { textDocument });
  const defect =
    'kubeadmit: internal error; report it at https://github.com/kubeadmit/kubeadmit/issues: Maximum call stack size exceeded';
  await client.find(({ params }) => params?.message === defect);
  await client.notify('textDocument/didChange', {
    textDocument: { uri, version: 2 },
    contentChanges: [{ text: 'kind: Deployment\n' }],
  });
  const asked = { textDocument: { uri } };
  for (const _ of [1, 2]) await client.request('textDocument/documentSymbol', asked);
  expect(await client.request('textDocument/documentSymbol', asked)).toHaveProperty('result');
  const shown = client.messages.filter(({ method }) => method?.startsWith('window/show') === true);
  expect(shown).toHaveLength(1);
});
