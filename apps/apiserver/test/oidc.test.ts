import type { ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:https';
import { join } from 'node:path';
import { makeAuthority, makeCertificate } from '@kubeadmit/certificates';
import { folderUntil, listen } from '@kubeadmit/test-support';
import { decodeJwt, exportJWK, exportSPKI, generateKeyPair, SignJWT } from 'jose';
import { expect, onTestFinished, test, vi } from 'vitest';
import { OidcTokens } from '../src/authentication/oidc.ts';
import type { OidcOptions } from '../src/configuration/oidc-options.ts';

/** A provider of ID tokens on this machine. */
async function startProvider(
  given: Readonly<Record<string, (response: ServerResponse, keys: object) => void>> = {},
): Promise<{
  readonly options: OidcOptions;
  sign(claims: Record<string, unknown>, expires?: string, keyId?: string): Promise<string>;
  /** The paths that were requested. */
  readonly requests: readonly string[];
  /** As PEM. */
  readonly publicKey: string;
}> {
  const requests: string[] = [];
  const authority = await makeAuthority('test', { now: Date.now() });
  const subject = { type: 'server', commonName: 'server', names: ['127.0.0.1'] } as const;
  const { certificate: cert, key } = await makeCertificate(authority, subject, { now: Date.now() });
  const { publicKey, privateKey } = await generateKeyPair('RS256');
  const jwk = { ...(await exportJWK(publicKey)), kid: 'one', alg: 'RS256', use: 'sig' };
  const server: Server = createServer({ cert, key }, (request, response) => {
    requests.push(request.url ?? '');
    const pages: Readonly<Record<string, unknown>> = {
      '/.well-known/openid-configuration': { issuer, jwks_uri: `${issuer}/keys` },
      '/keys': { keys: [jwk] },
    };
    const page = pages[request.url ?? ''] as object;
    const answer = given[request.url ?? ''];
    if (answer === undefined) response.end(JSON.stringify(page));
    else answer(response, page);
  });
  const issuer = `https://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => void server.close());
  const caFile = join(folderUntil(onTestFinished, { 'ca.crt': authority.certificate }), 'ca.crt');
  return {
    options: { issuerUrl: issuer, clientId: 'cluster', caFile },
    requests,
    publicKey: await exportSPKI(publicKey),
    sign: (claims, expires = '1h', keyId = 'one') => {
      const token = new SignJWT({ iss: issuer, aud: 'cluster', sub: 'alice', ...claims })
        .setProtectedHeader({ alg: 'RS256', kid: keyId })
        .setIssuedAt();
      return (expires === '' ? token : token.setExpirationTime(expires)).sign(privateKey);
    },
  };
}

const now = (): number => Date.now();

test('names users by issuer and subject by default', async () => {
  const { options, sign } = await startProvider();
  const { issuerUrl } = options;
  expect(await new OidcTokens(options, now).authenticate(await sign({}))).toEqual({
    username: `${issuerUrl}#alice`,
    groups: [],
  });
  const email = {
    ...options,
    usernameClaim: 'email',
    groupsClaim: 'groups',
    groupsPrefix: 'oidc:',
  };
  const claims = { email: 'alice@example.com', groups: ['a', 'b'] };
  expect(await new OidcTokens(email, now).authenticate(await sign(claims))).toEqual({
    username: 'alice@example.com',
    groups: ['oidc:a', 'oidc:b'],
  });
  const plain = { ...options, usernamePrefix: '-' };
  expect(await new OidcTokens(plain, now).authenticate(await sign({}))).toMatchObject({
    username: 'alice',
  });
});

test('rejects invalid tokens', async () => {
  const { options, sign } = await startProvider();
  const other = await startProvider();
  const tokens = new OidcTokens({ ...options, requiredClaims: { team: 'a' } }, now);
  const isKnown = async (token: string): Promise<boolean> =>
    (await tokens.authenticate(token)) !== undefined;
  expect(await isKnown(await sign({ team: 'a' }))).toBe(true);
  expect(await isKnown(await sign({ team: 'b' }))).toBe(false);
  expect(await isKnown(await sign({ team: 'a' }, '-1m'))).toBe(false);
  expect(await isKnown(await sign({ team: 'a' }, ''))).toBe(false);
  expect(await isKnown(await sign({ team: 'a', aud: 'other' }))).toBe(false);
  expect(await isKnown(await sign({ team: 'a', sub: '' }))).toBe(false);
  expect(await isKnown(await other.sign({ team: 'a', iss: options.issuerUrl }))).toBe(false);
  expect(await isKnown('no token')).toBe(false);
  const unverified = new OidcTokens({ ...options, usernameClaim: 'email' }, now);
  for (const verified of [false, 'false', 'true', 1, null]) {
    const claims = { email: 'a@example.com', email_verified: verified };
    expect(await unverified.authenticate(await sign(claims)), String(verified)).toBeUndefined();
  }
});

test('tokens of unknown keys, which any client can send, fetch the keys once in ten seconds', async () => {
  const { options, sign, requests } = await startProvider();
  let time = Date.now();
  const tokens = new OidcTokens(options, () => time);
  const forged = await Promise.all(Array.from({ length: 20 }, (_, at) => sign({}, '1h', `k${at}`)));
  const all = (): Promise<unknown[]> =>
    Promise.all(forged.map((each) => tokens.authenticate(each)));
  expect(new Set(await all())).toEqual(new Set([undefined]));
  await all();
  expect(requests).toHaveLength(2);
  expect(await tokens.authenticate(await sign({}))).toBeDefined();
  expect(requests).toHaveLength(2);
  time += 10_000;
  await all();
  expect(requests).toHaveLength(4);
});

test('logs once that a provider cannot be reached', async () => {
  const { options, sign } = await startProvider();
  const token = await sign({});
  const told: string[] = [];
  const caFile = join(folderUntil(onTestFinished), 'none.crt');
  const tokens = new OidcTokens({ ...options, caFile }, now, (text) => told.push(text));
  expect(await tokens.authenticate(token)).toBeUndefined();
  expect(await tokens.authenticate(token)).toBeUndefined();
  const problem = `${caFile}: no such file or directory`;
  expect(told).toEqual([`tokens of ${options.issuerUrl} cannot be checked: ${problem}`]);
});

test('a key set has a size limit', async () => {
  let hasEnded = false;
  const { options, sign } = await startProvider({
    '/keys': (response) => {
      const send = (): void => {
        while (!response.destroyed && response.write(' '.repeat(2 ** 16)));
      };
      response.on('drain', send).on('close', () => {
        hasEnded = true;
      });
      send();
    },
  });
  const told: string[] = [];
  const tokens = new OidcTokens(options, now, (text) => told.push(text));
  expect(await tokens.authenticate(await sign({}))).toBeUndefined();
  expect(told).toEqual([
    `tokens of ${options.issuerUrl} cannot be checked: ${options.issuerUrl}/keys: the document is longer than 1048576 bytes`,
  ]);
  await expect.poll(() => hasEnded).toBe(true);
});

test('a provider that sends a byte now and then does not keep a request waiting', async () => {
  let hasBegun = false;
  const { options, sign } = await startProvider({
    '/keys': (response) => {
      hasBegun = true;
      const drip = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(drip));
    },
  });
  const token = await sign({});
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const told: string[] = [];
  const tokens = new OidcTokens(options, now, (text) => told.push(text));
  const known = tokens.authenticate(token);
  while (!hasBegun) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(31_000);
  expect(await known).toBeUndefined();
  expect(told.join()).toContain('/keys: timed out');
});

test.each(['null', '7', '{}', '{"keys":7}', '{"keys":[7]}', '{"keys":[null]}'])(
  'a provider that once answers %s is asked again',
  async (text) => {
    let count = 0;
    const { options, sign } = await startProvider({
      '/keys': (response, keys) => {
        response.end(count++ === 0 ? text : JSON.stringify(keys));
      },
    });
    let time = Date.now();
    const tokens = new OidcTokens(
      options,
      () => time,
      () => undefined,
    );
    const token = await sign({});
    expect(await tokens.authenticate(token)).toBeUndefined();
    time += 10_000;
    expect(await tokens.authenticate(token)).toBeDefined();
  },
);

test('algorithms and critical headers that a token chooses are refused', async () => {
  const { options, sign, publicKey } = await startProvider();
  const tokens = new OidcTokens(options, now);
  const valid = await sign({});
  expect(await tokens.authenticate(valid)).toBeDefined();
  const [, payload = '', signature = ''] = valid.split('.');
  const encoded = (value: object): string =>
    Buffer.from(JSON.stringify(value)).toString('base64url');
  const claims = decodeJwt(valid);
  const signedWithPublicKey = new SignJWT(claims)
    .setProtectedHeader({ alg: 'HS256', kid: 'one' })
    .sign(new TextEncoder().encode(publicKey));
  const forged = [
    `${encoded({ alg: 'none' })}.${payload}.`,
    `${encoded({ alg: 'none', kid: 'one' })}.${payload}.${signature}`,
    `${encoded({ alg: 'RS256', kid: 'one', crit: ['x'], x: 1 })}.${payload}.${signature}`,
    `${encoded({ alg: 'RS256', kid: 'one', jwk: {} })}.${payload}.${signature}`,
    `${encoded({ alg: 'RS256', kid: '../keys' })}.${payload}.${signature}`,
    await signedWithPublicKey,
  ];
  for (const token of forged) expect(await tokens.authenticate(token), token).toBeUndefined();
});
