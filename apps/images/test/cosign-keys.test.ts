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

const repository = 'registry.example/team/app';
const image = `${repository}:1.0`;

interface Case {
  readonly name: string;
  readonly keys?: Parameters<typeof makeKeys>[0];
  readonly signature?: SignatureOptions;
  readonly check?: Partial<ReturnType<typeof anyCheck>>;
  /** The error; accepted without it. */
  readonly error?: string;
}

const cases: readonly Case[] = [
  { name: 'accepts a signature by an ECDSA key' },
  { name: 'accepts a signature by an ECDSA key of 384 bits', keys: 'ecdsa-384' },
  { name: 'accepts a signature by an RSA key', keys: 'rsa' },
  { name: 'accepts a signature by an Ed25519 key', keys: 'ed25519' },
  {
    name: 'accepts a signature with another hash',
    signature: { hash: 'sha512' },
    check: { signatureAlgorithm: 'sha512' },
  },
  {
    name: 'accepts the expected annotations',
    signature: { optional: { env: 'prod', team: 'a' } },
    check: { annotations: { env: 'prod' } },
  },
  {
    name: 'rejects other annotations',
    signature: { optional: { env: 'dev' } },
    check: { annotations: { env: 'prod' } },
    error: 'no signature matched the required annotations',
  },
  {
    name: 'rejects a signature by another key',
    check: { key: makeKeys().pem },
    error: 'no matching signatures: invalid signature when validating ASN.1 encoded signature',
  },
  {
    name: 'rejects a payload that was changed after signing',
    signature: { tamper: (payload) => payload.replace('container', 'other') },
    error: 'no matching signatures: invalid signature when validating ASN.1 encoded signature',
  },
  {
    name: 'rejects the signature of another image',
    signature: { claimed: `sha256:${'0'.repeat(64)}` },
    error: `no matching signatures: invalid or missing digest in claim: sha256:${'0'.repeat(64)}`,
  },
  {
    name: 'rejects an unknown hash',
    check: { signatureAlgorithm: 'md5' },
    error: 'invalid signature algorithm provided md5',
  },
  {
    name: 'refuses keys of a cluster',
    check: { key: 'k8s://default/cosign' },
    error: 'failed to load public key from k8s://default/cosign: only keys in PEM are supported',
  },
];

test.each(cases)('$name', ({ keys: type, signature, check, error }) =>
  withFolder((folder) => {
    const layout = new LayoutWriter(folder);
    const keys = makeKeys(type);
    const { digest } = layout.image(image);
    storeLayers(layout, repository, digest, [signatureLayer(layout, digest, keys, signature)]);
    const verifier = makeImageVerifier({
      registry: new ImageLayout(layout.folder),
      clock: () => 0,
    });
    const answer = verifier.verifySignature({ ...anyCheck(image), key: keys.pem, ...check });
    expect(answer).toEqual(error === undefined ? { digest } : { error, isUnavailable: false });
  }),
);
