import { PassThrough } from 'node:stream';
import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { lsp } from '../../src/lsp/lsp.ts';

/** A message of the protocol. */
export interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly uri?: string;
    readonly message?: string;
    readonly version?: number;
    readonly textDocument?: { readonly version?: number };
    readonly diagnostics?: readonly { readonly code?: unknown; readonly message: string }[];
  };
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A client of the language server in this process. */
export interface Client {
  readonly messages: readonly Message[];
  send(message: object): Promise<void>;
  /** The newest message that matches, once there is one. */
  find(isMeant: (message: Message) => boolean): Promise<Message>;
  /** The answer to a request. */
  request(method: string, params: object | null): Promise<Message>;
  notify(method: string, params: object): Promise<void>;
}

const longestWait = 20_000;

/**
 * Starts a language server and connects a client to it. The session is not ended: the library would end the process,
 * which is that of the tests here.
 */
export function startClient(): Client {
  const [stdin, stdout, stderr] = [new PassThrough(), new PassThrough(), new PassThrough()];
  const writer = new StreamMessageWriter(stdin);
  const messages: Message[] = [];
  const wakers: (() => void)[] = [];
  new StreamMessageReader(stdout).listen((message) => {
    messages.push(message as Message);
    for (const wake of wakers.splice(0)) wake();
  });
  void lsp({}, { stdin, stdout, stderr, env: {}, print: (text) => stdout.write(text) });
  let id = 0;
  const send = (message: object): Promise<void> =>
    writer.write({ jsonrpc: '2.0', ...message } as never);
  const find: Client['find'] = async (isMeant) => {
    const end = Date.now() + longestWait;
    for (;;) {
      const found = messages.findLast(isMeant);
      if (found !== undefined) return found;
      if (Date.now() > end) throw new Error(`no such message among ${JSON.stringify(messages)}`);
      await new Promise<void>((resolve) => {
        wakers.push(resolve);
        setTimeout(resolve, longestWait);
      });
    }
  };
  const request: Client['request'] = async (method, params) => {
    id++;
    const own = id;
    await send({ id: own, method, params });
    return find((message) => message.id === own && message.method === undefined);
  };
  return {
    messages,
    send,
    find,
    request,
    notify: (method, params) => send({ method, params }),
  };
}
