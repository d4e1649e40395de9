import { setTimeout as sleep } from 'node:timers/promises';
import { type Running, startProgram } from '../server/processes.ts';

interface Ports {
  readonly reviews: number;
  readonly operation: number;
}

/** One of several webhooks that are restarted in turn. */
export class Replica {
  readonly #program: string;
  readonly #args: readonly string[];
  #running: Running | undefined;
  #ports: Ports | undefined;

  constructor(program: string, args: readonly string[]) {
    this.#program = program;
    this.#args = args;
  }

  /** The port of reviews; absent while it does not run. */
  get port(): number | undefined {
    return this.#ports?.reviews;
  }

  /** Starts it, and waits until it is ready. */
  async start(): Promise<void> {
    const args = ['--listen', '127.0.0.1:0', '--metrics-listen', '127.0.0.1:0', ...this.#args];
    this.#running = await startProgram(process.execPath, [this.#program, ...args], '"listening"');
    this.#ports = JSON.parse(this.#running.line) as Ports;
    while (!(await this.isReady())) await sleep(100);
  }

  /** Whether its readiness check passes, as a kubelet asks. */
  async isReady(): Promise<boolean> {
    if (this.#ports === undefined) return false;
    const url = `http://127.0.0.1:${this.#ports.operation}/readyz`;
    const response = await fetch(url).catch(() => undefined);
    await response?.arrayBuffer();
    return response?.status === 200;
  }

  /** Ends it as a kubelet does, with a SIGTERM. */
  async stop(): Promise<void> {
    await this.#running?.stop('SIGTERM');
    this.#ports = undefined;
  }
}
