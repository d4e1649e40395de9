import { X509Certificate } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  bundleOf,
  certificatesIn,
  isCertificateFor,
  isDueForRenewal,
  makeAuthority,
  makeCertificate,
} from '../src/index.ts';

const now = Date.UTC(2026, 0, 1);
const day = 86_400_000;
const names = ['webhook.policies.svc', 'localhost', '127.0.0.1', '::1', 'fd00::a:1'];
const server = { type: 'server', commonName: 'webhook', names } as const;
const client = { type: 'client', user: 'alice', groups: ['developers', 'a,b=c'] } as const;
const authority = await makeAuthority('authority', { now });
const other = await makeAuthority('authority', { now });
const certificate = await makeCertificate(authority, server, { now });

test('an authority signs, and only itself', () => {
  const parsed = new X509Certificate(authority.certificate);
  expect(parsed.ca).toBe(true);
  expect(parsed.subject).toBe('CN=authority');
  expect(parsed.verify(parsed.publicKey)).toBe(true);
  const signed = new X509Certificate(certificate.certificate);
  expect(signed.ca).toBe(false);
  expect(signed.checkIssued(parsed) && signed.verify(parsed.publicKey)).toBe(true);
  expect(signed.verify(new X509Certificate(other.certificate).publicKey)).toBe(false);
});

test('a certificate of a server is for its names', () => {
  const parsed = new X509Certificate(certificate.certificate);
  expect(parsed.checkHost('webhook.policies.svc')).toBe('webhook.policies.svc');
  expect(parsed.checkIP('127.0.0.1')).toBe('127.0.0.1');
  expect(parsed.checkIP('::1')).toBe('::1');
  expect(parsed.checkHost('other.svc')).toBeUndefined();
});

test('a certificate of a client has its user and groups, whatever is in them', async () => {
  const { certificate: text } = await makeCertificate(authority, client, { now });
  expect(new X509Certificate(text).subject.split('\n').sort()).toEqual([
    'CN=alice',
    'O=a\\,b=c',
    'O=developers',
  ]);
});

test.each([
  ['the names that it has', authority, names, true],
  ['some of them, in other letters', authority, ['LOCALHOST', '::1'], true],
  ['a name that it lacks', authority, ['localhost', 'other.svc'], false],
  ['another authority of the same name', other, ['localhost'], false],
] as const)('is for %s: %#', async (_, issuer, wanted, expected) => {
  const answer = await isCertificateFor(certificate.certificate, issuer.certificate, wanted);
  expect(answer).toBe(expected);
});

test.each([
  ['new', 0, false],
  ['after two thirds less a day', 242, false],
  ['after two thirds', 244, true],
  ['when it has ended', 400, true],
])('is due for renewal: %s', (_, days, expected) => {
  expect(isDueForRenewal(certificate.certificate, now + days * day)).toBe(expected);
});

test('holds as long as asked', async () => {
  const short = await makeCertificate(authority, server, { now, days: 0.5 });
  expect(Date.parse(new X509Certificate(short.certificate).validTo)).toBe(now + day / 2);
});

test('a bundle has each certificate once and nothing else', () => {
  const text = `comment\n${authority.certificate}\n\n${other.certificate.trim()}`;
  expect(certificatesIn(text)).toHaveLength(2);
  const bundle = bundleOf([text, authority.certificate, 'nothing']);
  expect(certificatesIn(bundle)).toEqual(certificatesIn(text));
  expect(bundleOf([bundle])).toBe(bundle);
});
