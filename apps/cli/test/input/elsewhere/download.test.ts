import { afterEach, expect, test, vi } from 'vitest';
import { download, isLocal } from '../../../src/input/elsewhere/download.ts';

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
