import { isRecord } from '@kubeadmit/manifest';
import { dsse } from '@sigstore/core';
import { isSignedBy, type SignatureKey } from './public-key.ts';
import { parseJson } from './simple-signing.ts';
import { VerificationFailure } from './verification-failure.ts';

/** The type of the payload of attestations. */
export const statementType = 'application/vnd.in-toto+json';

/** A statement of in-toto. */
export type Statement = Readonly<Record<string, unknown>>;

/**
 * Requires that an envelope (DSSE) with a statement is signed by a key.
 *
 * @throws VerificationFailure if it is not
 */
export function requireSignedEnvelope(payload: Uint8Array, key: SignatureKey): void {
  const envelope = readEnvelope(payload);
  if (envelope.type !== statementType) {
    throw new VerificationFailure(
      `invalid payloadType ${envelope.type} on envelope. Expected ${statementType}`,
    );
  }
  if (envelope.signatures.length === 0) throw new VerificationFailure('no signature found');
  const signed = dsse.preAuthEncoding(envelope.type, Buffer.from(envelope.payload));
  if (envelope.signatures.some((signature) => isSignedBy(key, signed, signature))) return;
  throw new VerificationFailure('accepted signatures do not match threshold, Found: 0, Expected 1');
}

/** Reads the statement in an envelope, with its `predicateType` as `type` too (Kyverno's `decodeStatement`). */
export function readStatement(payload: Uint8Array): Statement {
  return statementIn(readEnvelope(payload).payload);
}

/** Reads a statement, with its `predicateType` as `type` too. */
export function statementIn(bytes: Uint8Array): Statement {
  const value = parseJson(bytes);
  if (!isRecord(value)) throw new VerificationFailure('failed to decode statement: invalid JSON');
  const { _type, predicateType, subject, predicate } = value;
  return { _type, predicateType, subject, predicate, type: predicateType };
}

/**
 * Requires that a statement is about a digest.
 *
 * @throws VerificationFailure if none of its subjects has the digest
 */
export function requireSubject({ subject }: Statement, digest: string): void {
  const subjects = Array.isArray(subject) ? subject : [];
  const isAbout = subjects.some((each) => {
    const digests = isRecord(each) ? each['digest'] : undefined;
    return isRecord(digests) && `sha256:${String(digests['sha256'])}` === digest;
  });
  if (!isAbout) throw new VerificationFailure('no matching subject digest found');
}

interface Envelope {
  readonly type: string;
  readonly payload: Uint8Array;
  readonly signatures: readonly Uint8Array[];
}

function readEnvelope(bytes: Uint8Array): Envelope {
  const value = parseJson(bytes);
  if (!isRecord(value)) throw new VerificationFailure('error decoding the payload: invalid JSON');
  const { payloadType, payload, signatures } = value;
  const list: readonly unknown[] = Array.isArray(signatures) ? signatures : [];
  return {
    type: String(payloadType ?? ''),
    payload: Buffer.from(String(payload ?? ''), 'base64'),
    signatures: list.map((each) =>
      Buffer.from(String(isRecord(each) ? each['sig'] : ''), 'base64'),
    ),
  };
}
