import { createHash } from 'node:crypto';
import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { decode, type Schemas } from '@kubeadmit/schemas';
import { sortedText } from '../collection.ts';
import type { GridRequest } from './objects.ts';
import type { GridCase } from './rules.ts';

/** The AdmissionRequest of a request of the grid. */
export function admissionRequest({
  operation,
  object,
  oldObject,
  user = 'alice',
}: GridRequest): JsonObject {
  const { apiVersion, kind, metadata } = (object ?? oldObject) as JsonObject & {
    metadata: JsonObject;
  };
  const [version, group = ''] = String(apiVersion).split('/').reverse();
  const named = { group, version };
  return {
    uid: 'uid',
    operation,
    kind: { ...named, kind },
    resource: { ...named, resource: `${String(kind).toLowerCase()}s` },
    name: metadata['name'],
    namespace: metadata['namespace'],
    userInfo: { username: user, groups: ['system:authenticated'] },
    ...(object === undefined ? {} : { object }),
    ...(oldObject === undefined ? {} : { oldObject }),
  };
}

/** A request whose old object is in its stored form: with defaults, without empty fields. */
export function asStored({ oldObject, ...request }: GridRequest, schemas: Schemas): GridRequest {
  if (oldObject === undefined) return request;
  return { ...request, oldObject: (decode(schemas, oldObject).object ?? oldObject) as JsonObject };
}

/** The ConfigMaps and exceptions that a case depends on. */
export function relatedOf({ related = [] }: GridCase, kind: string): readonly JsonObject[] {
  return related.filter((object) => object['kind'] === kind);
}

/** A verdict on a request, with a digest of the object where it was changed: `deny`, `audit`, `allow 1f3a…`. */
export function verdictText(
  outcome: 'allow' | 'audit' | 'deny',
  { before, after }: { readonly before: unknown; readonly after: unknown },
  schemas: Schemas,
): string {
  if (outcome === 'deny' || !isObject(after)) return outcome;
  const [one, other] = [before, after].map((object) => storedText(object, schemas));
  return one === other ? outcome : `${outcome} ${digest(other ?? '')}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 12);
}

// A server sets defaults in an object that Kyverno changed, and drops empty lists and maps.
function storedText(object: unknown, schemas: Schemas): string {
  return sortedText(withoutEmpty(decode(schemas, object as JsonObject).object ?? object));
}

function withoutEmpty(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutEmpty);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const inner = withoutEmpty(item);
      const isEmpty =
        typeof inner === 'object' && inner !== null && Object.keys(inner).length === 0;
      return isEmpty && key !== 'emptyDir' ? [] : [[key, inner]];
    }),
  );
}
