import type { UserInfo } from '@kubeadmit/engine';
import { parseVersion } from '@kubeadmit/engine';
import { getOrMake } from '@kubeadmit/go/internal';
import { badRequest } from '../errors/failures.ts';
import type { Exchange, Machinery } from '../machinery.ts';
import { constrainedModes, legacyMode, type Mode } from './impersonation-modes.ts';

const userHeader = 'impersonate-user';
const groupHeader = 'impersonate-group';
const uidHeader = 'impersonate-uid';
const extraPrefix = 'impersonate-extra-';
/** The first minor version that has constrained impersonation (KEP-5284) switched on. */
const constrainedSince = 36;
const mostRemembered = 10_000;

/** Which mode was the last to let a user impersonate anybody: it is tried first, and its refusal is the one told. */
const lastModes: WeakMap<Machinery, Map<string, Mode>> = new WeakMap();

/**
 * The user that a request asks to be treated as, or undefined when it asks for none; throws the 403 of one who may
 * not (apiserver filters/impersonation).
 */
export function impersonatedUser(exchange: Exchange): UserInfo | undefined {
  const wanted = wantedUser(exchange);
  if (wanted === undefined) return undefined;
  const { machinery, request } = exchange;
  const remembered = getOrMake(lastModes, machinery, () => new Map<string, Mode>());
  const requestor = request.user.username ?? '';
  const minor = parseVersion(machinery.options.kubernetesVersion);
  const modes = minor >= constrainedSince ? [...constrainedModes, legacyMode] : [legacyMode];
  const last = remembered.get(requestor);
  const ordered = last === undefined ? modes : [last, ...modes.filter((mode) => mode !== last)];
  let refusal: unknown;
  for (const mode of ordered) {
    try {
      const user = mode(exchange, wanted);
      if (user === undefined) continue;
      remembered.set(requestor, mode);
      const [oldest] = remembered.size > mostRemembered ? remembered.keys() : [];
      if (oldest !== undefined) remembered.delete(oldest);
      return user;
    } catch (error) {
      refusal ??= error;
    }
  }
  throw refusal;
}

function wantedUser({ request }: Exchange): (UserInfo & { username: string }) | undefined {
  const { headers } = request;
  const username = headers[userHeader] ?? '';
  const groups = splitHeader(headers[groupHeader]);
  const uid = headers[uidHeader];
  const extra = extraOf(headers);
  const hasExtra = Object.keys(extra).length > 0;
  if (username === '') {
    if (groups.length === 0 && uid === undefined && !hasExtra) return undefined;
    const list = groups.map((group) => JSON.stringify(group)).join(', ');
    const shown = groups.length === 0 ? '[]string(nil)' : `[]string{${list}}`;
    throw badRequest(
      `requested &user.DefaultInfo{Name:"", UID:"${uid ?? ''}", Groups:${shown}, Extra:map[string][]string(nil)} without impersonating a user name`,
    );
  }
  return {
    username,
    ...(uid === undefined ? {} : { uid }),
    groups,
    ...(hasExtra ? { extra } : {}),
  };
}

function splitHeader(value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return value
    .split(',')
    .map((each) => each.trim())
    .filter((each) => each !== '');
}

function extraOf(
  headers: Readonly<Record<string, string | undefined>>,
): Readonly<Record<string, readonly string[]>> {
  const extra: Record<string, readonly string[]> = Object.create(null);
  for (const [name, value] of Object.entries(headers)) {
    if (!name.startsWith(extraPrefix)) continue;
    extra[unescaped(name.slice(extraPrefix.length))] = splitHeader(value);
  }
  return extra;
}

function unescaped(key: string): string {
  try {
    return decodeURIComponent(key);
  } catch {
    return key;
  }
}
