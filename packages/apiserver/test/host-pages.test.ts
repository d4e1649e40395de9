import { expect, test } from 'vitest';
import { startLocalServer } from './local-server.ts';

const page = { status: 200, headers: {}, body: { type: 'text', text: 'numbers' } } as const;

test('pages of the host are for users who may ask for their paths, impersonated ones too', async () => {
  const { ask, server } = await startLocalServer({
    pages: async (path) => (path === '/metrics' ? page : undefined),
  });
  const get = async (as: 'admin' | 'alice', path: string, headers = {}): Promise<unknown[]> => {
    const { status, text } = await ask({ method: 'GET', path, headers, as });
    return [
      status,
      text.startsWith('{') ? (JSON.parse(text) as { message: string }).message : text,
    ];
  };
  expect(await get('admin', '/metrics')).toEqual([200, 'numbers']);
  expect(await get('admin', '/%6Detrics')).toEqual([200, 'numbers']);
  expect(await get('alice', '/metrics')).toEqual([
    403,
    'forbidden: User "alice" cannot get path "/metrics"',
  ]);
  expect(await get('admin', '/metrics', { 'impersonate-user': 'bob' })).toEqual([
    403,
    'forbidden: User "bob" cannot get path "/metrics"',
  ]);
  expect(await get('admin', '/others')).toEqual([404, '404 page not found\n']);
  await server.close();
});
