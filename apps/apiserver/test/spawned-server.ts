import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Answer } from '@kubeadmit/test-support';
import { administrator, send } from './running-server.ts';

const program = fileURLToPath(new URL('../dist/main.js', import.meta.url));

/** The built program in a separate process. */
export interface SpawnedServer {
  readonly process: ChildProcess;
  readonly url: string;
  readonly kubeconfig: string;
  readonly certificateAuthority: string;
}

/** The limits of a process, and the place where it keeps its objects. */
export interface Limits {
  /** An etcd instead of the folder. */
  readonly etcd?: string;
  /** The greatest file that it may write, in blocks of 512 bytes. */
  readonly fileBlocks?: number;
}

/** Starts the program on a folder that keeps its data; rejects when it ends before it serves. */
export async function spawnServer(
  folder: string,
  { fileBlocks, etcd }: Limits = {},
): Promise<SpawnedServer> {
  const file = `${folder}/kubeconfig`;
  const args = [
    program,
    ...(etcd === undefined ? ['--data', `${folder}/data`] : ['--etcd', etcd]),
    '--listen',
    '127.0.0.1:0',
    '--write-kubeconfig',
    file,
  ];
  // The signal of a limit that is reached would end the process; without it, writing fails as on a full disk.
  const limited = `trap '' XFSZ; ulimit -f ${fileBlocks}; exec "$@"`;
  const [command = '', ...rest] =
    fileBlocks === undefined
      ? [process.execPath, ...args]
      : ['sh', '-c', limited, 'sh', process.execPath, ...args];
  const child = spawn(command, rest, { stdio: ['ignore', 'ignore', 'pipe'] });
  const line = await new Promise<string>((resolve, reject) => {
    let text = '';
    child.stderr.on('data', (part: Buffer) => {
      text += part;
      if (text.includes('serving ')) resolve(text);
    });
    child.on('exit', () => reject(new Error(`the server ended: ${text}`)));
  });
  const kubeconfig = readFileSync(file, 'utf8');
  const authority = /certificate-authority-data: (\S+)/.exec(kubeconfig)?.[1] ?? '';
  return {
    process: child,
    url: /serving (\S+)/.exec(line)?.[1] ?? '',
    kubeconfig,
    certificateAuthority: Buffer.from(authority, 'base64').toString(),
  };
}

/** Asks as the administrator; undefined when the server goes away before it answers. */
export function request(
  server: SpawnedServer,
  wanted: { readonly method?: string; readonly path: string; readonly body?: string },
): Promise<Answer | undefined> {
  const headers = { 'content-type': 'application/json' };
  return send(server, { ...wanted, headers, ...administrator(server) }).catch(() => undefined);
}
