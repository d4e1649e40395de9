import { join } from 'node:path';
import { withFiles } from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { RegistryCredentials } from '../src/images/registry-credentials.ts';

const host = 'registry.example';
const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64');
const basic = Buffer.from('me:secret').toString('base64');
const secret = (key: string, value: object) => ({ data: { [key]: encoded(value) } });

interface Case {
  readonly name: string;
  readonly secrets: Readonly<Record<string, object>>;
  readonly file?: object;
  readonly expected: unknown;
}

const cases: readonly Case[] = [
  {
    name: 'reads a Secret with a configuration of Docker',
    secrets: { a: secret('.dockerconfigjson', { auths: { [host]: { auth: basic } } }) },
    expected: { from: 'the Secret policies/a', basic },
  },
  {
    name: 'reads a user and a password',
    secrets: {
      a: secret('.dockerconfigjson', { auths: { [host]: { username: 'me', password: 'secret' } } }),
    },
    expected: { from: 'the Secret policies/a', basic },
  },
  {
    name: 'reads a Secret of the older type',
    secrets: { a: secret('.dockercfg', { [`https://${host}/v1/`]: { auth: basic } }) },
    expected: { from: 'the Secret policies/a', basic },
  },
  {
    name: 'uses the first Secret with an entry for the host, also if another one is missing',
    secrets: {
      b: secret('.dockerconfigjson', { auths: { 'other.example': { auth: 'x' } } }),
      c: secret('.dockerconfigjson', { auths: { [host]: { auth: basic } } }),
    },
    expected: { from: 'the Secret policies/c', basic },
  },
  {
    name: 'uses the file after the Secrets',
    secrets: {},
    file: { auths: { [host]: { auth: basic } } },
    expected: { from: expect.stringMatching(/config\.json$/), basic },
  },
  {
    name: 'reports Secrets that are missing',
    secrets: {},
    expected: 'the Secret policies/a cannot be read: not found',
  },
  {
    name: 'reports Secrets with other data',
    secrets: { a: { data: { password: 'x' } } },
    expected: 'expected .dockerconfigjson or .dockercfg',
  },
];

test.each(cases)('$name', ({ secrets, file, expected }) =>
  withFiles({ 'config.json': JSON.stringify(file ?? {}) }, async (folder) => {
    const find = async (path: string) =>
      secrets[path.replace('/api/v1/namespaces/policies/secrets/', '')] as never;
    const credentials = new RegistryCredentials({
      file: file === undefined ? undefined : join(folder, 'config.json'),
      secrets: ['a', 'b', 'c'].map((name) => ({ namespace: 'policies', name })),
      client: { find },
      now: () => 0,
    });
    const found = credentials.find(host);
    if (typeof expected === 'string') await expect(found).rejects.toThrow(expected);
    else expect(await found).toEqual(expected);
  }),
);

test('reads a Secret again after a minute', async () => {
  let now = 0;
  let reads = 0;
  const find = async () => {
    reads++;
    return secret('.dockerconfigjson', { auths: {} }) as never;
  };
  const secrets = [{ namespace: 'policies', name: 'a' }];
  const credentials = new RegistryCredentials({
    file: undefined,
    secrets,
    client: { find },
    now: () => now,
  });
  for (const [time, expected] of [
    [0, 1],
    [59_999, 1],
    [60_000, 2],
  ] as const) {
    now = time;
    expect(await credentials.find(host)).toBeUndefined();
    expect(reads).toBe(expected);
  }
});
