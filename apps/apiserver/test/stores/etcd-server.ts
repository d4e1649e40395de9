import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { createFolder, freePort, removeFolder, stopProgram } from '@kubeadmit/test-support';

/** The etcd of this machine: that of the variable ETCD, or the one on the path; undefined where there is none. */
export function findEtcd(): string | undefined {
  const { ETCD } = process.env;
  if (ETCD !== undefined && ETCD !== '') return ETCD;
  try {
    return execFileSync('which', ['etcd'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** An etcd of one member that keeps its data in a separate folder. */
export class EtcdServer {
  readonly url: string;
  readonly #program: string;
  readonly #folder = createFolder();
  readonly #args: readonly string[];
  #process: ChildProcess | undefined;

  private constructor(program: string, ports: readonly [number, number]) {
    this.#program = program;
    this.url = `http://127.0.0.1:${ports[0]}`;
    const peer = `http://127.0.0.1:${ports[1]}`;
    this.#args = [
      ...['--data-dir', this.#folder, '--log-level', 'error'],
      ...['--listen-client-urls', this.url, '--advertise-client-urls', this.url],
      ...['--listen-peer-urls', peer, '--initial-advertise-peer-urls', peer],
      ...['--initial-cluster', `default=${peer}`],
    ];
  }

  static async start(program: string): Promise<EtcdServer> {
    const server = new EtcdServer(program, [await freePort(), await freePort()]);
    await server.run();
    return server;
  }

  async run(): Promise<void> {
    this.#process = spawn(this.#program, this.#args, { stdio: 'ignore' });
    for (let attempt = 0; attempt < 100; attempt++) {
      const answer = await fetch(`${this.url}/health`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error('etcd does not start');
  }

  async kill(): Promise<void> {
    if (this.#process) await stopProgram(this.#process, 'SIGKILL');
    this.#process = undefined;
  }

  async stop(): Promise<void> {
    await this.kill();
    removeFolder(this.#folder);
  }
}
