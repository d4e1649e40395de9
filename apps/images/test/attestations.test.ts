import type { SignatureCheck } from '@kubeadmit/kyverno';
import {
  LayoutWriter,
  makeKeys,
  type SigningKeys,
  storeLayers,
  withFolder,
} from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { ImageLayout, makeImageVerifier } from '../src/index.ts';
import { anyCheck } from './checks.ts';
import { envelopeOf, signedAt, statementAbout, TestAuthority } from './test-sigstore.ts';

const repository = 'registry.example/team/app';
const image = `${repository}:1.0`;
const predicateType = 'https://example.com/scan';
const predicate = { severity: 'low' };
const keys = makeKeys();
const authority = await TestAuthority.create();

/** The deviations of an attestation from a valid one. */
interface Attested {
  /** The digest of the statement's subject; default that of the image. */
  readonly subject?: string;
  readonly signer?: SigningKeys;
  readonly tamper?: (statement: string) => string;
}

interface Case extends Attested {
  readonly name: string;
  readonly check?: Partial<SignatureCheck>;
  readonly error?: string;
}

const cases: readonly Case[] = [
  { name: 'returns the statement of a signed attestation' },
  {
    name: 'rejects an attestation by another key',
    signer: makeKeys(),
    error: 'accepted signatures do not match threshold, Found: 0, Expected 1',
  },
  {
    name: 'rejects a statement about another image',
    subject: `sha256:${'0'.repeat(64)}`,
    error: 'no matching subject digest found',
  },
  {
    name: 'rejects a statement that was changed after signing',
    tamper: (statement) => statement.replace('low', 'none'),
    error: 'accepted signatures do not match threshold, Found: 0, Expected 1',
  },
];

function attest(digest: string, { subject = digest, signer = keys, tamper }: Attested) {
  const statement = statementAbout(subject, predicateType, predicate);
  const envelope = envelopeOf(statement, signer);
  if (tamper === undefined) return envelope;
  return { ...envelope, payload: Buffer.from(tamper(statement)).toString('base64') };
}

const statement = (digest: string) => ({
  ...JSON.parse(statementAbout(digest, predicateType, predicate)),
  type: predicateType,
});

test.each(cases)('$name in a tag of cosign', ({ check, error, ...attested }) =>
  withFolder((folder) => {
    const layout = new LayoutWriter(folder);
    const { digest } = layout.image(image);
    const blob = layout.blob(
      JSON.stringify(attest(digest, attested)),
      'application/vnd.dsse.envelope.v1+json',
    );
    const layer = { ...blob, annotations: { 'dev.cosignproject.cosign/signature': '' } };
    storeLayers(layout, repository, digest, [layer], 'att');
    const verifier = makeImageVerifier({ registry: new ImageLayout(folder), clock: () => 0 });
    const answer = verifier.fetchAttestations({
      ...anyCheck(image),
      key: keys.pem,
      predicateType,
      ...check,
    });
    expect(answer).toEqual(
      error === undefined
        ? { digest: '', statements: [statement(digest)] }
        : { error: `no matching attestations: ${error}`, isUnavailable: false },
    );
  }),
);

/** Stores a Sigstore bundle as a referrer of an image. */
function storeBundle(
  layout: LayoutWriter,
  subject: ReturnType<LayoutWriter['image']>,
  material: Record<string, unknown>,
  dsseEnvelope: unknown,
): void {
  const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
  const bundle = {
    mediaType,
    verificationMaterial: { tlogEntries: [], ...material },
    dsseEnvelope,
  };
  const layer = layout.blob(JSON.stringify(bundle), mediaType);
  const referrer = layout.manifest(`${repository}:bundle`, [layer], {
    artifactType: mediaType,
    subject,
  });
  layout.index(`${repository}:${subject.digest.replace(':', '-')}`, [
    { ...referrer, artifactType: mediaType },
  ]);
}

const unmatched = 'sigstore bundle verification failed: no matching signatures found';

test.each(cases)('$name in a bundle', ({ check, error, ...attested }) =>
  withFolder((folder) => {
    const layout = new LayoutWriter(folder);
    const written = layout.image(image);
    const { digest } = written;
    storeBundle(layout, written, { publicKey: { hint: 'key' } }, attest(digest, attested));
    const verifier = makeImageVerifier({ registry: new ImageLayout(folder), clock: () => 0 });
    const type = 'SigstoreBundle' as const;
    const answer = verifier.fetchAttestations({
      ...anyCheck(image),
      type,
      key: keys.pem,
      predicateType,
      ...check,
    });
    expect(answer).toEqual(
      error === undefined
        ? { digest, statements: [statement(digest)] }
        : { error: unmatched, isUnavailable: false },
    );
  }),
);

test('refuses bundles where the log is required but its times are not, as sigstore-go does', () =>
  withFolder(async (folder) => {
    const layout = new LayoutWriter(folder);
    const written = layout.image(image);
    storeBundle(layout, written, { publicKey: { hint: 'key' } }, attest(written.digest, {}));
    const { readTrustRoot } = await import('../src/index.ts');
    const trustRoot = readTrustRoot(trustRootOf(authority.root));
    const verifier = makeImageVerifier({
      registry: new ImageLayout(folder),
      trustRoot,
      clock: () => 0,
    });
    const type = 'SigstoreBundle' as const;
    const check = { ...anyCheck(image), type, key: keys.pem, ignoresLog: false };
    expect(verifier.verifySignature(check)).toEqual({
      error: `failed to get verify bundles: ${image}: when initializing a new Verifier, you must specify at least one of WithObserverTimestamps(), WithSignedTimestamps(), WithIntegratedTimestamps() or WithCurrentTime(), or exclusively specify WithNoObserverTimestamps()`,
      isUnavailable: false,
    });
  }));

/** A trust root with the test's authority alone. */
function trustRootOf(root: string) {
  const rawBytes = root.replaceAll(/-----[^-]+-----|\s/g, '');
  return JSON.stringify({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [],
    ctlogs: [],
    timestampAuthorities: [],
    certificateAuthorities: [
      {
        subject: { organization: 'test', commonName: 'test' },
        uri: 'https://fulcio.example',
        certChain: { certificates: [{ rawBytes }] },
        validFor: { start: '2029-01-01T00:00:00Z' },
      },
    ],
  });
}

const email = 'dev@example.com';
const issuer = 'https://issuer.example';

test.each([
  { name: 'accepts a bundle with the expected identity', identity: { subject: email, issuer } },
  {
    name: 'rejects a bundle with another subject',
    identity: { subject: 'ops@example.com', issuer },
    error: unmatched,
  },
  {
    name: 'rejects a bundle without an issuer to expect',
    identity: { subject: email },
    error: unmatched,
  },
  {
    name: 'requires a timestamp in a bundle unless it is ignored',
    identity: { subject: email, issuer, ignoresTimestamp: false },
    error: unmatched,
  },
  {
    name: 'rejects a bundle whose certificate is empty',
    identity: { subject: email, issuer },
    written: 'MAA=',
    error: unmatched,
  },
  {
    name: 'rejects a bundle whose certificate has expired',
    identity: { subject: email, issuer },
    now: signedAt.getTime() + 3_600_000,
    error: unmatched,
  },
])('$name', ({ identity, written: given, now = signedAt.getTime(), error }) =>
  withFolder(async (folder) => {
    const issued = await authority.issue({ email, issuer });
    const layout = new LayoutWriter(folder);
    const written = layout.image(image);
    const { digest } = written;
    const rawBytes = given ?? issued.certificate.replaceAll(/-----[^-]+-----|\s/g, '');
    storeBundle(layout, written, { certificate: { rawBytes } }, attest(digest, { signer: issued }));
    const { readTrustRoot } = await import('../src/index.ts');
    const trustRoot = readTrustRoot(trustRootOf(authority.root));
    const registry = new ImageLayout(folder);
    const verifier = makeImageVerifier({ registry, trustRoot, clock: () => now });
    const type = 'SigstoreBundle' as const;
    const answer = verifier.verifySignature({ ...anyCheck(image), type, ...identity });
    expect(answer).toEqual(error === undefined ? { digest } : { error, isUnavailable: false });
  }),
);
