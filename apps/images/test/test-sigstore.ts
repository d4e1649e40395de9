import { createHash, KeyObject, sign, webcrypto } from 'node:crypto';
import { makeKeys, type SigningKeys, type Written } from '@kubeadmit/test-support';
import { json, X509Certificate } from '@sigstore/core';
import 'reflect-metadata';
import * as x509 from '@peculiar/x509';

x509.cryptoProvider.set(webcrypto as never);

const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };

/** The time of signatures in tests. */
export const signedAt = new Date('2030-01-01T12:00:00Z');

/** A certificate with the keys that it is for. */
export interface Issued extends SigningKeys {
  /** The certificate in PEM. */
  readonly certificate: string;
}

/** The properties of a leaf certificate. */
export interface LeafOptions {
  readonly email?: string | undefined;
  readonly address?: string;
  /** The name of the type that Fulcio defines, in place of all others. */
  readonly otherName?: string;
  readonly uri?: string;
  readonly issuer?: string;
  readonly notBefore?: Date;
  readonly notAfter?: Date;
  readonly usage?: string;
  /** The certificate transparency log whose timestamp the certificate contains. */
  readonly timestampLog?: SigningKeys;
}

async function keyPair(): Promise<{
  readonly keys: webcrypto.CryptoKeyPair;
  readonly signing: SigningKeys;
}> {
  const keys = (await webcrypto.subtle.generateKey(algorithm, true, [
    'sign',
    'verify',
  ])) as webcrypto.CryptoKeyPair;
  const pem = KeyObject.from(keys.publicKey as never).export({ type: 'spki', format: 'pem' });
  return {
    keys,
    signing: { privateKey: KeyObject.from(keys.privateKey as never), pem: pem.toString() },
  };
}

/** A certificate authority that issues certificates as Fulcio does. */
export class TestAuthority {
  readonly root: string;
  readonly #certificate: x509.X509Certificate;
  readonly #keys: webcrypto.CryptoKeyPair;

  private constructor(certificate: x509.X509Certificate, keys: webcrypto.CryptoKeyPair) {
    this.#certificate = certificate;
    this.#keys = keys;
    this.root = certificate.toString('pem');
  }

  /** @param usage the extended key usage of the root, which has none without it */
  static async create(name = 'CN=test root', usage?: string): Promise<TestAuthority> {
    const { keys } = await keyPair();
    const certificate = await x509.X509CertificateGenerator.createSelfSigned({
      name,
      keys,
      notBefore: new Date('2020-01-01T00:00:00Z'),
      notAfter: new Date('2035-01-01T00:00:00Z'),
      signingAlgorithm: algorithm,
      extensions: [
        new x509.BasicConstraintsExtension(true, 1, true),
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.keyCertSign, true),
        ...(usage === undefined ? [] : [new x509.ExtendedKeyUsageExtension([usage])]),
      ],
    });
    return new TestAuthority(certificate, keys);
  }

  /** Issues a certificate for new keys. */
  async issue({
    email,
    address,
    otherName,
    uri,
    issuer = 'https://issuer.example',
    notBefore = new Date(signedAt.getTime() - 60_000),
    notAfter = new Date(signedAt.getTime() + 600_000),
    usage = '1.3.6.1.5.5.7.3.3',
    timestampLog,
  }: LeafOptions = {}): Promise<Issued> {
    const { keys, signing } = await keyPair();
    const names: x509.JsonGeneralName[] = [];
    if (email !== undefined) names.push({ type: 'email', value: email });
    if (address !== undefined) names.push({ type: 'ip', value: address });
    if (uri !== undefined) names.push({ type: 'url', value: uri });
    const parameters = {
      serialNumber: '01',
      subject: '',
      issuer: this.#certificate.subject,
      publicKey: keys.publicKey,
      signingKey: this.#keys.privateKey,
      signingAlgorithm: algorithm,
      notBefore,
      notAfter,
      extensions: [
        new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
        new x509.ExtendedKeyUsageExtension([usage]),
        otherName === undefined
          ? new x509.SubjectAlternativeNameExtension(names, true)
          : otherNameExtension(otherName),
        new x509.Extension('1.3.6.1.4.1.57264.1.1', false, new Uint8Array(Buffer.from(issuer))),
      ],
    };
    const plain = await x509.X509CertificateGenerator.create(parameters);
    const certificate =
      timestampLog === undefined
        ? plain
        : await this.#withTimestamp(parameters, plain, timestampLog);
    return { ...signing, certificate: certificate.toString('pem') };
  }

  /** The same certificate with the timestamp of a log (RFC 6962). */
  async #withTimestamp(
    parameters: x509.X509CertificateCreateParams,
    plain: x509.X509Certificate,
    log: SigningKeys,
  ): Promise<x509.X509Certificate> {
    const body = X509Certificate.parse(plain.toString('pem')).tbsCertificate.toDER();
    const issuerKey = Buffer.from(this.#certificate.publicKey.rawData);
    const issuerHash = createHash('sha256').update(issuerKey).digest();
    const time = numberBytes(signedAt.getTime(), 8);
    const signed = Buffer.concat([
      Buffer.from([0, 0]),
      time,
      numberBytes(1, 2),
      issuerHash,
      numberBytes(body.length, 3),
      body,
      numberBytes(0, 2),
    ]);
    const signature = sign('sha256', signed, log.privateKey);
    const logId = createHash('sha256').update(publicDer(log)).digest();
    const timestamp = Buffer.concat([
      Buffer.from([0]),
      logId,
      time,
      Buffer.from([0, 0, 4, 3]),
      numberBytes(signature.length, 2),
      signature,
    ]);
    const list = Buffer.concat([
      numberBytes(timestamp.length + 2, 2),
      numberBytes(timestamp.length, 2),
      timestamp,
    ]);
    const value = Buffer.concat([Buffer.from([4, list.length]), list]);
    const extension = new x509.Extension('1.3.6.1.4.1.11129.2.4.2', false, new Uint8Array(value));
    const extensions = [...(parameters.extensions ?? []), extension];
    return x509.X509CertificateGenerator.create({ ...parameters, extensions });
  }
}

/** Subject alternative names with one `otherName` of Fulcio. */
function otherNameExtension(name: string): x509.Extension {
  const type = Buffer.from('060a2b0601040183bf300107', 'hex');
  const text = tagged(0xa0, tagged(0x0c, Buffer.from(name)));
  const names = tagged(0x30, tagged(0xa0, Buffer.concat([type, text])));
  return new x509.Extension('2.5.29.17', true, new Uint8Array(names));
}

/** A value of ASN.1 that is shorter than 128 bytes. */
function tagged(tag: number, value: Buffer): Buffer {
  return Buffer.concat([Buffer.from([tag, value.length]), value]);
}

function numberBytes(value: number, length: number): Buffer {
  return Buffer.from(value.toString(16).padStart(length * 2, '0'), 'hex');
}

/** A transparency log. */
export class TestLog {
  readonly keys = makeKeys();

  /** Adds the entry of a signature to a layer. */
  addTo(
    layer: Written,
    payload: Uint8Array,
    signer: string,
    kind: 'hashedrekord' | 'dsse',
  ): Written {
    const signature = layer.annotations?.['dev.cosignproject.cosign/signature'] ?? '';
    const body = Buffer.from(JSON.stringify(entryBody(kind, payload, signature, signer)));
    const payloadOfEntry = {
      body: body.toString('base64'),
      integratedTime: signedAt.getTime() / 1000,
      logIndex: 7,
      logID: createHash('sha256').update(publicDer(this.keys)).digest('hex'),
    };
    const signed = Buffer.from(json.canonicalize(payloadOfEntry as never));
    const bundle = {
      SignedEntryTimestamp: sign('sha256', signed, this.keys.privateKey).toString('base64'),
      Payload: payloadOfEntry,
    };
    const annotations = {
      ...layer.annotations,
      'dev.sigstore.cosign/bundle': JSON.stringify(bundle),
    };
    return { ...layer, annotations };
  }
}

function publicDer({ pem }: SigningKeys): Buffer {
  return Buffer.from(pem.replaceAll(/-----[^-]+-----|\s/g, ''), 'base64');
}

function entryBody(
  kind: 'hashedrekord' | 'dsse',
  payload: Uint8Array,
  signature: string,
  signer: string,
): unknown {
  const value = createHash('sha256').update(payload).digest('hex');
  const key = Buffer.from(signer).toString('base64');
  const spec =
    kind === 'hashedrekord'
      ? {
          data: { hash: { algorithm: 'sha256', value } },
          signature: { content: signature, publicKey: { content: key } },
        }
      : {
          envelopeHash: { algorithm: 'sha256', value },
          payloadHash: { algorithm: 'sha256', value: payloadHashOf(payload) },
          signatures: [{ signature: signatureIn(payload), verifier: key }],
        };
  return { apiVersion: '0.0.1', kind, spec };
}

/** A trust root with an authority and logs. */
export function trustRootOf({
  root,
  log,
  timestampLog,
}: {
  readonly root: string;
  readonly log: SigningKeys;
  readonly timestampLog: SigningKeys;
}): string {
  const validFor = { start: '2020-01-01T00:00:00Z' };
  const logOf = (keys: SigningKeys) => ({
    baseUrl: 'https://log.example',
    hashAlgorithm: 'SHA2_256',
    publicKey: {
      rawBytes: publicDer(keys).toString('base64'),
      keyDetails: 'PKIX_ECDSA_P256_SHA_256',
      validFor,
    },
    logId: { keyId: createHash('sha256').update(publicDer(keys)).digest('base64') },
  });
  const rawBytes = root.replaceAll(/-----[^-]+-----|\s/g, '');
  const subject = { organization: 'test', commonName: 'test' };
  const certChain = { certificates: [{ rawBytes }] };
  return JSON.stringify({
    mediaType: 'application/vnd.dev.sigstore.trustedroot+json;version=0.1',
    tlogs: [logOf(log)],
    ctlogs: [logOf(timestampLog)],
    timestampAuthorities: [],
    certificateAuthorities: [{ subject, uri: 'https://fulcio.example', certChain, validFor }],
  });
}

/** The hash of the payload in an envelope. */
function payloadHashOf(envelope: Uint8Array): string {
  const { payload } = JSON.parse(Buffer.from(envelope).toString('utf8'));
  return createHash('sha256').update(Buffer.from(payload, 'base64')).digest('hex');
}

function signatureIn(envelope: Uint8Array): string {
  return JSON.parse(Buffer.from(envelope).toString('utf8')).signatures[0].sig;
}

/** The statement of an attestation about a digest. */
export function statementAbout(digest: string, predicateType: string, predicate: unknown): string {
  return JSON.stringify({
    _type: 'https://in-toto.io/Statement/v1',
    predicateType,
    subject: [{ name: 'app', digest: { sha256: digest.replace('sha256:', '') } }],
    predicate,
  });
}

/** An envelope (DSSE) with a statement, signed by keys. */
export function envelopeOf(statement: string, keys: SigningKeys): Record<string, unknown> {
  const payloadType = 'application/vnd.in-toto+json';
  const signed = Buffer.from(
    `DSSEv1 ${payloadType.length} ${payloadType} ${Buffer.byteLength(statement)} ${statement}`,
  );
  const sig = sign('sha256', signed, keys.privateKey).toString('base64');
  const payload = Buffer.from(statement).toString('base64');
  return { payloadType, payload, signatures: [{ keyid: '', sig }] };
}
