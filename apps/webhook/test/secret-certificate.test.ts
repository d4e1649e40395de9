import { X509Certificate } from 'node:crypto';
import { member } from '@kubeadmit/apimachinery';
import { certificatesIn } from '@kubeadmit/certificates';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { KeptCertificate } from '../src/certificates/kept-certificate.ts';
import { SecretCertificate } from '../src/certificates/secret-certificate.ts';
import { startCluster, type TestCluster } from './harness/cluster.ts';
import { webhookConfigurations } from './harness/configurations.ts';
import { validatingPolicy } from './harness/policies.ts';
import { startWebhook } from './harness/webhook.ts';

const now = Date.now();
const day = 86_400_000;
const minute = 60_000;
const secrets = '/api/v1/namespaces/default/secrets';

let cluster: TestCluster;

beforeAll(async () => {
  cluster = await startCluster();
});

afterAll(() => cluster.stop());

function replica(name: string, configurations: readonly string[] = []): SecretCertificate {
  return new SecretCertificate(cluster.client, {
    secret: { namespace: 'default', name },
    configurations,
    dnsNames: ['webhook.default.svc'],
  });
}

async function bundles(name: string): Promise<readonly string[]> {
  const found = webhookConfigurations(name, 1).map(async ({ path }) => {
    const webhooks = (await cluster.ask(`${path}/${name}`))['webhooks'] as readonly unknown[];
    const bundle = member(member(webhooks[0], 'clientConfig'), 'caBundle');
    return Buffer.from(String(bundle ?? ''), 'base64').toString();
  });
  return Promise.all(found);
}

// These configurations match no requests.
const configurationsOfNobody = (name: string): ReturnType<typeof webhookConfigurations> =>
  webhookConfigurations(name, 1, { resources: ['nothing'] });

const isIssuedBy = ({ certificate }: KeptCertificate, authority = ''): boolean =>
  new X509Certificate(certificate).verify(new X509Certificate(authority).publicKey);

test('replicas that start at once share one certificate, and configurations trust it', async () => {
  for (const { path, object } of configurationsOfNobody('shared')) {
    expect(await cluster.create(path, object)).not.toHaveProperty('code');
  }
  const states = await Promise.all(
    Array.from({ length: 6 }, () => replica('shared', ['shared']).read(now)),
  );
  const kept = await replica('shared', ['shared']).read(now);
  expect(new Set(states.map((state) => JSON.stringify(state.kept)))).toEqual(
    new Set([JSON.stringify(kept.kept)]),
  );
  expect(kept.problem).toBe('');
  expect(isIssuedBy(kept.kept, kept.kept.authorities)).toBe(true);
  expect(await bundles('shared')).toEqual([kept.kept.authorities, kept.kept.authorities]);
});

test('certificate and authority are renewed, and both authorities are trusted meanwhile', async () => {
  for (const { path, object } of configurationsOfNobody('renewed')) {
    await cluster.create(path, object);
  }
  const one = replica('renewed', ['renewed']);
  const first = (await one.read(now)).kept;
  let last = first;
  for (let days = 250; days <= 2250; days += 250) {
    const { kept } = await one.read(now + days * day);
    expect(kept.certificate).not.toBe(last.certificate);
    expect(kept.authorities).toBe(first.authorities);
    last = kept;
  }
  const changing = now + 2440 * day;
  const changed = (await one.read(changing)).kept;
  const authorities = certificatesIn(changed.authorities);
  expect(authorities).toEqual([expect.any(String), first.authorities]);
  // No client trusts the new authority yet.
  expect(changed.certificate).toBe(last.certificate);
  expect(await bundles('renewed')).toEqual([changed.authorities, changed.authorities]);
  const soon = (await replica('renewed', ['renewed']).read(changing + minute / 2)).kept;
  expect(soon.certificate).toBe(last.certificate);
  const known = (await replica('renewed', ['renewed']).read(changing + 2 * minute)).kept;
  expect(isIssuedBy(known, authorities[0])).toBe(true);
  expect(known.authorities).toBe(changed.authorities);
  const after = (await one.read(changing + 2 * day)).kept;
  expect(after).toEqual({ ...known, authorities: authorities[0] });
  expect(await bundles('renewed')).toEqual([after.authorities, after.authorities]);
});

test('a configuration that lost its bundle, or is made later, gets it', async () => {
  const one = replica('later', ['later']);
  expect((await one.read(now)).problem).toBe('no webhook configuration has the name later');
  for (const { path, object } of configurationsOfNobody('later')) {
    await cluster.create(path, object);
  }
  const { kept, problem } = await one.read(now);
  expect(problem).toBe('');
  expect(await bundles('later')).toEqual([kept.authorities, kept.authorities]);
});

describe('a Secret', () => {
  const secret = (name: string, data: object): object => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, labels: { kept: 'yes' } },
    data,
  });

  test('that is empty is filled, and keeps its other fields', async () => {
    await cluster.create(secrets, secret('empty', { other: 'YQ==' }));
    const { kept } = await replica('empty').read(now);
    expect(isIssuedBy(kept, kept.authorities)).toBe(true);
    expect(await cluster.ask(`${secrets}/empty`)).toMatchObject({
      metadata: { labels: { kept: 'yes' } },
      data: { other: 'YQ==', 'tls.crt': expect.any(String), 'ca.key': expect.any(String) },
    });
  });

  test('with a certificate of someone else is left alone', async () => {
    const { kept } = await replica('own').read(now);
    const data = { 'tls.crt': Buffer.from(kept.certificate).toString('base64'), 'tls.key': '' };
    await cluster.create(secrets, secret('foreign', data));
    await expect(replica('foreign').read(now)).rejects.toThrow(
      'Secret default/foreign: contains a certificate without the key of its authority',
    );
    expect(await cluster.ask(`${secrets}/foreign`)).toMatchObject({ data });
  });
});

test('a webhook gets its certificate trusted, and repairs a configuration that loses it within a second', async () => {
  const webhook = await startWebhook(
    { 'policy.yaml': validatingPolicy('policy', 'false', { message: 'judged by the webhook' }) },
    [
      ...['--kubeconfig', cluster.kubeconfig, '--no-native-policies'],
      ...['--webhook-configuration', 'whole'],
    ],
    ['--certificate-secret', 'default/whole', '--dns-name', 'webhook.default.svc'],
  );
  try {
    expect((await webhook.read('/readyz?verbose')).text).toContain(
      '[!]certificate degraded: no webhook configuration has the name whole',
    );
    const configurations = webhookConfigurations('whole', webhook.port);
    for (const { path, object } of configurations) await cluster.create(path, object);
    const metadata = { name: 'settings' };
    const create = (): ReturnType<TestCluster['ask']> =>
      cluster.create('/api/v1/namespaces/default/configmaps', {
        ...{ apiVersion: 'v1', kind: 'ConfigMap', metadata },
      });
    await expect
      .poll(async () => (await create())['message'])
      .toMatch(/admission webhook "validate.kubeadmit.dev" denied the request: .*judged by/);
    expect((await webhook.read('/readyz?verbose')).text).toContain('[+]certificate ok');
    const patch = [{ op: 'remove', path: '/webhooks/0/clientConfig/caBundle' }];
    for (const { path } of configurations) {
      await cluster.client.ask(`${path}/whole`, {
        ...{ method: 'PATCH', contentType: 'application/json-patch+json' },
        body: JSON.stringify(patch),
      });
    }
    const began = performance.now();
    await expect.poll(() => bundles('whole'), { interval: 20 }).not.toContain('');
    expect(performance.now() - began).toBeLessThan(1_000);
  } finally {
    for (const { path } of webhookConfigurations('whole', 1)) {
      await cluster.client.ask(`${path}/whole`, { method: 'DELETE' });
    }
    await webhook.stop();
  }
});
