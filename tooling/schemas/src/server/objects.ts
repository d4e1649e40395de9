import { kindOfObject } from '@kubeadmit/apimachinery';
import type { JsonAnswer, KubeClient } from '@kubeadmit/apiserver-tools/kube-apiserver';
import { type Decoded, decode, findResourceOfKind, type Schemas } from '@kubeadmit/schemas';
import { canonical } from '../oracle.ts';
import { collectionOf } from './names.ts';

export type FieldValidation = 'Warn' | 'Strict';

type JsonObject = Readonly<Record<string, unknown>>;

/** Compares the result of a dry-run creation in a server with our own result. */
export async function compareObject(
  server: KubeClient,
  schemas: Schemas,
  object: JsonObject,
  fieldValidation: FieldValidation,
): Promise<{ readonly code: number; readonly difference?: string }> {
  const kind = kindOfObject(object);
  const resource = kind && findResourceOfKind(schemas, kind);
  if (!resource) throw new Error(`not a kind: ${String(object['kind'])}`);
  const query = `dryRun=All&fieldValidation=${fieldValidation}`;
  const answer = await server.ask('POST', `${collectionOf(resource)}?${query}`, object);
  const ours = decode(schemas, object, { fieldValidation });
  const difference =
    sayDifference('refusal', ours.error, refusalOf(answer)) ??
    (ours.error === undefined ? decodedDifference(ours, answer) : undefined);
  return difference === undefined ? { code: answer.code } : { code: answer.code, difference };
}

/** The error of a body that cannot be decoded; undefined for a later refusal. */
function refusalOf({ code, body }: JsonAnswer): string | undefined {
  const { message = '' } = body as { readonly message?: string };
  if (code !== 400) return undefined;
  return /^.*? in version ".*?" cannot be handled as a .*?: (.*)$/s.exec(message)?.[1];
}

function decodedDifference(
  { warnings = [], object }: Decoded,
  answer: JsonAnswer,
): string | undefined {
  const theirs = answer.warnings.filter((text) => text.startsWith('unknown field'));
  const inWarnings = sayDifference('warnings', canonical(warnings), canonical(theirs));
  if (inWarnings !== undefined || answer.code !== 201) return inWarnings;
  const body = answer.body as JsonObject;
  return sayDifference('object', canonical(comparable(object ?? {})), canonical(comparable(body)));
}

/** Paths that creation and not decoding sets or drops, by kind. */
const assigned: Readonly<Record<string, readonly string[]>> = {
  Lease: ['spec.strategy', 'spec.preferredHolder'],
  Job: ['spec.selector', 'spec.template.metadata'],
  Namespace: ['spec.finalizers'],
  SelfSubjectRulesReview: ['spec.namespace'],
  ServiceAccount: ['secrets'],
  Service: [
    'spec.clusterIP',
    'spec.clusterIPs',
    'spec.ipFamilies',
    'spec.ipFamilyPolicy',
    'spec.healthCheckNodePort',
    'spec.ports.nodePort',
  ],
};

/** Returns the parts of an object that decoding decides. The storage treats empty lists like null. */
function comparable(object: JsonObject): unknown {
  const without = ['metadata', 'status', ...(assigned[String(object['kind'])] ?? [])];
  const strip = (value: unknown, path: string): unknown => {
    if (Array.isArray(value)) {
      return value.length === 0 ? null : value.map((item) => strip(item, path));
    }
    if (typeof value !== 'object' || value === null) return value;
    const kept = Object.entries(value)
      .map(([key, inner]) => [key, inner, path === '' ? key : `${path}.${key}`] as const)
      .filter(([, , place]) => !without.includes(place))
      .map(([key, inner, place]) => [key, strip(inner, place)] as const);
    return Object.fromEntries(kept);
  };
  return strip(object, '');
}

function sayDifference(
  of: string,
  ours: string | undefined,
  theirs: string | undefined,
): string | undefined {
  return ours === theirs ? undefined : `${of}\n    ours   ${ours}\n    theirs ${theirs}`;
}
