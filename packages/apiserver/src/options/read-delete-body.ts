import {
  headProblem,
  unreadableHead,
  unregisteredKind,
} from '@kubeadmit/admission/unstable-internal';
import {
  formatGroupVersion,
  type KubernetesObject,
  member,
  memberText,
} from '@kubeadmit/apimachinery';
import { hasMembers } from '@kubeadmit/base';
import { decodeUtf8Leniently, jsonTypeOf } from '@kubeadmit/go';
import { scanJson } from '@kubeadmit/go/unstable-internal';
import { badRequest } from '../errors/failures.ts';
import { groupVersionOf } from '../objects/group-version.ts';

/** Reads options in JSON, or throws the 400 of an invalid text (handlers.DeleteResource). */
export function readDeleteJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8Leniently(bytes);
  const read = scanJson(text);
  if ('error' in read) throw badRequest(unreadableHead(read.error));
  return read.value;
}

/** Options of which the kind and the types of the fields are right, or their 400. */
export function checkDeleteBody(value: unknown): KubernetesObject {
  const problem = headProblem(value ?? null);
  if (problem !== undefined) throw badRequest(problem);
  const object = (value ?? {}) as KubernetesObject;
  const kind = memberText(object, 'kind') || 'DeleteOptions';
  if (kind !== 'DeleteOptions') {
    const own = groupVersionOf(memberText(object, 'apiVersion') || 'v1');
    throw badRequest(unregisteredKind(kind, formatGroupVersion(own)));
  }
  for (const [name, goType, is] of fields) {
    const own = member(object, name) ?? null;
    if (own === null || is(own)) continue;
    const where = `Go struct field DeleteOptions.${name} of type ${goType}`;
    throw badRequest(`json: cannot unmarshal ${jsonTypeOf(own)} into ${where}`);
  }
  return object;
}

const fields: readonly (readonly [string, string, (value: unknown) => boolean])[] = [
  ['gracePeriodSeconds', 'int64', (value) => typeof value === 'number'],
  ['preconditions', 'v1.Preconditions', hasMembers],
  ['orphanDependents', 'bool', (value) => typeof value === 'boolean'],
  ['propagationPolicy', 'v1.DeletionPropagation', (value) => typeof value === 'string'],
  ['dryRun', '[]string', Array.isArray],
];
