import { scanJson } from '@kubeadmit/go/internal';
import { badRequest } from '../errors/failures.ts';

/** Where a list goes on. */
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
  const text = String.fromCharCode(...new TextEncoder().encode(json));
  return btoa(text).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

/** Reads a token, or throws its 400 (apiserver storage.DecodeContinue). */
export function readContinueToken(token: string): ContinueToken {
  let json: string;
  try {
    const text = atob(token.replaceAll('-', '+').replaceAll('_', '/'));
    const bytes = Uint8Array.from(text, (character) => character.charCodeAt(0));
    json = new TextDecoder().decode(bytes);
  } catch {
    throw invalidToken(`illegal base64 data at input byte ${token.length - 1}`);
  }
  const { error } = scanJson(json);
  if (error !== undefined) throw invalidToken(error);
  const value = JSON.parse(json) as Readonly<Record<'v' | 'rv' | 'start', unknown>>;
  const { v, rv, start } = value;
  if (v !== version)
    throw invalidToken(`server does not recognize this encoded version "${String(v ?? '')}"`);
  if (typeof start !== 'string' || start === '')
    throw invalidToken('encoded start key empty (version meta.k8s.io/v1)');
  if (`/${start}`.split('/').includes('..')) throw invalidToken(start);
  return { start, revision: typeof rv === 'number' ? rv : -1 };
}

function invalidToken(why: string): Error {
  return badRequest(`invalid continue token: continue key is not valid: ${why}`);
}
