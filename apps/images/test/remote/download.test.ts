import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, onTestFinished, test, vi } from 'vitest';
import { download, isLocal } from '../../src/remote/index.ts';

afterEach(() => vi.unstubAllGlobals());

const limits = { maxFileSize: 1000, timeout: 1000 };

/** Answers the first request with a redirect, and others with `end`; returns the requests. */
function redirecting(status: number, location: string): { url: string; init: RequestInit }[] {
  const requests: { url: string; init: RequestInit }[] = [];
  const answer = (url: URL, init: RequestInit): Response => {
    requests.push({ url: url.href, init });
    if (requests.length > 1) return new Response('end');
    return new Response(null, { status, headers: { location } });
  };
  vi.stubGlobal('fetch', vi.fn(answer));
  return requests;
}

test.each([
  ['file:///etc/passwd', 'only https:// URLs are allowed'],
  ['http://example.org/', 'only https:// URLs are allowed'],
  ['http://169.254.169.254/latest/meta-data', 'only https:// URLs are allowed'],
  ['ftp://localhost/x', 'only https:// URLs are allowed'],
  ['http://localhost:8080/', 'redirected to this machine (localhost:8080) from example.com'],
  ['http://127.1.2.3/', 'redirected to this machine (127.1.2.3)'],
  ['https://0x7f000001/', 'redirected to this machine (127.0.0.1)'],
  ['http://[::1]:1/', 'redirected to this machine ([::1]:1)'],
  ['http://[::ffff:127.0.0.1]/', 'redirected to this machine'],
  ['https://0.0.0.0/', 'redirected to this machine'],
  ['https://a.localhost./', 'redirected to this machine'],
])('does not follow a redirect from the web to %s', async (location, message) => {
  const requests = redirecting(302, location);
  const asked = { headers: {}, followsRedirects: true };
  await expect(download('https://example.com/p', asked, limits)).rejects.toThrow(message);
  expect(requests).toHaveLength(1);
});

test.each([
  ['the same origin', '/q', 'Basic secret'],
  ['another port', 'https://example.com:444/q', undefined],
  ['another host', 'https://example.org/q', undefined],
])('a redirect to %s keeps credentials only there', async (_, location, expected) => {
  const requests = redirecting(307, location);
  const asked = { headers: { authorization: 'Basic secret', accept: 'a' }, followsRedirects: true };
  await download('https://example.com/p', asked, limits);
  expect(requests[1]?.init.headers).toEqual({
    accept: 'a',
    ...(expected === undefined ? {} : { authorization: expected }),
  });
});

test.each([301, 302, 303, 307, 308])(
  'an identity token is not sent again after a redirect with status %i',
  async (status) => {
    const requests = redirecting(status, 'https://example.com:444/token');
    const asked = { headers: {}, body: 'refresh_token=identity', followsRedirects: false };
    await expect(download('https://example.com/token', asked, limits)).rejects.toThrow(
      'redirected to https://example.com:444; redirects of requests with credentials are not followed',
    );
    expect(requests).toHaveLength(1);
  },
);

test('this machine is local by every name it has', () => {
  const hosts = ['localhost', 'a.localhost', '127.0.0.1', '127.9.9.9', '[::1]', '[::ffff:7f00:1]'];
  expect(hosts.filter((host) => !isLocal(host))).toEqual([]);
  const others = ['example.com', 'localhost.example.com', '128.0.0.1', '10.0.0.1', '[fe80::1]'];
  expect(others.filter(isLocal)).toEqual([]);
});

/** Starts a server that answers each request with a redirect, or with `end`; returns its URL and its requests. */
async function startServer(
  location?: string,
): Promise<{ readonly url: string; readonly requests: readonly string[] }> {
  const requests: string[] = [];
  const server: Server = createServer((request, response) => {
    requests.push(`${request.method} ${request.headers.authorization ?? 'nobody'}`);
    if (location === undefined) response.end('end');
    else response.writeHead(307, { location }).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, requests };
}

test('the requests of the real client do not follow a redirect by themselves', async () => {
  const end = await startServer();
  const start = await startServer(end.url);
  const headers = { authorization: 'Basic secret' };
  const token = { headers, body: 'refresh_token=identity', followsRedirects: false };
  await expect(download(start.url, token, limits)).rejects.toThrow('redirected to ');
  expect([start.requests, end.requests]).toEqual([['POST Basic secret'], []]);
  const { bytes } = await download(start.url, { headers, followsRedirects: true }, limits);
  expect([Buffer.from(bytes).toString(), end.requests]).toEqual(['end', ['GET nobody']]);
});

test('the real client does not follow a redirect to a file or to plain HTTP of another host', async () => {
  for (const location of ['file:///etc/passwd', 'http://192.0.2.1/', 'ftp://127.0.0.1/']) {
    const start = await startServer(location);
    const asked = { headers: {}, followsRedirects: true };
    await expect(download(start.url, asked, limits)).rejects.toThrow('only https:// URLs');
  }
});

test('redirects without end are not followed', async () => {
  const requests: string[] = [];
  vi.stubGlobal('fetch', (url: URL) => {
    requests.push(url.href);
    return new Response(null, { status: 302, headers: { location: `/${requests.length}` } });
  });
  const asked = { headers: {}, followsRedirects: true };
  await expect(download('https://example.com/', asked, limits)).rejects.toThrow(
    'redirected more than 10 times',
  );
  expect(requests).toHaveLength(11);
});
