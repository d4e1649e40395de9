import type {
  AttestedPayload,
  CosignCheck,
  CosignLog,
  CosignSigner,
  SignerIdentity,
} from '@kubeadmit/kyverno';
import type { Bundle } from '@sigstore/bundle';
import type { X509Certificate } from '@sigstore/core';
import { readManifest } from '../registry/manifests.ts';
import {
  digestOf,
  type Manifest,
  type Registry,
  RegistryError,
  type Repository,
} from '../registry/registry.ts';
import {
  type BundleRules,
  isAccepted,
  noMaterial,
  readBundle,
  statementOf,
} from './bundle-verifier.ts';
import { maxBundleSize } from './bundles.ts';
import { requireCertificateTimestamp, requireTrustedTimestamp } from './certificate-timestamp.ts';
import {
  type CertificatePool,
  poolOf,
  readCertificate,
  readCertificates,
  trustedChain,
} from './certificates.ts';
import {
  readStatement,
  requireSignedEnvelope,
  requireSubject,
  type Statement,
} from './envelope.ts';
import { issuerOf, regexOf, subjectNames } from './identity.ts';
import { acceptedLayers, keyOf, type LayerRules, requireLayerSignature } from './layer-verifier.ts';
import { readPublicKey, type SignatureKey } from './public-key.ts';
import { type SignatureLayer, taggedLayers } from './signature-layers.ts';
import { readPayload } from './simple-signing.ts';
import {
  MissingTrustRoot,
  readTrustRoot,
  type Trust,
  type TrustRoot,
  trustedLogs,
} from './trust-root.ts';
import { VerificationFailure } from './verification-failure.ts';

/** An image, and the repository of its signatures. */
export interface AttestedImage {
  readonly registry: Registry;
  readonly manifest: Manifest;
  readonly signatures: Repository;
}

/**
 * Verifies that a cosign attestor of an ImageValidatingPolicy accepts a signature of an image
 * (Kyverno's `Verifier.VerifyImageSignature`).
 *
 * @throws VerificationFailure if it accepts none
 */
export function verifyCosign(image: AttestedImage, check: CosignCheck, trust: Trust): void {
  const expected = expectationOf(check, trust);
  const bundles = bundlesOf(image);
  if (bundles.length > 0) {
    acceptedBundles(image, bundles, expected);
    requireAnnotations([], check);
    return;
  }
  const { registry, manifest, signatures } = image;
  const layers = taggedLayers(registry, signatures, manifest.digest, 'sig', check.tagPrefix);
  if (layers.length === 0) throw new VerificationFailure('no signatures found');
  const rules = layerRules(expected, (layer, key) => {
    requireLayerSignature(layer, key);
    const { digest } = readPayload(layer.payload);
    if (digest !== manifest.digest) {
      throw new VerificationFailure(`invalid or missing digest in claim: ${digest}`);
    }
  });
  requireAnnotations(acceptedLayers(layers, rules, 'signatures'), check);
}

/**
 * Returns the last attestation of a type that a cosign attestor accepts (Kyverno's
 * `Verifier.VerifyAttestationSignature`).
 *
 * @throws VerificationFailure if it accepts none
 */
export function fetchAttested(
  image: AttestedImage,
  check: CosignCheck,
  predicateType: string,
  trust: Trust,
): AttestedPayload {
  const expected = expectationOf(check, trust);
  const bundles = bundlesOf(image);
  const found =
    bundles.length > 0
      ? acceptedBundles(image, bundles, expected).map((bundle) => ({
          layer: undefined,
          statement: statementOf(bundle) as Statement,
        }))
      : acceptedAttestations(image, check, expected);
  const type = predicateTypes.get(predicateType) ?? predicateType;
  const ofType = found.filter(({ statement }) => statement['predicateType'] === type);
  if (ofType.length === 0) {
    const types = found.map(({ statement }) => String(statement['predicateType'])).join(' ');
    throw new VerificationFailure(
      `required predicate type ${predicateType} not found, found [${types}]`,
    );
  }
  const accepted = ofType.filter(({ layer }) => hasAnnotations(layer, check));
  const last = accepted.at(-1);
  if (last === undefined) {
    throw new VerificationFailure('no attestation matched the required annotations');
  }
  const { type: _, ...payload } = last.statement;
  return { type, payload };
}

/** The short names of cosign for types of predicates. */
const predicateTypes: ReadonlyMap<string, string> = new Map([
  ['custom', 'https://cosign.sigstore.dev/attestation/v1'],
  ['slsaprovenance', 'https://slsa.dev/provenance/v0.2'],
  ['slsaprovenance02', 'https://slsa.dev/provenance/v0.2'],
  ['slsaprovenance1', 'https://slsa.dev/provenance/v1'],
  ['spdx', 'https://spdx.dev/Document'],
  ['spdxjson', 'https://spdx.dev/Document'],
  ['cyclonedx', 'https://cyclonedx.org/bom'],
  ['link', 'https://in-toto.io/Link/v1'],
  ['vuln', 'https://cosign.sigstore.dev/attestation/vuln/v1'],
  ['openvex', 'https://openvex.dev/ns'],
]);

interface Attested {
  readonly layer: SignatureLayer | undefined;
  readonly statement: Statement;
}

function acceptedAttestations(
  { registry, manifest, signatures }: AttestedImage,
  { tagPrefix }: CosignCheck,
  expected: Expectation,
): readonly Attested[] {
  const layers = taggedLayers(registry, signatures, manifest.digest, 'att', tagPrefix);
  const rules = layerRules(expected, ({ payload }, key) => {
    requireSignedEnvelope(payload, key);
    requireSubject(readStatement(payload), manifest.digest);
  });
  const accepted = acceptedLayers(layers, rules, 'attestations');
  // Kyverno takes no attestation of this format without an entry in a log.
  if (expected.ignoresLog) throw new VerificationFailure('cosign bundle verification failed');
  return accepted.map((layer) => ({ layer, statement: readStatement(layer.payload) }));
}

function requireAnnotations(layers: readonly SignatureLayer[], check: CosignCheck): void {
  if (Object.keys(check.annotations).length === 0) return;
  if (layers.some((layer) => hasAnnotations(layer, check))) return;
  throw new VerificationFailure('no signature matched the required annotations');
}

/** Whether a layer has annotations; bundles have none but an empty signature. */
function hasAnnotations(layer: SignatureLayer | undefined, { annotations }: CosignCheck): boolean {
  const own = layer?.annotations ?? {};
  return Object.entries(annotations).every(
    ([key, value]) => value === (Object.hasOwn(own, key) ? own[key] : ''),
  );
}

/** The requirements of an attestor, with the keys and certificates that it names. */
interface Expectation {
  readonly key: SignatureKey | undefined;
  readonly identities: readonly SignerIdentity[];
  /** The trust root; undefined for attestors that need none. */
  readonly root: TrustRoot | undefined;
  /** Certificates that are trusted where there is no trust root. */
  readonly pool: CertificatePool;
  readonly ignoresLog: boolean;
  readonly ignoresTimestamp: boolean;
  readonly clock: () => number;
}

/**
 * Reads the requirements of an attestor (Kyverno's `checkOptions`).
 *
 * @throws VerificationFailure for an attestor that can accept nothing
 * @throws RegistryError for one that needs what is missing or not supported here
 */
function expectationOf({ signer, log, trustedRoot }: CosignCheck, trust: Trust): Expectation {
  const ignoresLog = log?.ignoresLog === true;
  const ignoresTimestamp = log?.ignoresTimestamp === true;
  if (signer === undefined) {
    throw new VerificationFailure(
      'cosign verifier needs to have one key, keyless or certificate fields set',
    );
  }
  if (log !== undefined && log.timestampChain !== '') {
    throw new RegistryError('timestamps of authorities (tsaCertChain) are not supported');
  }
  const needsRoot = signer.kind === 'keyless' || !ignoresLog;
  const root = needsRoot ? rootOf(trustedRoot, trust) : undefined;
  if (needsRoot && log !== undefined) requireUsableLog(log);
  const settings = { root, ignoresLog, ignoresTimestamp, clock: trust.clock };
  const identities = signer.kind === 'keyless' ? signer.identities : [];
  return { ...settings, identities, ...trustedSigner(signer, settings) };
}

function rootOf(inline: string, trust: Trust): TrustRoot {
  if (inline !== '') {
    try {
      return readTrustRoot(inline);
    } catch {
      throw new VerificationFailure(
        'failed to resolve trusted material: parsing inline trustedRoot JSON',
      );
    }
  }
  if (trust.root === undefined) throw new MissingTrustRoot('keys of Sigstore');
  return trust.root;
}

/** Requires an address and readable keys of a log, as Kyverno does although it trusts the keys of the trust root. */
function requireUsableLog({
  url,
  logKey,
  timestampKey,
  ignoresLog,
  ignoresTimestamp,
}: CosignLog): void {
  if (!ignoresLog) {
    if (url === '') throw new VerificationFailure('rekor URL must be provided');
    if (logKey !== '') trustedLogs(undefined, 'tlogs', logKey);
  }
  if (!ignoresTimestamp && timestampKey !== '') trustedLogs(undefined, 'ctlogs', timestampKey);
}

type Settings = Pick<Expectation, 'root' | 'ignoresLog' | 'ignoresTimestamp' | 'clock'>;

const noPool: CertificatePool = { roots: [], intermediates: [] };

function trustedSigner(
  signer: CosignSigner,
  settings: Settings,
): Pick<Expectation, 'key' | 'pool'> {
  if (signer.kind === 'keyless') return { key: undefined, pool: noPool };
  if (signer.kind === 'key') {
    if (signer.pem === '' && signer.kms !== '') {
      throw new RegistryError('keys in key management systems are not supported');
    }
    return { key: readPublicKey(signer.pem, signer.hashAlgorithm), pool: noPool };
  }
  const { certificate, chain } = signer;
  if (certificate === '' && chain === '') {
    throw new VerificationFailure('one of verifier, root certs, or trusted root is required');
  }
  const certificates = readCertificates(chain);
  if (certificate === '')
    return { key: undefined, pool: { roots: certificates, intermediates: [] } };
  const leaf = readCertificate(certificate);
  if (chain !== '') {
    const pool = { roots: certificates.slice(-1), intermediates: certificates.slice(0, -1) };
    requireTrustedChain(leaf, { ...settings, pool, identities: [] }, '');
  }
  return { key: keyOf(leaf, ''), pool: noPool };
}

type ChainTrust = Pick<Expectation, 'root' | 'pool' | 'ignoresTimestamp' | 'identities'>;

/** Returns the trusted chain of a certificate (cosign's `ValidateAndUnpackCertWithIntermediates`). */
function requireTrustedChain(
  leaf: X509Certificate,
  { root, pool, ignoresTimestamp, identities }: ChainTrust,
  own: string,
): readonly X509Certificate[] {
  const stored = readCertificates(own).slice(0, -1);
  const trusted =
    root === undefined
      ? { ...pool, intermediates: [...pool.intermediates, ...stored] }
      : poolOf(authoritiesAt(root, leaf.notBefore));
  const chain = trustedChain(leaf, trusted);
  requireIdentity(leaf, identities);
  if (ignoresTimestamp) return chain;
  const [, issuer = leaf] = chain;
  if (root === undefined) requireCertificateTimestamp(leaf, issuer, []);
  else requireTrustedTimestamp(leaf, issuer, root.material.ctlogs);
  return chain;
}

function authoritiesAt({ material }: TrustRoot, time: Date): readonly X509Certificate[] {
  return material.certificateAuthorities
    .filter(({ validFor }) => validFor.start <= time && time <= validFor.end)
    .flatMap(({ certChain }) => certChain);
}

/** Requires that a certificate has one of some identities, if there are any (cosign's `CheckCertificatePolicy`). */
function requireIdentity(
  certificate: X509Certificate,
  identities: readonly SignerIdentity[],
): void {
  if (identities.length === 0) return;
  const names = subjectNames(certificate);
  const issuer = issuerOf(certificate);
  const isExpected = (found: string, exact: string, pattern: string): boolean => {
    if (pattern !== '') return regexOf(pattern, 'identity')(found);
    return exact === '' || found === exact;
  };
  const matches = identities.some(
    (identity) =>
      isExpected(issuer, identity.issuer, identity.issuerRegExp) &&
      ((identity.subject === '' && identity.subjectRegExp === '') ||
        names.some((name) => isExpected(name, identity.subject, identity.subjectRegExp))),
  );
  if (matches) return;
  throw new VerificationFailure(
    `none of the expected identities matched what was in the certificate, got subjects [${names.join(', ')}] with issuer ${issuer}`,
  );
}

function layerRules(expected: Expectation, requireSigned: LayerRules['requireSigned']): LayerRules {
  const { key, root, ignoresLog, clock } = expected;
  return {
    key,
    requireSigned,
    clock,
    logs: ignoresLog ? undefined : () => trustedLogs(root, 'tlogs', ''),
    chainOf: (certificate, own) => requireTrustedChain(certificate, expected, own),
  };
}

/** The valid Sigstore bundles that refer to an image; other referrers are skipped. */
function bundlesOf({ registry, manifest, signatures }: AttestedImage): readonly Bundle[] {
  return registry.referrers(signatures, manifest.digest).flatMap(({ digest }) => {
    const found = registry.manifest(digestOf(signatures, digest));
    const [layer, ...others] = found === undefined ? [] : readManifest(found).layers;
    const isBundle = layer?.mediaType.startsWith('application/vnd.dev.sigstore.bundle');
    if (layer === undefined || others.length > 0 || isBundle !== true) return [];
    if (layer.size > maxBundleSize) return [];
    const bytes = registry.blob(signatures, layer);
    try {
      const bundle = readBundle(bytes, layer.digest);
      return /[.=]v?0\.[12](\D|$)/.test(bundle.mediaType) ? [] : [bundle];
    } catch {
      return [];
    }
  });
}

function acceptedBundles(
  { manifest }: AttestedImage,
  bundles: readonly Bundle[],
  expected: Expectation,
): readonly Bundle[] {
  const rules = bundleRules(expected);
  const accepted = bundles.filter(
    (bundle) => isAccepted(rules, bundle, manifest) && statementOf(bundle) !== undefined,
  );
  if (accepted.length > 0) return accepted;
  throw new VerificationFailure('no matching attestations');
}

const noIdentity = { issuer: '', issuerRegExp: '', subject: '', subjectRegExp: '' };

/** The requirements on bundles (cosign's `verificationOptions`); exactly one identity can be expected. */
function bundleRules({
  key,
  root,
  ignoresLog,
  ignoresTimestamp,
  identities,
  clock,
}: Expectation): BundleRules {
  const [identity = noIdentity, ...others] = identities;
  const hasKey = key !== undefined;
  return {
    key: key?.key,
    material: root?.material ?? noMaterial,
    logEntries: ignoresLog ? undefined : 1,
    times: hasKey ? 'none' : ignoresLog ? 'signed' : 'integrated',
    requiresTimestamp: !hasKey && !ignoresTimestamp,
    identity: others.length > 0 ? noIdentity : identity,
    clock,
  };
}
