import {
  createHash,
  createPublicKey,
  type KeyObject,
  X509Certificate as NodeCertificate,
} from 'node:crypto';
import { isRecord } from '@kubeadmit/manifest';
import { json } from '@sigstore/core';
import { isSignedBy } from './public-key.ts';
import type { SignatureLayer } from './signature-layers.ts';
import { parseJson } from './simple-signing.ts';
import type { TrustedLog } from './trust-root.ts';
import { VerificationFailure } from './verification-failure.ts';

/**
 * Verifies the entry of a transparency log that is stored with a signature, and returns its time (cosign's
 * `VerifyBundle`).
 *
 * @param signer the certificate in PEM, or the key, that signed
 * @throws VerificationFailure for a missing entry, one of something else, or one of another log
 */
export function verifyLogEntry(
  layer: SignatureLayer,
  signer: string | KeyObject,
  logs: readonly TrustedLog[],
): Date {
  const { bundle, signature = '', payload } = layer;
  if (bundle === '') throw new VerificationFailure('signature not found in transparency log');
  const entry = readEntry(bundle);
  const body = readBody(entry.body);
  if (signature !== '' && body.signature !== '' && body.signature !== signature) {
    throw failure('signature in bundle does not match signature being verified');
  }
  if (body.kind === 'hashedrekord') requirePrehashing(body.key);
  if (!isSameKey(body.key, signer)) throw failure('comparing public key PEMs');
  const hash = createHash('sha256').update(payload).digest('hex');
  if (body.hash !== hash) {
    throw failure(`matching bundle to payload: bundle="${body.hash}", payload="${hash}"`);
  }
  const log = logs.find(({ logID }) => Buffer.from(logID).toString('hex') === entry.logId);
  if (log === undefined || entry.time < log.validFor.start || entry.time > log.validFor.end) {
    throw failure('verifying bundle: rekor log public key not found for payload');
  }
  const canonical = Buffer.from(json.canonicalize(entry.signed as never));
  if (!isSignedBy({ key: log.publicKey, hash: 'sha256' }, canonical, entry.timestamp)) {
    throw failure('unable to verify SET');
  }
  return entry.time;
}

function failure(reason: string): VerificationFailure {
  return new VerificationFailure(`error verifying bundle: ${reason}`);
}

interface LogEntry {
  readonly body: string;
  readonly logId: string;
  readonly time: Date;
  /** The signed members. */
  readonly signed: Readonly<Record<string, unknown>>;
  readonly timestamp: Uint8Array;
}

function readEntry(text: string): LogEntry {
  const value = recordOf(parseJson(text));
  const payload = recordOf(value['Payload']);
  const { body, integratedTime, logIndex, logID } = payload;
  const timestamp = value['SignedEntryTimestamp'];
  if (
    typeof body !== 'string' ||
    typeof logID !== 'string' ||
    typeof timestamp !== 'string' ||
    typeof integratedTime !== 'number' ||
    typeof logIndex !== 'number'
  ) {
    throw failure('unmarshaling bundle: invalid entry');
  }
  return {
    body,
    logId: logID,
    time: new Date(integratedTime * 1000),
    signed: { body, integratedTime, logIndex, logID },
    timestamp: Buffer.from(timestamp, 'base64'),
  };
}

/** The parts of an entry's body that identify the signed content. */
interface EntryBody {
  /** The kind of the entry, such as `hashedrekord`. */
  readonly kind: string;
  /** In base64; empty for entries without it. */
  readonly signature: string;
  /** The key or certificate in PEM. */
  readonly key: string;
  /** The SHA-256 of the signed content. */
  readonly hash: string;
}

function readBody(text: string): EntryBody {
  const value = recordOf(parseJson(Buffer.from(text, 'base64')));
  const spec = recordOf(value['spec']);
  const kind = String(value['kind']);
  const read = Object.hasOwn(bodies, kind) ? bodies[kind] : undefined;
  if (read === undefined) throw failure('unsupported type');
  const [signature, key, hash] = read(spec);
  return {
    kind,
    signature: textOf(signature),
    key: Buffer.from(textOf(key), 'base64').toString('utf8'),
    hash: textOf(hash),
  };
}

/** Requires a key that can sign a SHA-256 hash, which is all that such an entry has. */
function requirePrehashing(pem: string): void {
  if (keyType(pem) !== 'ed25519') return;
  throw failure(
    'failed to extract signature from bundle: verifying signature: unsupported hash algorithm: "SHA-256" not in [SHA-512]',
  );
}

function keyType(pem: string): string | undefined {
  try {
    return createPublicKey(pem).asymmetricKeyType;
  } catch {
    return undefined;
  }
}

type Spec = Readonly<Record<string, unknown>>;

/** The signature, key and hash by the kind of the entry. */
const bodies: Readonly<Record<string, (spec: Spec) => readonly unknown[]>> = {
  hashedrekord: recordParts,
  rekord: recordParts,
  intoto: (spec) => {
    const [first] = listAt(spec, 'content', 'envelope', 'signatures');
    const key = at(spec, 'publicKey') ?? recordOf(first)['publicKey'];
    return [undefined, key, at(spec, 'content', 'hash', 'value')];
  },
  dsse: (spec) => {
    const [first] = listAt(spec, 'signatures');
    if (at(spec, 'payloadHash', 'value') === undefined || first === undefined) {
      throw failure(
        'failed to extract key from bundle: either proposedContent or envelopeHash, payloadHash, and signatures must be present',
      );
    }
    return [undefined, recordOf(first)['verifier'], at(spec, 'envelopeHash', 'value')];
  },
};

function recordParts(spec: Spec): readonly unknown[] {
  return [
    at(spec, 'signature', 'content'),
    at(spec, 'signature', 'publicKey', 'content'),
    at(spec, 'data', 'hash', 'value'),
  ];
}

function at(value: unknown, ...path: readonly string[]): unknown {
  let found = value;
  for (const key of path)
    found = isRecord(found) && Object.hasOwn(found, key) ? found[key] : undefined;
  return found;
}

function listAt(value: unknown, ...path: readonly string[]): readonly unknown[] {
  const found = at(value, ...path);
  return Array.isArray(found) ? found : [];
}

function recordOf(value: unknown): Spec {
  return isRecord(value) ? value : {};
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

function isSameKey(pem: string, signer: string | KeyObject): boolean {
  try {
    if (typeof signer !== 'string') return createPublicKey(pem).equals(signer);
    return new NodeCertificate(pem).raw.equals(new NodeCertificate(signer).raw);
  } catch {
    return false;
  }
}
