import { type JsonObject, kindOfObject, metadataString } from '@kubeadmit/apimachinery';
import { Double } from '@kubeadmit/cel';
import { readLines } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { compileCelPolicy, validateRequest } from '../src/index.ts';

interface RecordedCase {
  readonly policy: JsonObject;
  readonly object: JsonObject;
  /** The plural name of the object's kind. */
  readonly resource: string;
  /** The result of the Kyverno CLI. */
  readonly said: { readonly result: string; readonly message: string };
}

const cases = readLines<RecordedCase>(new URL('cases/cel-policies.ndjson', import.meta.url));

test.each(cases.map((one, at) => ({ ...one, at })))('$at', ({ policy, object, resource, said }) => {
  const kind = kindOfObject(object) ?? { group: '', version: '', kind: '' };
  const { group, version } = kind;
  const responses = validateRequest(compileCelPolicy(policy, { clock: () => 0 }), {
    attributes: {
      kind,
      resource: { group, version, resource },
      subresource: '',
      name: metadataString(object, 'name'),
      namespace: metadataString(object, 'namespace'),
      operation: 'CREATE',
      user: {},
      object: withDoubles(object) as never,
      oldObject: null,
      dryRun: false,
      options: null,
    },
    sources: {},
  });
  const [first] = responses.flat();
  expect({ result: first?.status, message: first?.message }).toEqual(said);
});

/** A value as the CLI holds it, all of whose numbers are doubles. */
function withDoubles(value: unknown): unknown {
  if (typeof value === 'number') return Number.isInteger(value) ? new Double(value) : value;
  if (Array.isArray(value)) return value.map(withDoubles);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withDoubles(item)]));
}
