import { type KubeApiserver, startKubeApiserver } from './kube-apiserver.ts';
import type { Ask } from './play/play-case.ts';

/** A kube-apiserver on which cases are played. */
export interface RealServer extends Pick<KubeApiserver, 'stop'> {
  readonly ask: Ask;
}

const tokens: Readonly<Record<string, string>> = {
  admin: 'Bearer admin-token',
  alice: 'Bearer alice-token',
  nobody: 'Bearer of-nobody',
};

/** Starts the program and waits until it is ready. */
export async function startRealServer(program: string): Promise<RealServer> {
  const { client, stop } = await startKubeApiserver(program, [
    '--runtime-config=admissionregistration.k8s.io/v1beta1=true,admissionregistration.k8s.io/v1alpha1=true',
  ]);
  const ask: Ask = async ({ method, path, headers, body, as }) => {
    const token = tokens[as];
    const all = {
      ...(token === undefined ? {} : { authorization: token }),
      ...(body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }),
      ...headers,
    };
    const answer = await client.send({ method, path, headers: all, body });
    return {
      status: answer.status,
      headers: {
        ...answer.headers,
        ...(answer.warnings.length === 0 ? {} : { warning: answer.warnings }),
      },
      text: answer.bytes.toString('utf8'),
      bytes: answer.bytes,
    };
  };
  return { ask, stop };
}
