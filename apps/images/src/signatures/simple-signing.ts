import { isRecord } from '@kubeadmit/manifest';
import { VerificationFailure } from './verification-failure.ts';

/** The signed payload of an image in the format of simple signing. */
export interface SimplePayload {
  /** The digest of the signed image; empty if the payload has none. */
  readonly digest: string;
  /** Annotations of the signature. */
  readonly optional: Readonly<Record<string, unknown>>;
}

/**
 * Reads a signed payload.
 *
 * @throws VerificationFailure for bytes that are not a JSON object
 */
export function readPayload(bytes: Uint8Array): SimplePayload {
  const value = parseJson(bytes);
  if (!isRecord(value)) throw new VerificationFailure('error decoding the payload: invalid JSON');
  const image = recordIn(recordIn(value, 'critical'), 'image');
  const digest = image['docker-manifest-digest'];
  return {
    digest: typeof digest === 'string' ? digest : '',
    optional: recordIn(value, 'optional'),
  };
}

/** Parses bytes as JSON; undefined if they are not. */
export function parseJson(bytes: Uint8Array | string): unknown {
  try {
    return JSON.parse(typeof bytes === 'string' ? bytes : Buffer.from(bytes).toString('utf8'));
  } catch {
    return undefined;
  }
}

function recordIn(value: Readonly<Record<string, unknown>>, name: string) {
  const found = Object.hasOwn(value, name) ? value[name] : undefined;
  return isRecord(found) ? found : {};
}

/**
 * Requires that one of some payloads has annotations.
 *
 * @throws VerificationFailure if none has them
 */
export function requireAnnotations(
  payloads: readonly SimplePayload[],
  annotations: Readonly<Record<string, string>>,
): void {
  const wanted = Object.entries(annotations);
  if (wanted.length === 0) return;
  const matches = payloads.some(({ optional }) =>
    wanted.every(([key, value]) => Object.hasOwn(optional, key) && optional[key] === value),
  );
  if (!matches) throw new VerificationFailure('no signature matched the required annotations');
}
