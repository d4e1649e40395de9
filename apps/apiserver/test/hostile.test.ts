import { request as httpsRequest } from 'node:https';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type RunningApiServer, startApiServer } from '../src/index.ts';
import { administrator, ask, send } from './running-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';
const json = 'application/json';
const yaml = 'application/yaml';

let server: RunningApiServer;
beforeAll(async () => {
  server = await startApiServer();
});
afterAll(() => server.close());

interface Hostile {
  readonly what: string;
  readonly method?: string;
  readonly path?: string;
  readonly type?: string;
  readonly body?: string;
  /** The codes that a server may answer with. */
  readonly codes: readonly number[];
}

const nested = (open: string, close: string, depth: number): string =>
  open.repeat(depth) + close.repeat(depth);
const head = '"apiVersion":"v1","kind":"ConfigMap"';
const named = (name: string, rest = ''): string => `{${head},"metadata":{"name":"${name}"}${rest}}`;
const bomb = ['a: &a ["x","x","x","x","x","x","x","x","x"]']
  .concat([...'bcdefghi'].map((name, i) => aliases(name, 'abcdefgh'[i] ?? '')))
  .join('\n');

function aliases(name: string, of: string): string {
  return `${name}: &${name} [${Array.from({ length: 9 }, () => `*${of}`).join(',')}]`;
}

const bodies: readonly Hostile[] = [
  { what: 'arrays in arrays', body: nested('[', ']', 200_000), codes: [400] },
  {
    what: 'objects in objects',
    body: `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`,
    codes: [400],
  },
  {
    what: 'a deep unknown field',
    body: named('deep', `,"x":${nested('[', ']', 9_000)}`),
    codes: [201, 400],
  },
  { what: 'an open string', body: `{"a":"${'x'.repeat(1e6)}`, codes: [400] },
  {
    what: 'digits without end',
    body: named('digits', `,"x":${'9'.repeat(1e6)}`),
    codes: [201, 400],
  },
  { what: 'a great exponent', body: named('exponent', ',"x":1e999999'), codes: [201, 400] },
  { what: 'no UTF-8', body: named('x\ud800'), codes: [400, 422] },
  { what: 'a NUL', body: `${named('nul')}\0`, codes: [400] },
  {
    what: 'many members of one name',
    body: `{${head},"metadata":{"name":"same"},"data":{${Array(50_000).fill('"a":"b"').join(',')}}}`,
    codes: [201, 400],
  },
  {
    what: 'many labels',
    body: `{${head},"metadata":{"name":"labels","labels":{${Array.from({ length: 30_000 }, (_, i) => `"l${i}":""`).join(',')}}}}`,
    codes: [201, 422],
  },
  {
    what: 'many bad labels',
    body: `{${head},"metadata":{"name":"bad","labels":{${Array.from({ length: 5_000 }, (_, i) => `"l ${i}":"x y"`).join(',')}}}}`,
    codes: [422],
  },
  {
    what: 'large annotations',
    body: `{${head},"metadata":{"name":"large","annotations":{"a":"${'x'.repeat(300_000)}"}}}`,
    codes: [422],
  },
  {
    what: 'the prototype as data',
    body: named('proto', ',"data":{"__proto__":"x","constructor":"y","toString":"z"}'),
    codes: [201],
  },
  {
    what: 'a prototype',
    body: `{${head},"__proto__":{"data":{"a":"b"}},"metadata":{"name":"proto-b","__proto__":{"uid":"x"}}}`,
    codes: [201],
  },
  { what: 'a YAML bomb', type: yaml, body: bomb, codes: [400] },
  { what: 'a YAML alias of itself', type: yaml, body: '&a [*a]', codes: [400] },
  { what: 'deep YAML', type: yaml, body: nested('[', ']', 50_000), codes: [400] },
  {
    what: 'deep YAML blocks',
    type: yaml,
    body: Array.from({ length: 1_500 }, (_, i) => `${' '.repeat(i)}a:`).join('\n'),
    codes: [201, 400, 422],
  },
  { what: 'tags of YAML', type: yaml, body: '!!js/function "x"', codes: [400, 422] },
  {
    what: 'no protobuf',
    type: 'application/vnd.kubernetes.protobuf',
    body: `k8s\0${'\xff'.repeat(1000)}`,
    codes: [400],
  },
  { what: 'an endless name', body: named('x'.repeat(1e6)), codes: [422] },
  { what: 'a name of a path', body: named('../../../etc/passwd'), codes: [400, 422] },
];

const copies = Array.from({ length: 40 }, (_, i) => ({
  op: 'copy',
  from: '/data',
  path: `/metadata/x${i}`,
}));
const patches: readonly Hostile[] = [
  {
    what: 'copies of copies',
    type: 'application/json-patch+json',
    body: JSON.stringify([
      { op: 'add', path: '/data/a', value: 'x'.repeat(1e6) },
      ...copies,
      ...copies,
    ]),
    codes: [400, 413, 422],
  },
  {
    what: 'doubling',
    type: 'application/json-patch+json',
    body: JSON.stringify([
      { op: 'add', path: '/x', value: ['x'.repeat(1000)] },
      ...Array.from({ length: 60 }, () => ({ op: 'copy', from: '/x', path: '/x/-' })),
    ]),
    codes: [400, 413, 422],
  },
  {
    what: 'too many operations',
    type: 'application/json-patch+json',
    body: JSON.stringify(Array(10_001).fill({ op: 'test', path: '/kind', value: 'ConfigMap' })),
    codes: [413],
  },
  {
    what: 'the prototype by a JSON patch',
    type: 'application/json-patch+json',
    body: '[{"op":"add","path":"/__proto__/polluted","value":"yes"}]',
    codes: [422],
  },
  {
    what: 'the prototype by a merge patch',
    type: 'application/merge-patch+json',
    body: '{"__proto__":{"polluted":"yes"},"data":{"__proto__":"x"}}',
    codes: [200],
  },
  {
    what: 'the prototype by a strategic patch',
    type: 'application/strategic-merge-patch+json',
    body: '{"constructor":{"prototype":{"polluted":"yes"}}}',
    codes: [200, 422],
  },
  {
    what: 'the prototype by an apply',
    type: 'application/apply-patch+yaml',
    path: '?fieldManager=m',
    body: named('target', ',"data":{"__proto__":"x"}'),
    codes: [200, 409],
  },
  {
    what: 'a deep merge patch',
    type: 'application/merge-patch+json',
    body: `${'{"a":'.repeat(9_000)}1${'}'.repeat(9_000)}`,
    codes: [200, 400, 422],
  },
  {
    what: 'a deep apply',
    type: 'application/apply-patch+yaml',
    path: '?fieldManager=m',
    body: nested('[', ']', 50_000),
    codes: [400],
  },
];

const urls: readonly Hostile[] = [
  {
    what: 'a selector of many terms',
    path: `?labelSelector=${Array(1500).fill('a=b').join(',')}`,
    codes: [200, 414, 431],
  },
  {
    what: 'a selector of parentheses',
    path: `?labelSelector=a+in+(${'('.repeat(2000)}`,
    codes: [400],
  },
  { what: 'a selector of commas', path: `?labelSelector=${','.repeat(5000)}`, codes: [400] },
  {
    what: 'a selector of backslashes',
    path: `?fieldSelector=metadata.name%3D${'%5C'.repeat(3000)}`,
    codes: [200, 400],
  },
  { what: 'bad escapes', path: '?labelSelector=%E0%A4%A&x=%', codes: [200, 400] },
  { what: 'a token of nonsense', path: `?continue=${'A'.repeat(4000)}`, codes: [400] },
  {
    what: 'a token that leaves the collection',
    path: `?continue=${Buffer.from('{"v":"meta.k8s.io/v1","rv":5,"start":"../secrets"}').toString('base64url')}`,
    codes: [400],
  },
  { what: 'a limit beyond integers', path: '?limit=9007199254740993000', codes: [200, 400] },
  {
    what: 'a version beyond integers',
    path: '?resourceVersion=99999999999999999999999',
    codes: [400, 504],
  },
  {
    what: 'many parameters',
    path: `?${Array(2000).fill('dryRun=All').join('&')}`,
    codes: [200, 414, 431],
  },
  { what: 'a name of escapes', path: `/${'%2e%2e%2f'.repeat(200)}x`, codes: [400, 404] },
  { what: 'the prototype as a name', path: '/__proto__', codes: [404] },
  { what: 'a long name', path: `/${'x'.repeat(8000)}`, codes: [404, 414] },
];

async function play({ method = 'POST', path = '', type, body }: Hostile): Promise<number> {
  const answer = await send(server, {
    ...administrator(server),
    method,
    path: configMaps + path,
    headers: type === undefined ? {} : { 'content-type': type },
    ...(body === undefined ? {} : { body }),
  });
  const text = answer.body.toString();
  expect(text).not.toMatch(/\bat .*\.(ts|js):\d+/);
  return answer.code;
}

describe('rejects hostile requests and keeps running', () => {
  test.for(bodies)('$what', async (hostile) => {
    expect(hostile.codes).toContain(await play({ type: json, ...hostile }));
  });

  test.for(patches)('$what', async (hostile) => {
    await ask(server, {
      method: 'POST',
      path: configMaps,
      object: { metadata: { name: 'target' }, data: { a: 'b' } },
    });
    const path = `/target${hostile.path ?? ''}`;
    expect(hostile.codes).toContain(await play({ ...hostile, method: 'PATCH', path }));
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  test.for(urls)('$what', async (hostile) => {
    expect(hostile.codes).toContain(await play({ method: 'GET', ...hostile }));
  });

  test('treats keys of the prototype as ordinary data', async () => {
    const { object } = await ask(server, { path: `${configMaps}/proto` });
    expect(JSON.stringify(object['data'])).toBe(
      '{"__proto__":"x","constructor":"y","toString":"z"}',
    );
  });

  test('disconnects watchers that never read, and limits their memory', async () => {
    const slow = Array.from({ length: 5 }, () => {
      const sent = httpsRequest(new URL(`${configMaps}?watch=true`, server.url), {
        ca: server.certificateAuthority,
        servername: 'localhost',
        agent: false,
        ...administrator(server),
      });
      sent.on('error', () => {});
      sent.on('response', (response) => response.pause());
      sent.end();
      return sent;
    });
    const before = process.memoryUsage().rss;
    await ask(server, { method: 'POST', path: configMaps, object: { metadata: { name: 'busy' } } });
    for (let i = 0; i < 150; i++) {
      const object = { metadata: { name: 'busy' }, data: { a: `${i}${'x'.repeat(200_000)}` } };
      const { code } = await ask(server, { method: 'PUT', path: `${configMaps}/busy`, object });
      expect(code).toBe(200);
    }
    expect(process.memoryUsage().rss - before).toBeLessThan(1024 * 1024 * 1024);
    for (const sent of slow) sent.destroy();
  });

  test('shows a column whose path has many open brackets', async () => {
    const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    const object = definitionWithColumn(`.spec${'['.repeat(300_000)}`);
    expect((await ask(server, { method: 'POST', path, object })).code).toBe(201);
    const widgets = '/apis/example.com/v1/namespaces/default/widgets';
    await expect.poll(async () => (await ask(server, { path: widgets })).code).toBe(200);
    const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'a' } };
    await ask(server, { method: 'POST', path: widgets, object: { ...widget, spec: 'shown' } });
    const headers = { accept: 'application/json;as=Table;v=v1;g=meta.k8s.io' };
    const table = await ask(server, { path: widgets, headers });
    expect(table.object['rows']).toMatchObject([{ cells: ['a', 'shown'] }]);
  }, 5_000);

  test('still answers other clients', async () => {
    const { code } = await ask(server, { path: `${configMaps}/target` });
    expect(code).toBe(200);
    expect((await send(server, { path: '/readyz' })).code).toBe(200);
  });
});

function definitionWithColumn(jsonPath: string): object {
  const openAPIV3Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
  const additionalPrinterColumns = [{ name: 'Spec', type: 'string', jsonPath }];
  const served = { name: 'v1', served: true, storage: true };
  return {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget', listKind: 'WidgetList' },
      versions: [{ ...served, schema: { openAPIV3Schema }, additionalPrinterColumns }],
    },
  };
}
