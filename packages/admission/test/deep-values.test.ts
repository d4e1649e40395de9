import { describe, expect, test } from 'vitest';
import { admit, admitReview, prepareCluster } from '../src/index.ts';
import { definitionOf } from './examples.ts';

/** An object within an object, so often. */
function nested(levels: number): object {
  let value: object = {};
  for (let level = 0; level < levels; level++) value = { a: value };
  return value;
}

const cyclic: Record<string, unknown> = {};
cyclic['self'] = cyclic;
const list: unknown[] = [];
list.push(list);

const definition = definitionOf('Thing', {
  type: 'object',
  'x-kubernetes-preserve-unknown-fields': true,
});

function requestOf(spec: unknown): object {
  return {
    uid: '1',
    operation: 'CREATE',
    kind: { group: 'example.com', version: 'v1', kind: 'Thing' },
    resource: { group: 'example.com', version: 'v1', resource: 'things' },
    namespace: 'shop',
    name: 'a',
    userInfo: { username: 'ann' },
    object: {
      apiVersion: 'example.com/v1',
      kind: 'Thing',
      metadata: { name: 'a', namespace: 'shop' },
      spec,
    },
  };
}

const failure = 'request.object: it is nested too deeply, or contains itself';

// Not with the values in the names, which cannot be written.
describe.each([
  // More than any stack that Node gives by itself, that of a thread included.
  ['nested 200,000 deep', nested(200_000)],
  ['an object that contains itself', cyclic],
  ['a list that contains itself', { list }],
])('%s', (_, spec) => {
  test('is a failure', async () => {
    const cluster = await prepareCluster({ resources: [definition] });
    expect(admit(cluster, requestOf(spec) as never)).toEqual({ failure });
  });

  test('is denied in a review', async () => {
    const cluster = await prepareCluster({ resources: [definition] });
    const { response } = admitReview(cluster, {
      apiVersion: 'admission.k8s.io/v1',
      kind: 'AdmissionReview',
      request: requestOf(spec),
    });
    expect(response.allowed).toBe(false);
    expect(response.status).toMatchObject({ code: 400, message: failure });
  });
});
