import { isObject } from '@kubeadmit/apimachinery';
import { words } from '@kubeadmit/random';
import type { Answer } from './play/answer.ts';
import type { RestCase, Webhook } from './play/play-case.ts';

/** An answer without the parts that differ between runs. */
export interface Normalized {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[]>>;
  /** JSON; of a watch a list of events; otherwise the text. */
  readonly body: unknown;
}

const keptHeaders = ['content-type', 'warning', 'retry-after', 'location'];
const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
const time = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g;

/** The answers of a case, with placeholders for uids, times, versions and generated names. */
export function normalizeAnswers(
  answers: readonly Answer[],
  webhook: Webhook,
  { withoutManagers = false }: Pick<RestCase, 'withoutManagers'> = {},
): readonly Normalized[] {
  const bodies = answers.map(({ text }) =>
    bodyOf(
      text
        .replaceAll(webhook.url, 'https://webhook')
        .replaceAll(webhook.authority, 'authority')
        .replaceAll(new URL(webhook.url).host, 'webhook'),
    ),
  );
  const normalizer = new Normalizer(withoutManagers);
  for (const body of bodies) normalizer.collect(body);
  return answers.map(({ status, headers }, i) => ({
    status,
    headers: Object.fromEntries(
      keptHeaders.flatMap((name) => {
        const value = headers[name];
        return value === undefined ? [] : [[name, value]];
      }),
    ),
    body: normalizer.normalize(bodies[i], []),
  }));
}

function bodyOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    const lines = text.split('\n').filter((line) => line !== '');
    try {
      return lines.map((line) => JSON.parse(line) as unknown);
    } catch {
      return text;
    }
  }
}

class Normalizer {
  readonly #uids = new Map<string, string>();
  readonly #versions = new Set<number>();
  readonly #withoutManagers: boolean;

  constructor(withoutManagers: boolean) {
    this.#withoutManagers = withoutManagers;
  }

  collect(value: unknown): void {
    if (Array.isArray(value)) {
      for (const item of value) this.collect(item);
    } else if (isObject(value)) {
      const metadata = value['metadata'];
      if (isObject(metadata) && !isCollection(value)) {
        const version = metadata['resourceVersion'];
        if (typeof version === 'string' && version !== '') this.#versions.add(Number(version));
      }
      for (const member of Object.values(value)) this.collect(member);
    }
  }

  normalize(value: unknown, path: readonly string[]): unknown {
    if (typeof value === 'string') return this.#text(value, path);
    if (Array.isArray(value)) return inOrder(value.map((item) => this.normalize(item, path)));
    if (!isObject(value)) return value;
    const isListed = isCollection(value);
    const result: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      const below = [...path, key];
      // Descriptions that every server words differently, and facts about the build.
      if (key === 'description' && path.includes('columnDefinitions')) continue;
      if (builds.has(key) && 'gitVersion' in value) continue;
      if (key === 'serverAddress') continue;
      if (key === 'managedFields' && this.#withoutManagers) continue;
      if (key === 'manager' && member === 'server') {
        result[key] = 'kube-apiserver';
        continue;
      }
      if (key === 'metadata' && isListed && isObject(member))
        result[key] = this.#listMetadata(member);
      else if (
        key === 'metadata' &&
        isObject(member) &&
        typeof member['generateName'] === 'string'
      ) {
        result[key] = this.normalize({ ...member, ...generated(member) }, below);
      } else result[key] = this.normalize(member, below);
    }
    return result;
  }

  #listMetadata(metadata: Record<string, unknown>): unknown {
    const { resourceVersion, continue: token, ...rest } = metadata;
    return {
      ...(this.normalize(rest, ['metadata']) as object),
      ...(resourceVersion === undefined ? {} : { resourceVersion: '<list>' }),
      ...(token === undefined ? {} : { continue: token === '' ? '' : '<continue>' }),
    };
  }

  #text(text: string, path: readonly string[]): string {
    const key = path.at(-1);
    if (key === 'since') return '<date>';
    if (key === 'resourceVersion' && path.at(-2) === 'metadata') return this.#rank(text);
    return text
      .replace(uuid, (uid) => {
        const known = this.#uids.get(uid) ?? `<uid-${this.#uids.size + 1}>`;
        this.#uids.set(uid, known);
        return known;
      })
      .replace(time, '<time>')
      .replace(/(resourceVersion\\*"?: ?\\*")\d+/g, '$1<n>')
      .replace(/(version: |ersion in record \(|current: |precondition \()(\d{2,})/gi, '$1<n>')
      .replace(/^\d+[smhd]$/, key === undefined || key === 'cells' ? '<age>' : '$&')
      .replace(/0x[0-9a-f]{8,}/g, '<pointer>')
      .replace(
        /(^|\\?")([A-Za-z]+[-_])[bcdfghjklmnpqrstvwxz2456789]{5}(?=\\?"|$)/g,
        '$1$2<generated>',
      );
  }

  #rank(version: string): string {
    const number = Number(version);
    if (version === '' || !this.#versions.has(number)) return version;
    const sorted = [...this.#versions].sort((a, b) => a - b);
    return `<rv-${sorted.indexOf(number) + 1}>`;
  }
}

const builds: ReadonlySet<string> = new Set(
  words('gitVersion gitCommit goVersion compiler platform gitTreeState buildDate'),
);

function generated(metadata: Record<string, unknown>): Record<string, unknown> {
  const name = metadata['name'];
  const base = metadata['generateName'];
  return typeof name === 'string' && name.startsWith(String(base)) && name !== base
    ? { name: `${String(base)}<generated>` }
    : {};
}

// The server goes through the managers of a conflict in no fixed order.
function inOrder(items: readonly unknown[]): readonly unknown[] {
  const isOfConflict = items.every(
    (item) => isObject(item) && item['reason'] === 'FieldManagerConflict',
  );
  if (!isOfConflict) return items;
  const keyOf = (item: unknown): string => JSON.stringify(item);
  return [...items].sort((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
}

// Lists, tables and bookmarks have the version of the whole store, which others write to as well.
function isCollection(value: Record<string, unknown>): boolean {
  const metadata = value['metadata'];
  return (
    Array.isArray(value['items']) ||
    Array.isArray(value['rows']) ||
    (isObject(metadata) && Object.keys(metadata).length <= 2 && !('name' in metadata))
  );
}
