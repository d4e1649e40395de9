import type { JsonAnswer } from '@kubeadmit/apiserver-tools/kube-apiserver';
import type { JsonObject } from '../json-object.ts';
import type { RecordedCase } from './recorded-case.ts';

/** How a case went on the server; `skipped` when the server does not get as far as the policies. */
export type Played =
  | { readonly outcome: 'equal' }
  | { readonly outcome: 'skipped'; readonly reason: string }
  | { readonly outcome: 'different'; readonly expected: unknown; readonly actual: unknown };

export function messageOf({ body }: Pick<JsonAnswer, 'body'>): string {
  return String(body['message'] ?? body['text'] ?? '');
}

/** Whether a server answered a request as the case has it. */
export function judge({ request, response, object }: RecordedCase, answer: JsonAnswer): Played {
  const { code, body, warnings } = answer;
  if (code === 422 && messageOf(answer).includes(' is invalid: ')) {
    return { outcome: 'skipped', reason: messageOf(answer) };
  }
  if (code === 409 || code === 404 || code === 400) {
    if (response?.allowed === true) return { outcome: 'skipped', reason: messageOf(answer) };
  }
  const expected = {
    warnings: response?.warnings ?? [],
    ...(response?.allowed === false
      ? { status: response.status }
      : request.operation === 'DELETE'
        ? {}
        : { object: comparable(object) }),
  };
  const { kind: _kind, apiVersion: _apiVersion, ...status } = body;
  const actual = {
    // The server warns of other things too, such as deprecated fields.
    warnings: warnings.filter((text) => text.startsWith('Validation failed for ')),
    ...(code >= 300
      ? { status }
      : request.operation === 'DELETE'
        ? {}
        : { object: comparable(body) }),
  };
  return same(expected, actual) ? { outcome: 'equal' } : { outcome: 'different', expected, actual };
}

const ownMetadata = [
  ...['uid', 'resourceVersion', 'creationTimestamp', 'generation', 'managedFields', 'namespace'],
];
const ownServiceFields = ['clusterIP', 'clusterIPs', 'ipFamilies', 'ipFamilyPolicy'];
const ownAnnotation = 'deprecated.daemonset.template.generation';

// Objects without the fields that the server's storage sets and resets.
function comparable(object: JsonObject | undefined): unknown {
  if (object === undefined) return undefined;
  const { metadata = {}, spec, status: _status, ...rest } = object as Record<string, JsonObject>;
  const annotations = (metadata['annotations'] ?? {}) as JsonObject;
  return {
    ...rest,
    spec: object['kind'] === 'Service' ? comparableService(spec ?? {}) : spec,
    metadata: {
      ...without(metadata, ownMetadata),
      annotations: without(annotations, [ownAnnotation]),
    },
  };
}

function comparableService(spec: JsonObject): JsonObject {
  const ports = ((spec['ports'] ?? []) as JsonObject[]).map((port) => without(port, ['nodePort']));
  return { ...without(spec, ownServiceFields), ports };
}

function without(object: JsonObject | undefined, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(object ?? {}).filter(([key]) => !keys.includes(key)));
}

function same(left: unknown, right: unknown): boolean {
  return JSON.stringify(sorted(left)) === JSON.stringify(sorted(right));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => [key, sorted(member)]);
}
