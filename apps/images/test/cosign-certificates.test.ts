import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SignatureCheck } from '@kubeadmit/kyverno';
import {
  LayoutWriter,
  makeKeys,
  type SignatureOptions,
  signatureLayer,
  storeLayers,
  withFolder,
} from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { ImageLayout, makeImageVerifier } from '../src/index.ts';
import { anyCheck } from './checks.ts';
import {
  type Issued,
  type LeafOptions,
  signedAt,
  TestAuthority,
  TestLog,
} from './test-sigstore.ts';

const repository = 'registry.example/team/app';
const image = `${repository}:1.0`;
const log = new TestLog();
const timestampLog = makeKeys();
const authority = await TestAuthority.create();
const stranger = await TestAuthority.create();
const servers = await TestAuthority.create('CN=servers', '1.3.6.1.5.5.7.3.1');
const hostile = '-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n';
const unusable = `no matching signatures: cert verification failed: x509: certificate specifies an incompatible key usage. Check your TUF root (see cosign initialize) or set a custom root with env var SIGSTORE_ROOT_FILE`;
const unmatchedKey =
  'no matching signatures: error verifying bundle: both public key and certificate were provided but did not match';
const email = 'dev@example.com';
const untrusted =
  'no matching signatures: cert verification failed: x509: certificate signed by unknown authority (possibly because of "x509: ECDSA verification failure" while trying to verify candidate authority certificate "test root"). Check your TUF root (see cosign initialize) or set a custom root with env var SIGSTORE_ROOT_FILE';

interface Case {
  readonly name: string;
  readonly leaf?: LeafOptions;
  readonly by?: TestAuthority;
  readonly signature?: SignatureOptions;
  readonly check?: Partial<SignatureCheck> | ((issued: Issued) => Partial<SignatureCheck>);
  readonly withoutEntry?: boolean;
  readonly otherLog?: boolean;
  /** When the signature is verified, in milliseconds; default that of the signature. */
  readonly now?: number;
  readonly error?: string;
  readonly isUnavailable?: boolean;
}

const keyless = { roots: authority.root, ignoresLog: false, logKey: log.keys.pem };
const year = 365 * 86_400_000;

const cases: readonly Case[] = [
  { name: 'accepts a certificate of the roots with a log entry', check: keyless },
  {
    name: 'accepts a log entry after the certificate has expired',
    check: keyless,
    now: signedAt.getTime() + year,
  },
  {
    name: 'accepts the subject and the issuer with wildcards',
    check: { ...keyless, subject: '*@example.com', issuer: 'https://issuer.*' },
  },
  {
    name: 'accepts regular expressions',
    check: { ...keyless, subjectRegExp: '^dev@', issuerRegExp: 'issuer\\.example$' },
  },
  {
    name: 'rejects another subject',
    check: { ...keyless, subject: 'ops@example.com' },
    error: `subject mismatch: expected ops@example.com, received ${email}`,
  },
  {
    name: 'rejects another subject where the certificate has only an address',
    leaf: { email: undefined, address: '10.0.0.1' },
    check: { ...keyless, subject: email },
    error: `subject mismatch: expected ${email}, received 10.0.0.1`,
  },
  {
    name: 'reads IPv6 addresses',
    leaf: { email: undefined, address: '2001:db8::1' },
    check: { ...keyless, subject: '2001:db8::1' },
  },
  {
    name: 'accepts a name of the type of Fulcio',
    leaf: { otherName: 'robot' },
    check: { ...keyless, subject: 'robot' },
  },
  {
    name: 'rejects another name of the type of Fulcio',
    leaf: { otherName: 'robot' },
    check: { ...keyless, subject: email },
    error: `subject mismatch: expected ${email}, received robot`,
  },
  {
    name: 'accepts a certificate without names for any subject, as Kyverno does',
    leaf: { email: undefined },
    check: { ...keyless, subject: email },
  },
  {
    name: 'rejects a certificate of an authority for servers',
    by: servers,
    check: { ...keyless, roots: servers.root },
    error: unusable,
  },
  {
    name: 'rejects a certificate that is empty',
    signature: { annotations: { 'dev.sigstore.cosign/certificate': hostile } },
    check: { roots: authority.root },
    error:
      'no matching signatures: failed to unmarshal certificate from PEM format: invalid certificate',
  },
  {
    name: 'rejects a root that is empty',
    check: { roots: hostile },
    error: 'failed to unmarshal certificate from PEM format: invalid certificate',
  },
  {
    name: 'rejects a key of the log that cannot be read',
    check: { ...keyless, logKey: '-----BEGIN PUBLIC KEY-----\nAA==\n-----END PUBLIC KEY-----' },
    error: 'no matching signatures: failed to load public key of the transparency log: invalid key',
  },
  {
    name: 'accepts a certificate with the key of the attestor',
    check: ({ pem }) => ({ ...keyless, key: pem }),
  },
  {
    name: 'rejects a certificate with another key than that of the attestor',
    check: { ...keyless, key: makeKeys().pem },
    error: unmatchedKey,
  },
  {
    name: 'rejects another issuer',
    check: { ...keyless, subject: email, issuer: 'https://other.example' },
    error: 'issuer mismatch: expected https://other.example, received https://issuer.example',
  },
  {
    name: 'rejects a certificate of another authority',
    check: { ...keyless, roots: stranger.root },
    error: untrusted,
  },
  {
    name: 'rejects a certificate for servers',
    leaf: { usage: '1.3.6.1.5.5.7.3.1' },
    check: keyless,
    error: untrusted.replace(
      / certificate signed by .*"\)/,
      ' certificate specifies an incompatible key usage',
    ),
  },
  {
    name: 'rejects a certificate that had expired when the log received the entry',
    leaf: { notAfter: new Date(signedAt.getTime() - 1000) },
    check: keyless,
    error:
      'no matching signatures: checking expiry on certificate with bundle: certificate expired before observed time: 2030-01-01T11:59:59Z is before 2030-01-01T12:00:00Z',
  },
  {
    name: 'rejects an expired certificate without a log entry',
    check: { roots: authority.root },
    now: signedAt.getTime() + year,
    error: 'no matching signatures: expected a signed timestamp to verify an expired certificate',
  },
  {
    name: 'accepts a certificate that is valid now without a log entry',
    check: { roots: authority.root },
  },
  {
    name: 'rejects a signature without a log entry',
    check: keyless,
    withoutEntry: true,
    error: 'no matching signatures: signature not found in transparency log',
  },
  {
    name: 'rejects the entry of another log',
    check: keyless,
    otherLog: true,
    error:
      'no matching signatures: error verifying bundle: verifying bundle: rekor log public key not found for payload',
  },
  {
    name: 'rejects a payload that was changed after signing',
    signature: { tamper: (payload) => payload.replace('container', 'other') },
    check: { roots: authority.root },
    error: 'no matching signatures: invalid signature when validating ASN.1 encoded signature',
  },
  {
    name: 'requires a trust root without a key of the log',
    check: { ...keyless, logKey: '' },
    error: 'no trusted transparency log; pass the trust root of Sigstore with --trusted-root FILE',
    isUnavailable: true,
  },
  {
    name: 'requires a timestamp of the certificate unless it is ignored',
    check: { ...keyless, ignoresTimestamp: false, timestampKey: log.keys.pem },
    error:
      'no matching signatures: certificate does not include required embedded SCT and no detached SCT was set',
  },
  {
    name: 'accepts a certificate with the timestamp of a trusted log',
    leaf: { timestampLog },
    check: { ...keyless, ignoresTimestamp: false, timestampKey: timestampLog.pem },
  },
  {
    name: 'rejects a certificate with the timestamp of another log',
    leaf: { timestampLog: makeKeys() },
    check: { ...keyless, ignoresTimestamp: false, timestampKey: timestampLog.pem },
    error:
      'no matching signatures: ctfe public key not found for payload. Check your TUF root (see cosign initialize) or set a custom key with env var SIGSTORE_CT_LOG_PUBLIC_KEY_FILE',
  },
  {
    name: 'accepts the certificate of an attestor',
    check: ({ certificate }) => ({ certificate }),
  },
  {
    name: 'requires a timestamp in the certificate of an attestor with its chain, as Kyverno does',
    check: ({ certificate }) => ({ certificate, certificateChain: authority.root }),
    error:
      'failed to load validate certificate chain: certificate does not include required embedded SCT and no detached SCT was set',
  },
  {
    name: 'has no key for the timestamp in the certificate of an attestor, as Kyverno',
    leaf: { timestampLog },
    check: ({ certificate }) => ({ certificate, certificateChain: authority.root }),
    error: 'failed to load validate certificate chain: none of the CTFE keys have been found',
  },
  {
    name: 'rejects the certificate of an attestor with the chain of another authority',
    check: ({ certificate }) => ({ certificate, certificateChain: stranger.root }),
    error: untrusted.replace('no matching signatures', 'failed to load validate certificate chain'),
  },
  {
    name: 'refuses timestamps of authorities by name',
    check: { ...keyless, timestampChain: authority.root },
    error: 'timestamps of authorities (tsaCertChain) are not supported',
  },
];

test.each(cases)(
  '$name',
  ({ leaf, by = authority, signature, check = {}, now = signedAt.getTime(), ...expected }) =>
    withFolder(async (folder) => {
      const issued = await by.issue({ email, ...leaf });
      const layout = new LayoutWriter(folder);
      const { digest } = layout.image(image);
      const annotations = { 'dev.sigstore.cosign/certificate': issued.certificate };
      const layer = signatureLayer(layout, digest, issued, { annotations, ...signature });
      const payload = readFileSync(join(folder, 'blobs', 'sha256', layer.digest.slice(7)));
      const usedLog = expected.otherLog === true ? new TestLog() : log;
      const logged = usedLog.addTo(layer, payload, issued.certificate, 'hashedrekord');
      storeLayers(layout, repository, digest, [expected.withoutEntry === true ? layer : logged]);
      const verifier = makeImageVerifier({ registry: new ImageLayout(folder), clock: () => now });
      const own = typeof check === 'function' ? check(issued) : check;
      const answer = verifier.verifySignature({ ...anyCheck(image), ...own });
      const { error, isUnavailable = false } = expected;
      expect(answer).toEqual(error === undefined ? { digest } : { error, isUnavailable });
    }),
);

test('accepts a signature by a key with an entry of a transparency log', () =>
  withFolder((folder) => {
    const keys = makeKeys();
    const layout = new LayoutWriter(folder);
    const { digest } = layout.image(image);
    const layer = signatureLayer(layout, digest, keys);
    const payload = readFileSync(join(folder, 'blobs', 'sha256', layer.digest.slice(7)));
    storeLayers(layout, repository, digest, [log.addTo(layer, payload, keys.pem, 'hashedrekord')]);
    const verifier = makeImageVerifier({ registry: new ImageLayout(folder), clock: () => 0 });
    const check = { ...anyCheck(image), key: keys.pem, ignoresLog: false, logKey: log.keys.pem };
    expect(verifier.verifySignature(check)).toEqual({ digest });
  }));

test('accepts a signature that refers to the image', () =>
  withFolder((folder) => {
    const keys = makeKeys();
    const layout = new LayoutWriter(folder);
    const { digest } = layout.image(image);
    const artifactType = 'application/vnd.dev.cosign.artifact.sig.v1+json';
    const layer = signatureLayer(layout, digest, keys);
    const referrer = layout.manifest(`${repository}:signature`, [layer], { artifactType });
    const list = `${repository}:${digest.replace(':', '-')}`;
    layout.index(list, [{ ...referrer, artifactType }]);
    const verifier = makeImageVerifier({ registry: new ImageLayout(folder), clock: () => 0 });
    const check = { ...anyCheck(image), key: keys.pem };
    expect(verifier.verifySignature({ ...check, usesReferrers: true })).toEqual({ digest });
    expect(verifier.verifySignature(check)).toEqual({
      error: 'no signatures found',
      isUnavailable: false,
    });
  }));
