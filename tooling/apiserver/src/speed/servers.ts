import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { Agent } from 'node:https';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { sendRequest, stopProgram } from '@kubeadmit/test-support';
import { parse } from 'yaml';

/** A server that was started, with all rights. */
export interface Launched {
  readonly processId: number;
  ask(method: string, path: string, body?: object): Promise<Reply>;
  stop(): Promise<void>;
}

/** An answer as it came. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** Starts the built program with a folder as its store. */
export async function launchOurs(node: string, file: string, folder: string): Promise<Launched> {
  const kubeconfig = join(folder, 'kubeconfig');
  const args = [
    ...[file, '--data', join(folder, 'data'), '--listen', '127.0.0.1:0'],
    ...['--write-kubeconfig', kubeconfig],
  ];
  const child = spawn(node, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  // It says where it serves when the kubeconfig is written.
  await Promise.race([
    once(child.stderr, 'data'),
    once(child, 'exit').then(() => Promise.reject(new Error(`${file} ended`))),
  ]);
  const { clusters, users } = parse(readFileSync(kubeconfig, 'utf8')) as {
    readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
    readonly users: readonly { readonly user: Readonly<Record<string, string>> }[];
  };
  const user = users[0]?.user ?? {};
  const agent = new Agent({
    keepAlive: true,
    rejectUnauthorized: false,
    cert: Buffer.from(user['client-certificate-data'] ?? '', 'base64'),
    key: Buffer.from(user['client-key-data'] ?? '', 'base64'),
  });
  const port = Number(new URL(clusters[0]?.cluster.server ?? '').port);
  return launched(child, { agent, port, headers: {} });
}

/** Starts the program of a kube-apiserver with its etcd. */
export async function launchTheirs(program: string, folder: string): Promise<Launched> {
  const flags = ['--disable-admission-plugins=ServiceAccount,PodSecurity,LimitRanger,Priority'];
  const child = spawn(program, ['-dir', folder, '--', ...flags], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  if (child.stdout === null) throw new Error('no output');
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const { port } = JSON.parse(line) as { port: number };
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false });
  return launched(child, { agent, port, headers: { authorization: 'Bearer admin-token' } });
}

function launched(
  child: ChildProcess,
  target: {
    readonly agent: Agent;
    readonly port: number;
    readonly headers: Readonly<Record<string, string>>;
  },
): Launched {
  const { agent, port, headers } = target;
  return {
    processId: child.pid ?? 0,
    async ask(method, path, body) {
      const text = body && JSON.stringify(body);
      const type =
        method === 'PATCH' ? 'application/strategic-merge-patch+json' : 'application/json';
      const sent = text === undefined ? {} : { 'content-type': type };
      const all = { accept: 'application/json', ...headers, ...sent };
      const options = { agent, method, headers: all };
      const answer = await sendRequest(`https://127.0.0.1:${port}${path}`, options, text);
      return { status: answer.code, text: String(answer.body) };
    },
    stop: async () => {
      agent.destroy();
      await stopProgram(child);
    },
  };
}
