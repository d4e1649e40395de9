import { StreamMessageReader, StreamMessageWriter } from 'vscode-languageserver/node';
import { requireVersion } from '../prepare/prepare.ts';
import { type ExitCode, exitCode, type Terminal } from '../process/terminal.ts';
import { Server } from './server.ts';

/** The options of `kubeadmit lsp`. */
export interface LspOptions {
  readonly kubernetesVersion?: string;
}

/** Serves one client until the end of the session. */
export async function lsp(
  { kubernetesVersion }: LspOptions,
  terminal: Terminal,
): Promise<ExitCode> {
  if (kubernetesVersion !== undefined) await requireVersion(kubernetesVersion);
  const server = new Server({
    reader: new StreamMessageReader(terminal.stdin),
    writer: new StreamMessageWriter(terminal.stdout),
    kubernetesVersion,
  });
  const ended = new Promise<boolean>((resolve) => {
    server.onEnd(resolve);
    terminal.stdin.once('end', () => resolve(server.isShutDown));
    terminal.stdin.once('close', () => resolve(server.isShutDown));
  });
  server.listen();
  const isProper = await ended;
  server.dispose();
  if (isProper) return exitCode.success;
  terminal.stderr.write('error: the client closed the connection without a `shutdown` request\n');
  return exitCode.refused;
}
