import { deepestYaml } from '@kubeadmit/go/internal';

/** A token of a parser of YAML, as far as nesting goes: a document, a collection with its items, or something else. */
interface Token {
  readonly offset?: number;
  readonly value?: unknown;
  readonly items?: readonly { readonly key?: unknown; readonly value?: unknown }[];
}

/** Where the first collection begins that lies deeper than {@link deepestYaml} in the document of a token. */
export function tooDeepYaml(document: unknown): number | undefined {
  const pending: [token: unknown, depth: number][] = [[document, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [token, depth] = next;
    if (typeof token !== 'object' || token === null) continue;
    const { offset, value, items } = token as Token;
    if (depth > deepestYaml) return offset ?? 0;
    if (items === undefined) {
      pending.push([value, depth]);
      continue;
    }
    for (const item of items) pending.push([item.key, depth + 1], [item.value, depth + 1]);
  }
  return undefined;
}
