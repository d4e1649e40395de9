import { spawn } from 'node:child_process';
import type { Invocation } from './invocations.ts';

/** Where a command runs. */
export interface Surroundings {
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** The working folder. */
  readonly manifests: string;
  /** A home of its own, so that nothing is cached for another server. */
  readonly home: string;
}

/** What became of a command. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

const timeoutMilliseconds = 60_000;

/** Runs a command to its end. */
export function runInvocation(
  { program, command, input }: Invocation,
  { kubectl, kubeconfig, manifests, home }: Surroundings,
): Promise<Outcome> {
  const text = program === 'kubectl' ? `${kubectl} ${command}` : command;
  const child = spawn('sh', ['-c', text], {
    cwd: manifests,
    timeout: timeoutMilliseconds,
    env: {
      PATH: process.env['PATH'],
      HOME: home,
      KUBECONFIG: kubeconfig,
      KUBE_EDITOR: 'sed -i s/three/drei/',
      TZ: 'UTC',
    },
  });
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => out.push(part));
  child.stderr.on('data', (part: Buffer) => err.push(part));
  child.stdin.on('error', () => {});
  child.stdin.end(input);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => {
      const stdout = Buffer.concat(out).toString('utf8');
      resolve({ code: code ?? -1, stdout, stderr: Buffer.concat(err).toString('utf8') });
    });
  });
}
