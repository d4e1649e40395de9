import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import { matchesWildcard } from './wildcard.ts';

/** The kinds that a selector selects; each part may contain wildcards. */
export interface KindSelector {
  /** The group; may contain wildcards. */
  readonly group: string;
  /** The version; may contain wildcards. */
  readonly version: string;
  /** The kind; may contain wildcards. */
  readonly kind: string;
  /** The subresource; empty for the resource itself. */
  readonly subresource: string;
}

const versionText = /^(?:v\d(?:(?:alpha|beta)\d)?|\*)$/;

/** Reads a kind selector such as `Pod`, `apps/v1/Deployment` or `*\/scale` (Kyverno's `ParseKindSelector`). */
export function parseKindSelector(text: string): KindSelector {
  const slashed = text.split('/');
  const parts = [...slashed.slice(0, -1), ...(slashed.at(-1) ?? '').split('.')];
  const [first = '', second = '', third = '', fourth = ''] = parts;
  const isVersion = versionText.test(first);
  switch (parts.length) {
    case 1:
      return { group: '*', version: '*', kind: first, subresource: '' };
    case 2:
      if (first === '*' && (second === '*' || second === second.toLowerCase())) {
        return { group: '*', version: '*', kind: '*', subresource: second };
      }
      return isVersion
        ? { group: '*', version: first, kind: second, subresource: '' }
        : { group: '*', version: '*', kind: first, subresource: second };
    case 3:
      return isVersion
        ? { group: '*', version: first, kind: second, subresource: third }
        : { group: first, version: second, kind: third, subresource: '' };
    case 4:
      return { group: first, version: second, kind: third, subresource: fourth };
    default:
      return { group: '', version: '', kind: '', subresource: '' };
  }
}

/** Whether a selector chooses a kind and subresource; a Pod is chosen for its ephemeral containers too. */
export function selectsKind(
  selector: KindSelector,
  kind: GroupVersionKind,
  subresource: string,
): boolean {
  if (!matchesWildcard(selector.kind, kind.kind)) return false;
  if (!matchesWildcard(selector.group, kind.group)) return false;
  if (!matchesWildcard(selector.version, kind.version)) return false;
  if (matchesWildcard(selector.subresource, subresource)) return true;
  const isPod = kind.group === '' && kind.version === 'v1' && kind.kind === 'Pod';
  return isPod && subresource === 'ephemeralcontainers';
}

/** The kind that a selector names, its group, version and subresource left off (Kyverno's `GetKindFromGVK`). */
export function plainKind(text: string): string {
  const parts = text.split('/');
  const [first = '', second = '', third = '', fourth = ''] = parts;
  const isVersion = versionText.test(first);
  const kind =
    parts.length === 1
      ? text.replace('.', '/')
      : parts.length === 2
        ? isVersion && !(first === '*' && second === '*')
          ? second.replace('.', '/')
          : `${first}/${second}`
        : parts.length === 3
          ? isVersion
            ? `${second}/${third}`
            : third.replace('.', '/')
          : parts.length === 4
            ? `${third}/${fourth}`
            : '';
  const split = kind.split('/');
  return split.length === 2 ? (split[0] ?? '') : kind;
}
