import { connect } from 'node:http2';
import { gunzipSync } from 'node:zlib';
import { loadSchemas } from '@kubeadmit/schemas';
import { decodeProtobuf, encodeProtobuf, loadProtobuf } from '@kubeadmit/schemas/protobuf';
import { describe, expect, test } from 'vitest';
import { administrator, ask, send, startForTest } from './running-server.ts';

const configMaps = '/api/v1/namespaces/default/configmaps';

function configMap(name: string, data: object = {}): object {
  return { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name }, data };
}

/** The text of a header, whose bytes Node reads as Latin-1. */
function utf8(header: string | string[] | undefined): string {
  return Buffer.from(String(header), 'latin1').toString('utf8');
}

describe('the Host and Origin of requests', () => {
  test.each([
    ['a host that is not this one', { host: 'evil.example.com' }],
    ['a foreign page', { origin: 'https://evil.example.com' }],
  ])('%s is refused', async (_, headers) => {
    const server = await startForTest();
    const answer = await send(server, { path: '/api', headers, ...administrator(server) });
    expect(answer.code).toBe(403);
  });

  test('answers requests for names of the certificate and for addresses', async () => {
    const server = await startForTest({ names: ['cluster.example.com'] });
    for (const host of [
      'localhost',
      'kubernetes.default.svc:443',
      'cluster.example.com',
      '[::1]:6443',
    ]) {
      const answer = await send(server, {
        path: '/api',
        headers: { host },
        ...administrator(server),
      });
      expect(answer.code, host).toBe(200);
    }
  });
});

describe('protocols', () => {
  test('supports HTTP/2', async () => {
    const server = await startForTest();
    const session = connect(server.url, {
      ca: server.certificateAuthority,
      ...administrator(server),
    });
    const body = JSON.stringify(configMap('over-http2'));
    const stream = session.request({
      ':method': 'POST',
      ':path': configMaps,
      'content-type': 'application/json',
    });
    stream.end(body);
    const status = await new Promise((resolve) => {
      stream.on('response', (headers) => resolve(headers[':status']));
    });
    stream.resume();
    session.close();
    expect(status).toBe(201);
  });

  test('sends warnings in any script over both protocols', async () => {
    const server = await startForTest();
    const group = '/apis/admissionregistration.k8s.io/v1';
    const created = { operations: ['CREATE'], apiGroups: [''], apiVersions: ['v1'] };
    const kinds = [
      {
        kind: 'ValidatingAdmissionPolicy',
        spec: {
          matchConstraints: { resourceRules: [{ ...created, resources: ['configmaps'] }] },
          validations: [{ expression: 'false', message: 'größer als 日本 😀' }],
        },
      },
      {
        kind: 'ValidatingAdmissionPolicyBinding',
        spec: { policyName: 'words', validationActions: ['Warn'] },
      },
    ];
    for (const { kind, spec } of kinds) {
      const metadata = { name: 'words' };
      const apiVersion = 'admissionregistration.k8s.io/v1';
      const path = `${group}/${kind.toLowerCase().replace(/y$/, 'ie')}s`;
      const object = { apiVersion, kind, metadata, spec };
      expect((await ask(server, { method: 'POST', path, object })).code).toBe(201);
    }
    const warning =
      "299 - \"Validation failed for ValidatingAdmissionPolicy 'words' with binding 'words': größer als 日本 😀\"";
    const as = administrator(server);
    const type = { 'content-type': 'application/json' };
    const posted = { method: 'POST', path: configMaps, headers: type };
    const body = JSON.stringify(configMap('warned'));
    const answer = await send(server, { ...posted, body, ...as });
    expect([answer.code, utf8(answer.headers['warning'])]).toEqual([201, warning]);

    const session = connect(server.url, { ca: server.certificateAuthority, ...as });
    const path = `${configMaps}?dryRun=All`;
    const stream = session.request({ ':method': 'POST', ':path': path, ...type });
    stream.end(JSON.stringify(configMap('warned-again')));
    const headers = await new Promise<{ readonly warning?: string }>((resolve) => {
      stream.on('response', resolve);
    });
    stream.resume();
    session.close();
    expect(utf8(headers.warning)).toBe(warning);
  });

  test('sends warnings with watches, in any script', async () => {
    const server = await startForTest();
    const schema = { openAPIV3Schema: { type: 'object' } };
    const served = { name: 'v1', served: true, storage: true, deprecated: true, schema };
    const object = {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        names: { plural: 'things', kind: 'Thing' },
        scope: 'Cluster',
        versions: [{ ...served, deprecationWarning: 'älter als 日本' }],
      },
    };
    const definitions = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
    expect((await ask(server, { method: 'POST', path: definitions, object })).code).toBe(201);
    const path = '/apis/example.com/v1/things?watch=true&timeoutSeconds=1';
    const answer = await send(server, { path, ...administrator(server) });
    expect(answer.code).toBe(200);
    expect(utf8(answer.headers['warning'])).toBe('299 - "älter als 日本"');
  });

  test('does not send an unchanged discovery document again', async () => {
    const server = await startForTest();
    const as = administrator(server);
    const accept = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList';
    const first = await send(server, { path: '/apis', headers: { accept }, ...as });
    const etag = String(first.headers['etag']);
    expect([first.code, etag]).toEqual([200, expect.stringMatching(/^"\w+"$/)]);
    const headers = { accept, 'if-none-match': etag };
    const again = await send(server, { path: '/apis', headers, ...as });
    expect([again.code, again.body.length]).toEqual([304, 0]);
  });

  test.each([
    { path: '/apis/%zz', code: 400, text: '400 Bad Request' },
    { path: '/healthz/ping', code: 200, text: 'ok' },
    { path: '/readyz/other', code: 404, text: '404 page not found\n' },
    { path: '/apis//apps', code: 404, text: '404 page not found\n' },
  ])('$path is answered with $code', async ({ path, code, text }) => {
    const server = await startForTest();
    const answer = await send(server, { path, ...administrator(server) });
    expect([answer.code, answer.body.toString()]).toEqual([code, text]);
  });

  test('shows single health checks to permitted users', async () => {
    const server = await startForTest();
    const { code, body } = await send(server, { path: '/healthz/ping' });
    expect([code, JSON.parse(body.toString()).message]).toEqual([
      403,
      'forbidden: User "system:anonymous" cannot get path "/healthz/ping"',
    ]);
  });

  test('ignores a token after two spaces, with a warning', async () => {
    const server = await startForTest();
    const headers = { authorization: 'Bearer  token' };
    const { code, headers: answered } = await send(server, { path: configMaps, headers });
    expect(code).toBe(403);
    expect(answered['warning']).toBe(
      '299 - "the provided Authorization header contains extra space before the bearer token, and is ignored"',
    );
  });

  test('sends a long list in parts over both protocols, compressed on request', async () => {
    const server = await startForTest();
    const data = { a: 'x'.repeat(100_000) };
    const names = ['one', 'two', 'three', 'four', 'five', 'six'];
    for (const name of names) {
      await ask(server, { method: 'POST', path: configMaps, object: configMap(name, data) });
    }
    const as = administrator(server);
    const plain = await send(server, { path: configMaps, ...as });
    expect(plain.headers['content-length']).toBeUndefined();
    const { items } = JSON.parse(plain.body.toString());
    expect(items.map((item: { metadata: { name: string } }) => item.metadata.name)).toEqual(
      ['kube-root-ca.crt', ...names].sort(),
    );
    const headers = { 'accept-encoding': 'gzip' };
    const compressed = await send(server, { path: configMaps, headers, ...as });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
    const session = connect(server.url, { ca: server.certificateAuthority, ...as });
    for (const encoding of ['identity', 'gzip']) {
      const stream = session.request({ ':path': configMaps, 'accept-encoding': encoding });
      const parts: Buffer[] = [];
      for await (const part of stream) parts.push(part);
      const body = Buffer.concat(parts);
      expect((encoding === 'gzip' ? gunzipSync(body) : body).equals(plain.body)).toBe(true);
    }
    session.close();
  });

  test('compresses long answers on request', async () => {
    const server = await startForTest();
    const object = configMap('long', { a: 'x'.repeat(200_000) });
    await ask(server, { method: 'POST', path: configMaps, object });
    const path = `${configMaps}/long`;
    const plain = await send(server, { path, ...administrator(server) });
    expect(plain.headers['content-encoding']).toBeUndefined();
    const headers = { 'accept-encoding': 'gzip' };
    const compressed = await send(server, { path, headers, ...administrator(server) });
    expect(compressed.headers['content-encoding']).toBe('gzip');
    expect(gunzipSync(compressed.body).equals(plain.body)).toBe(true);
  });

  test('rejects bodies of more than 3 MiB in every encoding', async () => {
    const server = await startForTest();
    const body = JSON.stringify(configMap('huge', { a: 'x'.repeat(3 * 1024 * 1024) }));
    const request = { method: 'POST', path: configMaps, body, ...administrator(server) };
    const headers = { 'content-type': 'application/json' };
    const announced = await send(server, { ...request, headers });
    expect(announced.code).toBe(413);
    expect(JSON.parse(announced.body.toString()).message).toBe(
      'Request entity too large: limit is 3145728',
    );
    const chunked = await send(server, {
      ...request,
      headers: { ...headers, 'transfer-encoding': 'chunked' },
    });
    expect(chunked.code).toBe(413);
  });

  // As kube-apiserver 1.37.1 answers.
  test.each([
    ['apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a}\ndata: {x: "', '"}\n', 'encoding patch'],
    [
      '{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"a"},"data":{"x":"',
      '"}}',
      'decoding patch: error converting YAML to JSON',
    ],
  ])('bytes that are no UTF-8 are not applied: %j', async (before, after, doing) => {
    const server = await startForTest();
    const answer = await send(server, {
      ...administrator(server),
      method: 'PATCH',
      path: `${configMaps}/a?fieldManager=x`,
      headers: { 'content-type': 'application/apply-patch+yaml' },
      body: Buffer.concat([Buffer.from(before), Buffer.of(0xff), Buffer.from(after)]),
    });
    expect(answer.code).toBe(400);
    const { message } = JSON.parse(answer.body.toString());
    expect(message).toBe(`error ${doing}: yaml: invalid leading UTF-8 octet`);
  });

  test('supports protocol buffers for typed clients', async () => {
    const server = await startForTest();
    const protobuf = await loadProtobuf(await loadSchemas());
    const type = 'application/vnd.kubernetes.protobuf';
    const answer = await send(server, {
      method: 'POST',
      path: configMaps,
      body: Buffer.from(encodeProtobuf(protobuf, configMap('typed', { a: 'b' }) as never) ?? []),
      headers: { 'content-type': type, accept: type },
      ...administrator(server),
    });
    expect(answer.code).toBe(201);
    expect(answer.headers['content-type']).toBe(type);
    expect(decodeProtobuf(protobuf, answer.body).object).toMatchObject({
      metadata: { name: 'typed', namespace: 'default' },
      data: { a: 'b' },
    });
  });

  test('sends changes to watches at once, and ends them with the server', async () => {
    const server = await startForTest();
    const session = connect(server.url, {
      ca: server.certificateAuthority,
      ...administrator(server),
    });
    const stream = session.request({
      ':path': `${configMaps}?watch=true&fieldSelector=metadata.name=seen`,
    });
    const lines: string[] = [];
    stream.on('data', (part: Buffer) => lines.push(...part.toString().trim().split('\n')));
    const ended = new Promise((resolve) => stream.on('close', resolve));
    await new Promise((resolve) => stream.on('response', resolve));
    await ask(server, { method: 'POST', path: configMaps, object: configMap('seen') });
    await ask(server, { method: 'DELETE', path: `${configMaps}/seen` });
    await expect
      .poll(() => lines.map((line) => JSON.parse(line).type))
      .toEqual(['ADDED', 'DELETED']);
    await server.close();
    await ended;
    session.destroy();
  });
});
