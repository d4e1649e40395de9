import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { type CertificatePair, makeAuthority, makeCertificate } from '@kubeadmit/certificates';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { webhookClient } from '../src/operation/webhook-client.ts';

const now = Date.now();
const names = ['localhost', '127.0.0.1'];

let authority: CertificatePair;
let certificates: Readonly<Record<string, CertificatePair>>;

beforeAll(async () => {
  authority = await makeAuthority('authority', { now });
  const server = (life: { readonly now: number }, dnsNames = names): Promise<CertificatePair> =>
    makeCertificate(authority, { type: 'server', commonName: 'webhook', names: dnsNames }, life);
  certificates = {
    usual: await server({ now }),
    another: await server({ now }),
    'for another host': await server({ now }, ['example.com']),
    expired: await server({ now: now - 10 * 365 * 86_400_000 }),
  };
});

/** Calls a webhook that shows a certificate. */
async function call(
  shown: CertificatePair | undefined,
  bundle: string,
  answer: RequestListener = (_, response) => void response.end('{}'),
): Promise<number> {
  const { certificate = '', key = '' } = shown ?? {};
  const server = createServer({ cert: certificate, key }, answer);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const clientConfig = {
    url: `https://127.0.0.1:${port}/`,
    caBundle: Buffer.from(bundle).toString('base64'),
  };
  const { status } = await webhookClient.call({
    clientConfig,
    review: {},
    timeoutSeconds: 2,
  } as never);
  return status;
}

describe('a webhook is trusted', () => {
  test('if the bundle contains its authority', async () => {
    expect(await call(certificates['usual'], authority.certificate)).toBe(200);
  });

  test('if the bundle is its own certificate, as envtest writes it', async () => {
    const usual = certificates['usual'];
    expect(await call(usual, usual?.certificate ?? '')).toBe(200);
  });

  test('if the bundle contains its own certificate among others', async () => {
    const { usual, another } = certificates;
    expect(await call(usual, `${another?.certificate}\n${usual?.certificate}`)).toBe(200);
  });
});

describe('a webhook is not trusted', () => {
  test('if the bundle is another certificate of the same authority', async () => {
    const { usual, another } = certificates;
    await expect(call(usual, another?.certificate ?? '')).rejects.toThrow('certificate');
  });

  test.each([
    ['has no certificate', () => 'text'],
    ['has a damaged certificate', () => authority.certificate.replace(/[A-Z]{4}/, '====')],
    ['contains a key only', () => authority.key],
  ])('if the bundle %s', async (_, bundle) => {
    await expect(call(certificates['usual'], bundle())).rejects.toThrow();
  });

  test.each(['for another host', 'expired'])(
    'if its certificate is %s, though the bundle contains it',
    async (name) => {
      const shown = certificates[name];
      await expect(call(shown, shown?.certificate ?? '')).rejects.toThrow('ertificate');
    },
  );
});

test('a redirect is not followed', async () => {
  let asked = 0;
  const status = await call(certificates['usual'], authority.certificate, (_, response) => {
    asked++;
    response.writeHead(307, { location: '/other' }).end();
  });
  expect([status, asked]).toEqual([307, 1]);
});

test.each<[string, RequestListener, string]>([
  ['never ends', (_, response) => void response.write('{'), 'context deadline exceeded'],
  [
    'is too long',
    (_, response) => void response.end('a'.repeat(7 * 2 ** 20)),
    'the answer is too long',
  ],
])('a call fails if the answer %s', async (_, answer, message) => {
  const called = call(certificates['usual'], authority.certificate, answer);
  await expect(called).rejects.toThrow(message);
});
