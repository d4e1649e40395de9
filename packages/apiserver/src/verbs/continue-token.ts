import { decodeBase64, decodeUtf8Leniently, encodeBase64, readJson } from '@kubeadmit/go';
import { quoteByte } from '@kubeadmit/go/unstable-internal';
import { badRequest } from '../errors/failures.ts';

/** The position at which a list continues. */
export interface ContinueToken {
  /** The rest of the first key behind the prefix of the collection. */
  readonly start: string;
  /** The revision that the list is true of; -1 for whatever is newest. */
  readonly revision: number;
}

const version = 'meta.k8s.io/v1';

/** Writes the token of the page after a key (apiserver storage.EncodeContinue). */
export function writeContinueToken(revision: number, lastKey: string): string {
  const json = JSON.stringify({ v: version, rv: revision, start: `${lastKey}\0` });
  return encodeBase64(json, { isRaw: true, isUrl: true });
}

/** Reads a token, or throws its 400 (apiserver storage.DecodeContinue). */
export function readContinueToken(token: string): ContinueToken {
  const bytes = decodeBase64(token, { isRaw: true, isUrl: true });
  if ('error' in bytes) throw invalidToken(bytes.error);
  const [first = 0] = bytes;
  // No JSON begins with it, and it may be no UTF-8.
  if (first >= 0x80) {
    throw invalidToken(`invalid character ${quoteByte(first)} looking for beginning of value`);
  }
  const json = decodeUtf8Leniently(bytes);
  const read = readJson(json);
  if ('error' in read) throw invalidToken(read.error);
  const { v, rv, start } = read.value as Readonly<Record<'v' | 'rv' | 'start', unknown>>;
  if (v !== version)
    throw invalidToken(`server does not recognize this encoded version ${String(v ?? '')}`);
  if (rv === 0 || rv === undefined) {
    throw invalidToken(`incorrect encoded start resourceVersion (version ${version})`);
  }
  if (typeof start !== 'string' || start === '')
    throw invalidToken('encoded start key empty (version meta.k8s.io/v1)');
  if (`/${start}`.split('/').includes('..')) throw invalidToken(start);
  return { start, revision: typeof rv === 'number' ? rv : -1 };
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
