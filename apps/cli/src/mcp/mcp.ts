import { once } from 'node:events';
import process from 'node:process';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import { isFolder, realPath } from '../input/local/paths.ts';
import { CommandFailure, type ExitCode, exitCode, type Terminal } from '../process/terminal.ts';
import { version } from '../process/version.ts';
import type { ToolAnswer, ToolHost } from './run-command.ts';
import { tools } from './tools.ts';

const instructions =
  `Test Kubernetes admission policies (ValidatingAdmissionPolicy, MutatingAdmissionPolicy, Kyverno rules) on
manifests, with the verdicts of kube-apiserver and Kyverno. Paths are relative to the folder that the
server was started for. After a change to a policy, call lint, then test; use explain for an unexpected
verdict.`.replaceAll('\n', ' ');

/**
 * Serves one client of the Model Context Protocol until it closes standard input.
 *
 * @param run runs the program with its arguments
 * @throws CommandFailure if the folder does not exist
 */
export async function mcp(
  folder: string,
  terminal: Terminal,
  run: ToolHost['run'],
): Promise<ExitCode> {
  const root = realPath(folder);
  if (root === undefined || !isFolder(root)) throw new CommandFailure(`${folder}: not a folder`);
  process.chdir(root);
  const calls = new Calls();
  const server = new McpServer({ name: 'kubeadmit', version }, { instructions });
  for (const { name, title, description, input, answer } of tools) {
    const annotations = { title, readOnlyHint: true, openWorldHint: false };
    server.registerTool(name, { description, inputSchema: input, annotations }, (given) =>
      calls.add(async () => toolResult(await answer(given, { folder: root, run }))),
    );
  }
  const { stdin, stdout } = terminal;
  const ended = Promise.race([once(stdin, 'end'), once(stdin, 'close')]);
  await server.connect(new StdioServerTransport(stdin, stdout));
  await ended;
  await calls.finish();
  await server.close();
  return exitCode.success;
}

/** Runs calls one after the other, so that a long one does not slow all others down. */
class Calls {
  #last: Promise<unknown> = Promise.resolve();

  add(call: () => Promise<CallToolResult>): Promise<CallToolResult> {
    const result = this.#last.then(call);
    this.#last = result.catch(() => undefined);
    return result;
  }

  /** Waits for all calls, also those that the protocol is about to start, and for their answers to be written. */
  async finish(): Promise<void> {
    const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));
    await turn();
    for (let last: unknown; last !== this.#last; ) {
      last = this.#last;
      await this.#last;
      await turn();
    }
  }
}

function toolResult({ texts, isError }: ToolAnswer): CallToolResult {
  return { content: texts.map((text) => ({ type: 'text', text })), isError };
}
