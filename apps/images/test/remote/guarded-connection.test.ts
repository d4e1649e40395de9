import { createServer } from 'node:http';
import { listen } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { guardedConnection } from '../../src/remote/guarded-connection.ts';
import { download } from '../../src/remote/index.ts';

const limits = { maxFileSize: 1000, timeout: 1000 };
const asked = { headers: {}, followsRedirects: true };

test.each([
  'https://127.0.0.1/',
  'https://0x7f000001/',
  'https://0.0.0.0/',
  'https://localhost/',
  'https://169.254.169.254/latest/meta-data',
  'https://100.100.100.200/',
  'https://168.63.129.16/',
  'https://224.0.0.1/',
  'https://[::1]/',
  'https://[::]/',
  'https://[::ffff:127.0.0.1]/',
  'https://[::ffff:169.254.169.254]/',
  'https://[fe80::1]/',
  'https://[fd00:ec2::254]/',
  'https://[64:ff9b::a9fe:a9fe]/',
  'https://[64:ff9b::7f00:1]/',
  'https://[64:ff9b::6464:64c8]/',
  'https://[64:ff9b::a83f:8110]/',
  'https://[2002:7f00:1::1]/',
  'https://[2002:a9fe:a9fe::]/',
  'https://[2002:6464:64c8::1]/',
])('refuses to connect to %s', async (url) => {
  await expect(download(url, asked, limits, guardedConnection(new Set()))).rejects.toThrow(
    /has the address .*, which is refused/,
  );
});

test.each(['https://[64:ff9b::5db8:d822]/', 'https://[2002:5db8:d822::1]/'])(
  'does not refuse %s, which contains a public address',
  async (url) => {
    const aborted = { signal: AbortSignal.abort() };
    await expect(guardedConnection(new Set()).fetch(new URL(url), aborted)).rejects.toThrow(
      'aborted',
    );
  },
);

/** Starts a server that answers with a redirect, or with `end`. */
async function startServer(location?: string): Promise<string> {
  const server = createServer((_request, response) => {
    if (location === undefined) response.end('end');
    else response.writeHead(307, { location }).end();
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `localhost:${port}`;
}

test('reads from a trusted host by HTTP, and nothing else of its machine', async () => {
  const other = await startServer();
  const host = await startServer(`http://${other}/`);
  const both = guardedConnection(new Set([host, other]));
  const { bytes } = await download(`http://${host}/`, asked, limits, both);
  expect(Buffer.from(bytes).toString()).toBe('end');
  const one = guardedConnection(new Set([host]));
  await expect(download(`http://${host}/`, asked, limits, one)).rejects.toThrow(
    'only https:// URLs are allowed',
  );
  const secure = await startServer(`https://${other}/`);
  const connection = guardedConnection(new Set([secure]));
  await expect(download(`http://${secure}/`, asked, limits, connection)).rejects.toThrow(
    `${other} has the address`,
  );
});

test.each([
  ['registry:80', 'http://registry:80/', true],
  ['registry:80', 'https://registry/', false],
  ['registry:443', 'http://registry:443/', true],
  ['registry:5000', 'http://registry:80/', false],
])('with %s as a trusted host, %s is trusted: %s', (host, url, isTrusted) => {
  expect(guardedConnection(new Set([host])).isTrusted(new URL(url))).toBe(isTrusted);
});

test('does not follow redirects of other hosts to a trusted one', async () => {
  const trusted = await startServer();
  const { isTrusted } = guardedConnection(new Set([trusted]));
  const redirecting = {
    isTrusted,
    fetch: async () =>
      new Response(null, { status: 302, headers: { location: `http://${trusted}/` } }),
  };
  await expect(download('https://example.com/', asked, limits, redirecting)).rejects.toThrow(
    `redirected to this machine (${trusted}) from example.com`,
  );
});
