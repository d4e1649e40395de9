import { isFeatureOn } from '@kubeadmit/admission/unstable-internal';
import { getOrMake } from '@kubeadmit/base';
import { parseVersion, type UserInfo } from '@kubeadmit/engine';
import { quote, sortedKeys } from '@kubeadmit/go';
import { badRequest } from '../errors/failures.ts';
import { type ApiRequest, headerLines, headerOf } from '../http/request.ts';
import type { Exchange, Machinery } from '../machinery/machinery.ts';
import { constrainedModes, legacyMode, type Mode } from './impersonation-modes.ts';

const userHeader = 'impersonate-user';
const groupHeader = 'impersonate-group';
const uidHeader = 'impersonate-uid';
const extraPrefix = 'impersonate-extra-';
const mostRemembered = 10_000;

/** The mode in which each user last impersonated someone; it is tried first, and its error is returned. */
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
  const modes = isFeatureOn('ConstrainedImpersonation', minor)
    ? [...constrainedModes, legacyMode]
    : [legacyMode];
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
  const username = headerOf(request, userHeader) ?? '';
  const uid = headerOf(request, uidHeader) ?? '';
  const groups = headerLines(request, groupHeader);
  const extra = extraOf(request);
  const hasExtra = Object.keys(extra).length > 0;
  if (username === '') {
    if (groups.length === 0 && uid === '' && !hasExtra) return undefined;
    throw badRequest(
      `requested &user.DefaultInfo{Name:"", UID:${quote(uid)}, Groups:${printTexts(groups)}, Extra:${printExtra(extra)}} without impersonating a user name`,
    );
  }
  return {
    username,
    ...(uid === '' ? {} : { uid }),
    groups,
    ...(hasExtra ? { extra } : {}),
  };
}

// As Go's `%#v`.
function printTexts(texts: readonly string[]): string {
  return texts.length === 0 ? '[]string(nil)' : `[]string{${texts.map(quote).join(', ')}}`;
}

function printExtra(extra: NonNullable<UserInfo['extra']>): string {
  const keys = sortedKeys(extra);
  if (keys.length === 0) return 'map[string][]string(nil)';
  const entries = keys.map((key) => `${quote(key)}:${printTexts(extra[key] ?? [])}`);
  return `map[string][]string{${entries.join(', ')}}`;
}

function extraOf(request: ApiRequest): Readonly<Record<string, readonly string[]>> {
  const extra: Record<string, readonly string[]> = Object.create(null);
  for (const name of Object.keys(request.headers)) {
    if (!name.startsWith(extraPrefix)) continue;
    const key = unescaped(name.slice(extraPrefix.length));
    extra[key] = [...(extra[key] ?? []), ...headerLines(request, name)];
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
