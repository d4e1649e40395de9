import { createServer } from 'node:http';
import { listen } from '@kubeadmit/test-support';
import { expect, onTestFinished, test } from 'vitest';
import { RegistryClient } from '../../src/remote/index.ts';

/** Returns the client of a registry that requires the token `t`, and whose token server answers with `body`. */
async function clientFor(body: string): Promise<RegistryClient> {
  const server = createServer(({ url, headers }, response) => {
    if (url?.startsWith('/token')) response.end(body);
    else if (headers.authorization === 'Bearer t') response.end('content');
    else {
      const challenge = `Bearer realm="http://${headers.host}/token",service="s"`;
      response.writeHead(401, { 'www-authenticate': challenge }).end();
    }
  });
  const port = await listen(server);
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return new RegistryClient({
    origin: `http://localhost:${port}`,
    limits: { maxFileSize: 1000, timeout: 5000 },
    credentials: () => undefined,
    missingCredentialsHint: () => 'log in',
  });
}

test.each(['{"token":"t"}', '{"access_token":"t"}', '{"token":"","access_token":"t"}'])(
  'sends the token in %s',
  async (body) => {
    const client = await clientFor(body);
    expect(Buffer.from(await client.get('/v2/', '*/*')).toString()).toBe('content');
  },
);

test.each(['{}', '{"token":""}', '{"token":1}', 'text'])(
  'reports that there is no token in %s',
  async (body) => {
    const client = await clientFor(body);
    await expect(client.get('/v2/', '*/*')).rejects.toThrow(/^the registry returned no token$/);
  },
);
