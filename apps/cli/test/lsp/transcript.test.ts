import { readFileSync } from 'node:fs';
import process from 'node:process';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { parseLines } from '@kubeadmit/test-support';
import { expect, test, vi } from 'vitest';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { lsp } from '../../src/lsp/lsp.ts';

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly version?: number;
    readonly textDocument?: { readonly version?: number };
    readonly diagnostics?: readonly unknown[];
  };
  readonly result?: unknown;
}

interface Recorded {
  readonly from: 'client' | 'server';
  readonly message: Message;
}

const example = new URL('../../../../examples/replica-limits', import.meta.url);
const recorded = parseLines<Recorded>(
  readFileSync(new URL('neovim.ndjson', import.meta.url), 'utf8')
    .replaceAll('file:///example', example.href)
    .replaceAll('"/example"', JSON.stringify(fileURLToPath(example))),
);

test('recorded requests of Neovim have the recorded answers', async () => {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const client = new StreamMessageWriter(stdin);
  const answers: Message[] = [];
  const wakers: (() => void)[] = [];
  new StreamMessageReader(stdout).listen((message) => {
    answers.push(message as Message);
    for (const wake of wakers.splice(0)) wake();
  });
  const find = async (isMeant: (message: Message) => boolean): Promise<Message> => {
    for (;;) {
      const found = answers.findLast(isMeant);
      if (found !== undefined) return found;
      await new Promise<void>((resolve) => wakers.push(resolve));
    }
  };
  // The library ends the process, which is that of the tests here, some time after the client said goodbye.
  const exit = vi.spyOn(process, 'exit').mockImplementation(() => undefined as never);
  const ended = lsp({}, { stdin, stdout, stderr, env: {}, print: (text) => stdout.write(text) });
  let version: number | undefined;
  let compared = 0;
  for (const { from, message } of recorded) {
    if (from === 'client') {
      if (message.params?.textDocument?.version !== undefined)
        ({ version } = message.params.textDocument);
      await client.write(message as never);
    } else if (message.id !== undefined) {
      const { result } = await find(({ id }) => id === message.id);
      expect(result).toEqual(
        message.id === 1 ? withOwnVersion(message.result, result) : message.result,
      );
      compared++;
    } else if (
      message.method === 'textDocument/publishDiagnostics' &&
      message.params?.version === version
    ) {
      // Diagnostics for outdated versions of a text depend on the speed of client and server.
      const { params } = await find(
        (each) => each.method === message.method && each.params?.version === version,
      );
      expect(params?.diagnostics).toEqual(message.params?.diagnostics);
      compared++;
    }
  }
  expect(await ended).toBe(0);
  await expect.poll(() => exit.mock.calls).toEqual([[0]]);
  exit.mockRestore();
  expect(compared).toBeGreaterThanOrEqual(7);
});

/** The recorded capabilities with the version that the program has now. */
function withOwnVersion(result: unknown, now: unknown): unknown {
  const { serverInfo } = now as { readonly serverInfo: unknown };
  return { ...(result as object), serverInfo };
}
