import { createHash } from 'node:crypto';
import { stringifyJson } from '@kubeadmit/go';
import type { Generation } from '../policies/generation.ts';

const isPolicy = /Policy(?:Binding)?$|^PolicyException$/;

/** Differs where policies, their bindings or exceptions from them do; namespaces and parameters do not matter. */
export function policySignature({ fileObjects, clusterObjects }: Generation): string {
  const hash = createHash('sha256');
  for (const object of [...fileObjects, ...clusterObjects.values()]) {
    const { apiVersion, kind, metadata, spec } = object as Readonly<Record<string, unknown>>;
    if (!isPolicy.test(String(kind))) continue;
    const { namespace, name } = metadata as Readonly<Record<string, unknown>>;
    hash.update(stringifyJson([apiVersion, kind, namespace, name, spec]));
  }
  return hash.digest('hex');
}
