import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { timeOn } from '@kubeadmit/base';
import { CelError, type Library, type Value } from '@kubeadmit/cel';
import { opaqueType, structType } from '@kubeadmit/cel/types';
import { decodeBase64, decodeUtf8Leniently, encodeUtf8, quote, readJson } from '@kubeadmit/go';
import { hmac } from '@noble/hashes/hmac.js';
import { sha256, sha384, sha512 } from '@noble/hashes/sha2.js';
import { toCelValue } from '../../cel/cel-value.ts';
import { functionsNamed } from '../libraries/declare.ts';
import type { Clock } from '../libraries/time.ts';
import { Message } from './message-types.ts';

const tokenType = structType('jwt.Token');
const keySetType = opaqueType('jwk.Set');

// The algorithms for which jwx accepts a string as the key.
const signers: Readonly<Record<string, (key: Uint8Array, text: Uint8Array) => Uint8Array>> = {
  HS256: (key, text) => hmac(sha256, key, text),
  HS384: (key, text) => hmac(sha384, key, text),
  HS512: (key, text) => hmac(sha512, key, text),
};

const times = ['exp', 'iat', 'nbf'];

/**
 * Tokens (kyverno-authz, `kyverno.jwt` and `kyverno.jwk`): `jwt.Decode(text, "secret").Claims.role`.
 *
 * A token with a wrong signature is an error; an expired token has `Valid: false`. `jwks.Fetch` needs the network, so
 * it always returns an error.
 */
export function tokenLibrary(clock: Clock): Library {
  return {
    name: 'kyverno.jwt',
    types: [keySetType, tokenType],
    functions: functionsNamed(
      [
        [
          'jwt.Decode',
          'decode_string_string',
          '(string, string) -> Token',
          (text: string, key: string) => decodeToken(text, key, timeOn(clock)),
        ],
        ['jwt.Decode', 'decode_string_set', '(string, Set) -> Token', noKeys],
        ['jwks.Fetch', 'fetch_string', '(string) -> Set', noKeys],
      ],
      { Token: tokenType, Set: keySetType },
    ),
  };
}

function noKeys(): CelError {
  return new CelError('jwks.Fetch is not available without a network');
}

function decodeToken(text: string, key: string, now: number): Value {
  const [header, payload, signature, ...rest] = text.split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0) {
    return refused('unknown payload type (payload is not JWT?)');
  }
  const fields = jsonPart(header);
  const sign = own(signers, String(fields?.['alg']));
  const missing = fields === undefined ? 'invalid header' : missingKey(fields, sign);
  if (missing !== undefined || sign === undefined) {
    return unverified(
      `jws.Verify: signature #1: key provider 0 failed: ${missing}`,
      'no matching keys were provided by any key provider',
    );
  }
  const signed = bytesOf(signature);
  const expected = sign(encodeUtf8(key), encodeUtf8(`${header}.${payload}`));
  if (signed === undefined || !isSame(expected, signed)) {
    return unverified(
      'jws.Verify: failed to verify signature #1 with key *jwk.symmetricKey: invalid HMAC signature',
      'tried 1 key(s) but none verified successfully',
    );
  }
  const claims = jsonPart(payload);
  if (claims === undefined) return refused('the claims are not a JSON object');
  // structpb cannot hold the list of strings that jwx makes of an audience.
  if (claims['aud'] !== undefined) return new CelError('proto: invalid type: []string');
  const decoded: readonly [string, Value][] = [
    ['Claims', toCelValue(withWholeTimes(claims))],
    ['Valid', isValidAt(claims, now / 1000)],
  ];
  return new Message(tokenType.name, new Map(decoded));
}

/** Why the key, which has no id, is not used for a token. */
function missingKey({ kid }: JsonObject, sign: unknown): string | undefined {
  if (typeof kid === 'string' && kid !== '') {
    return `failed to find key with key ID ${quote(kid)} in key set`;
  }
  return sign === undefined
    ? 'algorithm in the message does not match any of the inferred algorithms'
    : undefined;
}

// The texts of jwx 3.
function refused(reason: string): CelError {
  return new CelError(`jwt.Parse: failed to parse token: ${reason}`);
}

function unverified(cause: string, summary: string): CelError {
  return refused(
    `jws.Verify: could not verify message using any of the signatures or keys: ${cause}\njws.Verify: signature #1: ${summary}`,
  );
}

/** Times are whole seconds. */
function withWholeTimes(claims: JsonObject): JsonObject {
  const rounded = times.flatMap((name) => {
    const time = claims[name];
    return typeof time === 'number' ? [[name, Math.trunc(time)] as const] : [];
  });
  return { ...claims, ...Object.fromEntries(rounded) };
}

/** Whether a token has begun and has not ended; times in seconds since 1970. */
function isValidAt({ exp, iat, nbf }: JsonObject, now: number): boolean {
  const second = Math.trunc(now);
  if (typeof exp === 'number' && second >= Math.trunc(exp)) return false;
  return [iat, nbf].every((time) => typeof time !== 'number' || second >= Math.trunc(time));
}

function jsonPart(part: string): JsonObject | undefined {
  const bytes = bytesOf(part);
  if (bytes === undefined) return undefined;
  const read = readJson(decodeUtf8Leniently(bytes));
  return 'error' in read || !isObject(read.value) ? undefined : read.value;
}

function bytesOf(part: string): Uint8Array | undefined {
  const decoded = decodeBase64(part, { isRaw: true, isUrl: true });
  return decoded instanceof Uint8Array ? decoded : undefined;
}

function isSame(left: Uint8Array, right: Uint8Array): boolean {
  return left.length === right.length && left.every((byte, index) => byte === right[index]);
}

function own<T>(record: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
