import { X509Certificate } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { connect } from 'node:tls';
import { makeAuthority, makeCertificate } from '@kubeadmit/certificates';
import { folderUntil } from '@kubeadmit/test-support';
import { afterAll, describe, expect, test } from 'vitest';
import { folderCertificate } from '../src/certificates/folder-certificate.ts';
import { refusalOf, renewalOf } from '../src/certificates/pair.ts';
import { validatingPolicy } from './harness/policies.ts';
import { configMapReview } from './harness/reviews.ts';
import { startWebhook } from './harness/webhook.ts';

const folder = folderUntil(afterAll);
const now = Date.now();
const day = 86_400_000;
const server = {
  type: 'server',
  commonName: 'webhook',
  names: ['localhost', '127.0.0.1'],
} as const;
const policies = { 'policy.yaml': validatingPolicy('policy', 'true') };

/** The serial number of the certificate that a port shows. */
function shownSerial(port: number): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port, rejectUnauthorized: false }, () => {
      resolve(socket.getPeerCertificate().serialNumber);
      socket.destroy();
    });
    socket.once('error', reject);
  });
}

function serialOf(pem: string): string {
  return new X509Certificate(pem).serialNumber;
}

test('reports why clients refuse a certificate', async () => {
  const { certificate } = await folderCertificate(join(folder, 'told'), ['webhook.svc'], now);
  const names = ['webhook.svc'];
  expect(refusalOf(certificate, names, now)).toBe('');
  expect(refusalOf(certificate, names, now + 400 * day)).toMatch(/^the certificate expired on /);
  expect(refusalOf(certificate, names, now - 400 * day)).toMatch(
    /is not valid before .*; check the clock/,
  );
  expect(refusalOf(certificate, ['other.svc'], now)).toMatch(
    /not valid for `other\.svc`, only for DNS:/,
  );
});

test('reports that a certificate expires soon', async () => {
  const { certificate } = await folderCertificate(join(folder, 'soon'), ['webhook.svc'], now);
  const { validFrom, validTo } = new X509Certificate(certificate);
  const end = Date.parse(validTo);
  const tenth = (end - Date.parse(validFrom)) / 10;
  expect(renewalOf(certificate, end - tenth)).toBe('');
  expect(renewalOf(certificate, end - tenth + 1)).toBe(
    `the certificate expires on ${validTo}; renew it`,
  );
});

describe('an own certificate', () => {
  const own = join(folder, 'own');

  test('is made once, for all names, and verified by its authority', async () => {
    const made = await folderCertificate(own, ['webhook.policies.svc'], now);
    const kept = await folderCertificate(own, ['webhook.policies.svc'], now + day);
    const certificate = new X509Certificate(made.certificate);
    expect(kept.certificate).toBe(made.certificate);
    expect(certificate.verify(new X509Certificate(made.authorities).publicKey)).toBe(true);
    expect(
      ['webhook.policies.svc', 'localhost'].map((name) => certificate.checkHost(name)),
    ).toEqual(['webhook.policies.svc', 'localhost']);
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1');
    expect(certificate.ca).toBe(false);
  });

  test('is replaced for another name', async () => {
    const before = readFileSync(join(own, 'tls.crt'), 'utf8');
    const { certificate, authorities } = await folderCertificate(own, ['other.svc'], now);
    expect(certificate).not.toBe(before);
    expect(
      new X509Certificate(certificate).verify(new X509Certificate(authorities).publicKey),
    ).toBe(true);
  });

  test('is renewed by the same authority when a third of its life is left', async () => {
    const before = await folderCertificate(own, ['other.svc'], now);
    const early = await folderCertificate(own, ['other.svc'], now + 240 * day);
    const renewed = await folderCertificate(own, ['other.svc'], now + 250 * day);
    expect(early.certificate).toBe(before.certificate);
    expect(renewed.certificate).not.toBe(before.certificate);
    expect(renewed.authorities).toBe(before.authorities);
  });

  test('keeps the names of another replica, so that neither replaces it again', async () => {
    const shared = join(folder, 'shared');
    await folderCertificate(shared, ['one.svc', '10.0.0.1', 'fd00::1'], now);
    const both = await folderCertificate(shared, ['two.svc'], now);
    const again = await folderCertificate(shared, ['one.svc', '10.0.0.1', 'fd00::1'], now);
    expect(again.certificate).toBe(both.certificate);
    const renewed = await folderCertificate(shared, ['two.svc'], now + 250 * day);
    expect(new X509Certificate(renewed.certificate).checkHost('one.svc')).toBeUndefined();
  });

  test('is made once by replicas that start at the same time', async () => {
    const shared = join(folder, 'started');
    const starts = Array.from({ length: 6 }, () => folderCertificate(shared, ['one.svc'], now));
    const made = await Promise.all(starts);
    expect(new Set(made.map(({ certificate }) => certificate)).size).toBe(1);
    expect(new Set(made.map(({ authorities }) => authorities)).size).toBe(1);
    expect(readdirSync(shared).sort()).toEqual(['ca.crt', 'ca.key', 'tls.crt', 'tls.key']);
  });

  test('is made although a process was killed while it held the lock', async () => {
    const shared = join(folder, 'killed');
    mkdirSync(shared);
    writeFileSync(join(shared, '.lock'), '');
    utimesSync(join(shared, '.lock'), now / 1000 - 60, now / 1000 - 60);
    const { certificate } = await folderCertificate(shared, ['one.svc'], now);
    expect(certificate).toContain('BEGIN CERTIFICATE');
  });

  test('has another authority when the key of the authority is that of another', async () => {
    const shared = join(folder, 'cut-short');
    const before = await folderCertificate(shared, ['one.svc'], now);
    const other = await makeAuthority('other', { now });
    writeFileSync(join(shared, 'ca.key'), other.key);
    const { authorities, certificate } = await folderCertificate(shared, ['two.svc'], now);
    expect(authorities.endsWith(before.authorities)).toBe(true);
    const [newest = ''] = authorities.split(/(?<=END CERTIFICATE-----)/);
    expect(new X509Certificate(certificate).checkIssued(new X509Certificate(newest))).toBe(true);
  });

  test('has both authorities while the authority changes', async () => {
    const before = await folderCertificate(own, ['other.svc'], now);
    const changed = await folderCertificate(own, ['other.svc'], now + 2500 * day);
    const authorities = changed.authorities.match(/-----BEGIN[\s\S]*?END CERTIFICATE-----/g) ?? [];
    expect(authorities).toHaveLength(2);
    expect(
      new X509Certificate(changed.certificate).checkIssued(
        new X509Certificate(authorities[0] ?? ''),
      ),
    ).toBe(true);
    expect(serialOf(authorities[1] ?? '')).toBe(serialOf(before.authorities));
  });
});

describe('a certificate from files', () => {
  test('is read again when it changes, and is kept if the key does not fit', async () => {
    const files = join(folder, 'files');
    mkdirSync(files);
    const authority = await makeAuthority('test', { now });
    const [first, second] = [
      await makeCertificate(authority, server, { now }),
      await makeCertificate(authority, server, { now }),
    ];
    const [certificateFile, keyFile] = [join(files, 'tls.crt'), join(files, 'tls.key')];
    writeFileSync(certificateFile, first.certificate);
    writeFileSync(keyFile, first.key);
    const webhook = await startWebhook(
      policies,
      [],
      ['--tls-cert', certificateFile, '--tls-key', keyFile],
    );
    try {
      expect(await shownSerial(webhook.port)).toBe(serialOf(first.certificate));
      writeFileSync(certificateFile, second.certificate);
      await expect
        .poll(async () => (await webhook.read('/readyz?verbose')).text)
        .toContain('[!]certificate degraded: ');
      expect(await shownSerial(webhook.port)).toBe(serialOf(first.certificate));
      writeFileSync(keyFile, second.key);
      await expect.poll(() => shownSerial(webhook.port)).toBe(serialOf(second.certificate));
      expect((await webhook.read('/readyz?verbose')).text).toContain('[+]certificate ok');
    } finally {
      await webhook.stop();
    }
  });
});

test('with an authority of clients, others are not answered', async () => {
  const [authority, stranger] = [
    await makeAuthority('test', { now }),
    await makeAuthority('test', { now }),
  ];
  const file = join(folder, 'clients.crt');
  writeFileSync(file, authority.certificate);
  const webhook = await startWebhook(policies, ['--client-ca', file]);
  try {
    const clientOf = async (issuer: typeof authority) => {
      const subject = { type: 'client', user: 'kube-apiserver', groups: [] } as const;
      const { certificate, key } = await makeCertificate(issuer, subject, { now });
      return { cert: certificate, key };
    };
    const ask = async (client?: {
      readonly cert: string;
      readonly key: string;
    }): Promise<number> => {
      const options = client === undefined ? {} : { client };
      return (await webhook.ask('/validate', configMapReview(), options)).code;
    };
    await expect(ask()).rejects.toThrow();
    await expect(ask(await clientOf(stranger))).rejects.toThrow();
    expect(await ask(await clientOf(authority))).toBe(200);
  } finally {
    await webhook.stop();
  }
});

test('TLS older than 1.2 is refused', async () => {
  const webhook = await startWebhook(policies);
  try {
    const old = new Promise((resolve, reject) => {
      const socket = connect({
        host: '127.0.0.1',
        port: webhook.port,
        rejectUnauthorized: false,
        maxVersion: 'TLSv1.1',
        minVersion: 'TLSv1',
        ciphers: 'DEFAULT@SECLEVEL=0',
      });
      socket.once('secureConnect', resolve);
      socket.once('error', reject);
    });
    await expect(old).rejects.toThrow();
  } finally {
    await webhook.stop();
  }
});

test('a certificate for an address is right for that address', async () => {
  const authority = await makeAuthority('test', { now });
  const names = ['127.0.0.1'];
  const { certificate } = await makeCertificate(authority, { ...server, names }, { now });
  expect(refusalOf(certificate, ['127.0.0.1'], now)).toBe('');
  expect(refusalOf(certificate, ['127.0.0.2'], now)).toBe(
    'the certificate is not valid for `127.0.0.2`, only for IP Address:127.0.0.1',
  );
});
