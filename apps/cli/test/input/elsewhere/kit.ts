import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createServer, type RequestListener, type Server } from 'node:http';
import process from 'node:process';
import { listen } from '@kubeadmit/test-support';
import { afterEach } from 'vitest';
import { type Ran, runHere } from '../../terminal.ts';

/** A policy that wants data, and its binding. */
export const policy = `apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: p}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [configmaps]}
  validations: [{expression: "has(object.data)", message: no data}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: p}
spec: {policyName: p, validationActions: [Deny]}
`;
/** An object that the policy denies. */
export const configMap = 'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: c}\n';

/** Runs the program in a folder. */
export async function runIn(
  folder: string,
  args: readonly string[],
  path?: string,
  env: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  const before = process.cwd();
  process.chdir(folder);
  try {
    return await runHere(args, { env: { PATH: path ?? process.env['PATH'], ...env } });
  } finally {
    process.chdir(before);
  }
}

/** The summary if the policy was read and denied the object. */
export const summary = '1 object checked by 1 policy with 1 binding: 1 denied';

let server: Server | undefined;
afterEach(() => server?.close());

export async function serve(answer: RequestListener): Promise<string> {
  server = createServer(answer);
  return `127.0.0.1:${await listen(server)}`;
}

/** A folder as a packed archive. */
export function archiveOf(folder: string): Buffer {
  return execFileSync('tar', ['-czf', '-', '-C', folder, 'policies']);
}

/** Returns the digest to compare bytes with. */
export function digestOf(bytes: Uint8Array): string {
  return `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
}

/** A path that is too long for the first field of an archive. */
export const deep = `policies/${'d'.repeat(60)}/${'e'.repeat(60)}/p.yaml`;
