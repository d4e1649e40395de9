import type { CosignCheck, CosignLog, CosignSigner } from '@kubeadmit/kyverno';
import {
  LayoutWriter,
  makeKeys,
  type SignatureOptions,
  type SigningKeys,
  signatureLayer,
  storeLayers,
  withFolder,
} from '@kubeadmit/test-support';
import { expect, test } from 'vitest';
import { ImageLayout, makeImageVerifier, readTrustRoot } from '../src/index.ts';
import {
  envelopeOf,
  type Issued,
  signedAt,
  statementAbout,
  TestAuthority,
  TestLog,
  trustRootOf,
} from './test-sigstore.ts';

const repository = 'registry.example/team/app';
const image = `${repository}:1.0`;
const predicateType = 'https://example.com/scan';
const keys = makeKeys();
const authority = await TestAuthority.create();
const stranger = await TestAuthority.create('CN=other root');
const log = new TestLog();
const timestampLog = makeKeys();
const trustedRoot = trustRootOf({ root: authority.root, log: log.keys, timestampLog });

const plainLog: CosignLog = {
  url: 'https://rekor.example',
  logKey: '',
  timestampKey: '',
  timestampChain: '',
  ignoresLog: false,
  ignoresTimestamp: false,
};
const ignored = { ...plainLog, ignoresLog: true, ignoresTimestamp: true };
const withoutTimestamp = { ...plainLog, ignoresTimestamp: true };

function keySigner(pem: string): CosignSigner {
  return { kind: 'key', pem, kms: '', hashAlgorithm: '' };
}

const anyone = { issuer: '', issuerRegExp: '', subject: '', subjectRegExp: '' };
const expected = { ...anyone, issuer: 'https://issuer.example', subject: 'dev@example.com' };
const keyless = (...identities: readonly (typeof anyone)[]): CosignSigner => ({
  kind: 'keyless',
  identities,
});

interface Case {
  readonly name: string;
  readonly signer: CosignSigner | ((issued: Issued) => CosignSigner);
  readonly log?: CosignLog;
  readonly check?: Partial<CosignCheck>;
  readonly by?: SigningKeys;
  /** Whether the image is signed with a certificate and an entry in the log. */
  readonly hasCertificate?: boolean;
  readonly withoutEntry?: boolean;
  readonly withoutTimestamp?: boolean;
  readonly authority?: TestAuthority;
  readonly signature?: SignatureOptions;
  readonly withoutRoot?: boolean;
  readonly error?: string;
  readonly isUnavailable?: boolean;
}

// The verdicts are those of Kyverno 1.19.1 (`kyverno test` with a registry and a TUF repository on the loopback address).
const cases: readonly Case[] = [
  { name: 'accepts a signature by a key', signer: keySigner(keys.pem), log: ignored },
  {
    name: 'needs no trust root for a key whose log is ignored',
    signer: keySigner(keys.pem),
    log: ignored,
    withoutRoot: true,
  },
  {
    name: 'rejects a signature by another key',
    signer: keySigner(makeKeys().pem),
    log: ignored,
    error: 'no matching signatures',
  },
  {
    name: 'rejects a payload that was changed after signing',
    signer: keySigner(keys.pem),
    log: ignored,
    signature: { tamper: (text) => text.replace('container', 'c0ntainer') },
    error: 'no matching signatures',
  },
  {
    name: 'rejects a signature about another digest',
    signer: keySigner(keys.pem),
    log: ignored,
    signature: { claimed: `sha256:${'0'.repeat(64)}` },
    error: 'invalid or missing digest in claim',
  },
  {
    name: 'requires an entry in a log unless it is ignored',
    signer: keySigner(keys.pem),
    error: 'signature not found in transparency log',
  },
  {
    name: 'requires the address of the log in its settings',
    signer: keySigner(keys.pem),
    log: { ...plainLog, url: '' },
    error: 'rekor URL must be provided',
  },
  {
    name: 'compares annotations with those of the layer',
    signer: keySigner(keys.pem),
    log: ignored,
    check: { annotations: { team: 'a' } },
    signature: { annotations: { team: 'a' } },
  },
  {
    name: 'rejects other annotations',
    signer: keySigner(keys.pem),
    log: ignored,
    check: { annotations: { team: 'a' } },
    signature: { optional: { team: 'a' } },
    error: 'no signature matched the required annotations',
  },
  {
    name: 'refuses keys in key management systems by name',
    signer: { kind: 'key', pem: '', kms: 'awskms:///a', hashAlgorithm: '' },
    log: ignored,
    error: 'keys in key management systems are not supported',
    isUnavailable: true,
  },
  {
    name: 'accepts the key of a certificate',
    signer: ({ certificate }) => ({ kind: 'certificate', certificate, chain: '' }),
    log: ignored,
    hasCertificate: true,
  },
  {
    name: 'accepts a certificate of a chain',
    signer: ({ certificate }) => ({ kind: 'certificate', certificate, chain: authority.root }),
    log: ignored,
    hasCertificate: true,
  },
  {
    name: 'rejects a certificate of another chain',
    signer: ({ certificate }) => ({ kind: 'certificate', certificate, chain: stranger.root }),
    log: ignored,
    hasCertificate: true,
    error: 'x509: certificate signed by unknown authority',
  },
  { name: 'accepts a keyless signature', signer: keyless(expected), hasCertificate: true },
  {
    name: 'accepts one of several identities',
    signer: keyless({ ...expected, subject: 'ops@example.com' }, expected),
    hasCertificate: true,
  },
  {
    name: 'accepts regular expressions of the identity',
    signer: keyless({ ...anyone, issuerRegExp: 'issuer', subjectRegExp: '^dev@' }),
    hasCertificate: true,
  },
  {
    name: 'rejects another subject',
    signer: keyless({ ...expected, subject: 'ops@example.com' }),
    hasCertificate: true,
    error: 'none of the expected identities matched',
  },
  {
    name: 'reads no wildcards in identities',
    signer: keyless({ ...expected, subject: '*@example.com' }),
    hasCertificate: true,
    error: 'none of the expected identities matched',
  },
  {
    name: 'rejects a certificate of another authority',
    signer: keyless(expected),
    hasCertificate: true,
    authority: stranger,
    error: 'certificate signed by unknown authority',
  },
  {
    name: 'requires a timestamp of a trusted log in the certificate',
    signer: keyless(expected),
    hasCertificate: true,
    withoutTimestamp: true,
    error: 'certificate does not include required embedded SCT',
  },
  {
    name: 'ignores the timestamp in the certificate if the policy says so',
    signer: keyless(expected),
    log: withoutTimestamp,
    hasCertificate: true,
    withoutTimestamp: true,
  },
  {
    name: 'rejects a keyless signature without an entry in the log',
    signer: keyless(expected),
    hasCertificate: true,
    withoutEntry: true,
    error: 'signature not found in transparency log',
  },
  {
    name: 'names the option for a missing trust root',
    signer: keyless(expected),
    hasCertificate: true,
    withoutRoot: true,
    error: 'pass the trust root of Sigstore with --trusted-root FILE',
    isUnavailable: true,
  },
  {
    name: 'reads the trust root of the attestor',
    signer: keyless(expected),
    hasCertificate: true,
    withoutRoot: true,
    check: { trustedRoot },
  },
];

test.each(cases)('$name', (one) =>
  withFolder(async (folder) => {
    const { signer, hasCertificate = false, by = keys, withoutEntry = false } = one;
    const issued = await (one.authority ?? authority).issue({
      email: 'dev@example.com',
      ...(one.withoutTimestamp === true ? {} : { timestampLog }),
    });
    const layout = new LayoutWriter(folder);
    const { digest } = layout.image(image);
    const certificate = { 'dev.sigstore.cosign/certificate': issued.certificate };
    const annotations = { ...one.signature?.annotations, ...(hasCertificate && certificate) };
    const signing = hasCertificate ? issued : by;
    const options = { ...one.signature, annotations };
    const layer = signatureLayer(layout, digest, signing, options);
    const hasEntry = hasCertificate && !withoutEntry;
    const payload = layout.read(layer);
    const stored = hasEntry ? log.addTo(layer, payload, issued.certificate, 'hashedrekord') : layer;
    storeLayers(layout, repository, digest, [stored]);
    const verifier = verifierOf(folder, one.withoutRoot === true);
    const answer = verifier.verifyCosign({
      ...checkOf(typeof signer === 'function' ? signer(issued) : signer, one.log),
      ...one.check,
    });
    expectAnswer(answer, one);
  }),
);

function verifierOf(folder: string, withoutRoot: boolean) {
  const registry = new ImageLayout(folder);
  const trustRoot = withoutRoot ? undefined : readTrustRoot(trustedRoot);
  return makeImageVerifier({ registry, trustRoot, clock: () => signedAt.getTime() });
}

function checkOf(signer: CosignSigner, settings: CosignLog | undefined): CosignCheck {
  return {
    image,
    signer,
    repository: '',
    tagPrefix: '',
    annotations: {},
    log: settings,
    trustedRoot: '',
  };
}

function expectAnswer(
  answer: { readonly error?: string; readonly isUnavailable?: boolean } | undefined,
  { error, isUnavailable = false }: Pick<Case, 'error' | 'isUnavailable'>,
): void {
  if (error === undefined) {
    expect(answer).toBeUndefined();
    return;
  }
  expect(answer?.error).toContain(error);
  expect(answer?.isUnavailable).toBe(isUnavailable);
}

test.each([
  { name: 'returns the statement of an attestation with a log entry', settings: undefined },
  {
    name: 'accepts no attestation whose log is ignored, as Kyverno does',
    settings: ignored,
    error: 'cosign bundle verification failed',
  },
  {
    name: 'names the types that it found',
    settings: undefined,
    type: 'https://example.com/other',
    error: `required predicate type https://example.com/other not found, found [${predicateType}]`,
  },
])('$name', ({ settings, type = predicateType, error }) =>
  withFolder((folder) => {
    const layout = new LayoutWriter(folder);
    const { digest } = layout.image(image);
    const statement = statementAbout(digest, predicateType, { severity: 'low' });
    const envelope = Buffer.from(JSON.stringify(envelopeOf(statement, keys)));
    const blob = layout.blob(envelope, 'application/vnd.dsse.envelope.v1+json');
    const annotations = { 'dev.cosignproject.cosign/signature': '' };
    const layer = log.addTo({ ...blob, annotations }, envelope, keys.pem, 'dsse');
    storeLayers(layout, repository, digest, [layer], 'att');
    const check = checkOf(keySigner(keys.pem), settings);
    const answer = verifierOf(folder, false).fetchAttested(check, type);
    expect(answer).toEqual(
      error === undefined
        ? { type, payload: JSON.parse(statement) }
        : { error, isUnavailable: false },
    );
  }),
);
