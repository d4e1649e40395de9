import { type Ended, runProgram } from '@kubeadmit/test-support';
import type { Invocation } from './invocations.ts';

/** Where a command runs. */
export interface Surroundings {
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** The working folder. */
  readonly manifests: string;
  /** A separate home directory, so that caches of other servers are not used. */
  readonly home: string;
}

const timeoutMilliseconds = 60_000;

/** Runs a command to its end. */
export function runInvocation(
  { program, command, input }: Invocation,
  { kubectl, kubeconfig, manifests, home }: Surroundings,
): Promise<Ended> {
  const text = program === 'kubectl' ? `${kubectl} ${command}` : command;
  return runProgram('sh', ['-c', text], {
    stdin: input,
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
}
