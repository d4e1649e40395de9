import { appendFileSync, chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer as createPlainServer, type IncomingMessage } from 'node:http';
import { createServer } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type CertificatePair, makeAuthority, makeCertificate } from '@kubeadmit/certificates';
import { folderUntil, listen } from '@kubeadmit/test-support';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ApiClient } from '../src/cluster/api-client.ts';
import { environmentProxy } from '../src/cluster/environment-proxy.ts';

// Every answer here is the one of kubectl 1.37 for the same kubeconfig, unless it says otherwise.

const folder = folderUntil(afterAll, {
  token: 'file-token\n',
  empty: '',
  plugin: `#!/bin/sh
echo "$KUBERNETES_EXEC_INFO" >> "$(dirname "$0")/info"
cat "$(dirname "$0")/credential"
`,
  credential: credential({ token: 'exec-token' }),
});
chmodSync(join(folder, 'plugin'), 0o755);

type Seen = Readonly<Record<string, unknown>>;

const seen: Seen[] = [];
let accepted: string | undefined;
let port: number;
let authority: CertificatePair;
let own: CertificatePair;
let alice: CertificatePair;
let server: ReturnType<typeof createServer>;

beforeAll(async () => {
  const now = { now: Date.now() };
  authority = await makeAuthority('test', now);
  const names = ['localhost', 'other.example', '127.0.0.1'];
  own = await makeCertificate(authority, { type: 'server', commonName: 'localhost', names }, now);
  alice = await makeCertificate(authority, { type: 'client', user: 'alice', groups: [] }, now);
  server = createServer(
    {
      ...{ cert: own.certificate, key: own.key, ca: authority.certificate },
      ...{ requestCert: true, rejectUnauthorized: false },
    },
    (request, response) => {
      const { authorization } = request.headers;
      seen.push(sent(request));
      const code = accepted === undefined || authorization === `Bearer ${accepted}` ? 200 : 401;
      response.writeHead(code, { 'content-type': 'application/json' }).end('{}');
    },
  );
  port = await listen(server);
});

afterAll(() => {
  server.close();
  server.closeAllConnections();
});

function sent({ headers, socket }: IncomingMessage): Seen {
  const { servername, getPeerCertificate } = socket as unknown as {
    readonly servername: string | false;
    getPeerCertificate(): { readonly subject?: { readonly CN: string } };
  };
  const client = getPeerCertificate.call(socket).subject?.CN;
  const wanted = Object.entries(headers).filter(([name]) =>
    /^(?:authorization$|impersonate-)/.test(name),
  );
  return {
    ...Object.fromEntries(wanted),
    ...(client === undefined ? {} : { client }),
    ...(servername === false ? {} : { servername }),
  };
}

function credential(status: object): string {
  return JSON.stringify({
    apiVersion: 'client.authentication.k8s.io/v1',
    kind: 'ExecCredential',
    status,
  });
}

function write(user: object, cluster: object = {}): string {
  const file = join(folder, 'config');
  const certificate = Buffer.from(authority.certificate).toString('base64');
  const server = `https://127.0.0.1:${port}`;
  const config = {
    'current-context': 'test',
    clusters: [
      { name: 'test', cluster: { server, 'certificate-authority-data': certificate, ...cluster } },
    ],
    users: [{ name: 'test', user }],
    contexts: [{ name: 'test', context: { cluster: 'test', user: 'test' } }],
  };
  writeFileSync(file, JSON.stringify(config));
  return file;
}

async function ask(user: object, cluster: object = {}): Promise<Seen | undefined> {
  const client = await ApiClient.open({ kind: 'kubeconfig', file: write(user, cluster) });
  seen.length = 0;
  await client.ask('/version');
  return seen[0];
}

const exec = {
  apiVersion: 'client.authentication.k8s.io/v1',
  command: './plugin',
  interactiveMode: 'Never',
};
const inline = { authorization: 'Bearer inline' };

test.each([
  ['a token', { token: 'inline' }, inline],
  ['a token file', { tokenFile: 'token' }, { authorization: 'Bearer file-token' }],
  [
    'a token file rather than the token beside it',
    { token: 'inline', tokenFile: 'token' },
    { authorization: 'Bearer file-token' },
  ],
  ['the token where its file is missing', { token: 'inline', tokenFile: 'nowhere' }, inline],
  ['the token where its file is empty', { token: 'inline', tokenFile: 'empty' }, inline],
  ['a password', { username: 'a', password: 'b' }, { authorization: 'Basic YTpi' }],
  ['a plugin', { exec }, { authorization: 'Bearer exec-token' }],
  ['the token rather than the plugin beside it', { exec, token: 'inline' }, inline],
  [
    'the token file rather than the plugin beside it',
    { exec, tokenFile: 'token' },
    { authorization: 'Bearer file-token' },
  ],
  [
    'the password rather than the plugin beside it',
    { exec, username: 'a', password: 'b' },
    { authorization: 'Basic YTpi' },
  ],
  [
    'impersonation with its uid, groups and extra fields',
    {
      ...{ token: 'inline', as: 'bob', 'as-uid': '7', 'as-groups': ['x', 'y'] },
      'as-user-extra': { 'example.com/A b': ['1', '2'] },
    },
    {
      ...inline,
      'impersonate-user': 'bob',
      'impersonate-uid': '7',
      'impersonate-group': 'x, y',
      'impersonate-extra-example.com%2fa%20b': '1, 2',
    },
  ],
])('authenticates by %s', async (_, user, expected) => {
  expect(await ask(user)).toEqual(expected);
});

test.each(['file', 'data'])('authenticates by a client certificate of a %s', async (kind) => {
  writeFileSync(join(folder, 'client.crt'), alice.certificate);
  writeFileSync(join(folder, 'client.key'), alice.key);
  const encoded = (text: string): string => Buffer.from(text).toString('base64');
  const user =
    kind === 'file'
      ? { 'client-certificate': 'client.crt', 'client-key': 'client.key' }
      : {
          'client-certificate-data': encoded(alice.certificate),
          'client-key-data': encoded(alice.key),
        };
  expect(await ask(user)).toEqual({ client: 'alice' });
  expect(await ask({ ...user, exec })).toEqual({ client: 'alice' });
  expect(await ask({ ...user, token: 'inline' })).toEqual({ ...inline, client: 'alice' });
});

test('authenticates by the client certificate that a plugin prints', async () => {
  const status = { clientCertificateData: alice.certificate, clientKeyData: alice.key };
  writeFileSync(join(folder, 'credential'), credential(status));
  expect(await ask({ exec })).toEqual({ client: 'alice' });
  writeFileSync(join(folder, 'credential'), credential({ token: 'exec-token' }));
});

test('asks for the name that `tls-server-name` gives', async () => {
  const cluster = { 'tls-server-name': 'other.example' };
  expect(await ask({ token: 'inline' }, cluster)).toEqual({
    ...inline,
    servername: 'other.example',
  });
  await expect(ask({}, { 'tls-server-name': 'third.example' })).rejects.toThrow('third.example');
});

test('trusts the certificate of the server itself as the authority', async () => {
  const data = (certificate: string): object => ({
    'certificate-authority-data': Buffer.from(certificate).toString('base64'),
  });
  expect(await ask({ token: 'inline' }, data(own.certificate))).toEqual(inline);
  await expect(ask({ token: 'inline' }, data(alice.certificate))).rejects.toThrow('certificate');
});

test('skips the verification of certificates with `insecure-skip-tls-verify`', async () => {
  const cluster = { 'insecure-skip-tls-verify': true, 'certificate-authority-data': undefined };
  expect(await ask({ token: 'inline' }, cluster)).toEqual(inline);
});

test('describes the cluster to a plugin that asks for it', async () => {
  await ask({ exec: { ...exec, provideClusterInfo: true } });
  const info = readFileSync(join(folder, 'info'), 'utf8').trim().split('\n').pop() ?? '';
  expect(JSON.parse(info)).toEqual({
    ...{ kind: 'ExecCredential', apiVersion: exec.apiVersion },
    spec: {
      cluster: {
        server: `https://127.0.0.1:${port}`,
        'certificate-authority-data': Buffer.from(authority.certificate).toString('base64'),
      },
      interactive: false,
    },
  });
});

test.each([
  ['an empty token file', { tokenFile: 'empty' }, 'empty is empty'],
  ['a missing token file', { tokenFile: 'nowhere' }, 'nowhere: no such file or directory'],
  [
    'a token and a password',
    { token: 'a', username: 'a', password: 'b' },
    'more than one authentication method found for test; found [token basicAuth], only one is allowed',
  ],
  [
    'a token file and a password',
    { tokenFile: 'token', username: 'a', password: 'b' },
    'username/password or bearer token may be set, but not both',
  ],
  [
    'a client certificate without a key',
    { 'client-certificate': 'client.crt' },
    'client-key-data or client-key must be specified for test to use the clientCert authentication method',
  ],
  [
    'groups without a user to impersonate',
    { token: 'a', 'as-groups': ['x'] },
    'requesting uid, groups or user-extra for test without impersonating a user',
  ],
  [
    'an auth provider that no longer exists',
    { 'auth-provider': { name: 'gcp' } },
    'no Auth Provider found for name "gcp"',
  ],
  [
    'an auth provider and a plugin',
    { exec, 'auth-provider': { name: 'oidc' } },
    'authProvider cannot be provided in combination with an exec plugin for test',
  ],
  [
    'a plugin without `interactiveMode`',
    { exec: { ...exec, interactiveMode: undefined } },
    'interactiveMode must be specified for test to use exec authentication plugin',
  ],
  [
    'a plugin that needs a terminal',
    { exec: { ...exec, interactiveMode: 'Always' } },
    'it needs a terminal',
  ],
  [
    'a plugin of another version',
    { exec: { ...exec, apiVersion: 'client.authentication.k8s.io/v1beta1' } },
    'configured to use API version client.authentication.k8s.io/v1beta1, but returned client.authentication.k8s.io/v1',
  ],
  ['a plugin that fails', { exec: { ...exec, command: 'false' } }, '`false` failed: it ended with'],
  ['a plugin that is missing', { exec: { ...exec, command: './none' } }, 'ENOENT'],
])('refuses %s', async (_, user, problem) => {
  await expect(ask(user)).rejects.toThrow(problem);
});

test('refuses an authority beside `insecure-skip-tls-verify`', async () => {
  await expect(ask({}, { 'insecure-skip-tls-verify': true })).rejects.toThrow(
    'specifying a root certificates file with the insecure flag is not allowed',
  );
});

// kubectl ends before it could do this; client-go refreshes plugins after a 401.
test.each([
  ['the token of the kubeconfig', () => write({ token: 'old' }), () => write({ token: 'new' })],
  [
    'the token of a file',
    () => {
      writeFileSync(join(folder, 'changing'), 'old');
      return write({ tokenFile: 'changing' });
    },
    () => writeFileSync(join(folder, 'changing'), 'new'),
  ],
  [
    'the token of a plugin',
    () => {
      writeFileSync(join(folder, 'credential'), credential({ token: 'old' }));
      return write({ exec });
    },
    () => writeFileSync(join(folder, 'credential'), credential({ token: 'new' })),
  ],
])('uses %s at once when the server refuses the one before', async (_, before, after) => {
  accepted = 'old';
  const client = await ApiClient.open({ kind: 'kubeconfig', file: before() });
  await client.ask('/version');
  after();
  accepted = 'new';
  await client.ask('/version');
  expect(seen.slice(-2)).toEqual([
    { authorization: 'Bearer old' },
    { authorization: 'Bearer new' },
  ]);
  accepted = 'other';
  await expect(client.ask('/version')).rejects.toMatchObject({ code: 401 });
  accepted = undefined;
});

test('reaches the cluster through the proxy of `proxy-url`', async () => {
  const connections: string[] = [];
  const proxy = createPlainServer().on('connect', (request, socket) => {
    connections.push(request.url ?? '');
    const through = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
      socket.pipe(through).pipe(socket);
    });
    for (const each of [socket, through]) each.on('error', () => undefined);
  });
  const proxyPort = await listen(proxy);
  const file = write({ token: 'inline' }, { 'proxy-url': `http://127.0.0.1:${proxyPort}` });
  const client = await ApiClient.open({ kind: 'kubeconfig', file });
  seen.length = 0;
  for (let count = 0; count < 3; count++) await client.ask('/version');
  expect(seen).toEqual([inline, inline, inline]);
  // The connection is kept.
  expect(connections).toEqual([`127.0.0.1:${port}`]);
  proxy.close();
});

test.each([
  ['https://a.example', { HTTPS_PROXY: 'http://p:1' }, 'http://p:1'],
  ['https://a.example', { https_proxy: 'p:1' }, 'http://p:1'],
  ['https://a.example', { HTTP_PROXY: 'http://p:1' }, ''],
  ['https://localhost:6443', { HTTPS_PROXY: 'http://p:1' }, ''],
  ['https://127.0.0.1:6443', { HTTPS_PROXY: 'http://p:1' }, ''],
  ['https://[::1]:6443', { HTTPS_PROXY: 'http://p:1' }, ''],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '*' }, ''],
  ['https://a.example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'b.example, example' }, ''],
  ['https://example', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '.example' }, 'http://p:1'],
  [
    'https://a.example:6443',
    { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'a.example:443' },
    'http://p:1',
  ],
  ['https://10.1.2.3', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8' }, ''],
  ['https://11.1.2.3', { HTTPS_PROXY: 'http://p:1', NO_PROXY: '10.0.0.0/8' }, 'http://p:1'],
  ['https://[fd00::1]', { HTTPS_PROXY: 'http://p:1', NO_PROXY: 'fd00::/8' }, ''],
])('for %s and %j, the proxy of the environment is `%s`', (server, environment, expected) => {
  expect(environmentProxy(new URL(server), environment)).toBe(expected);
});

test('a half-written kubeconfig does not interrupt a working connection', async () => {
  const file = write({ token: 'inline' });
  const client = await ApiClient.open({ kind: 'kubeconfig', file });
  await client.ask('/version');
  appendFileSync(file, '{');
  accepted = 'other';
  await expect(client.ask('/version')).rejects.toMatchObject({ code: 401 });
  accepted = undefined;
  await expect(client.ask('/version')).resolves.toBe('{}');
});
