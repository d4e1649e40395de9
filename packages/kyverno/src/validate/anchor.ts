/** What an anchor around a key asks for; the empty modifier is the condition. */
export type AnchorModifier = '' | '<' | 'X' | '+' | '=' | '^';

/** A key of a pattern in parentheses, such as `=(image)`. */
export interface Anchor {
  readonly modifier: AnchorModifier;
  readonly key: string;
}

const cache = new Map<string, Anchor | undefined>();

/** Reads the anchor that a key of a pattern is, or undefined for a plain key. */
export function parseAnchor(text: string): Anchor | undefined {
  if (!text.includes('(')) return undefined;
  if (cache.has(text)) return cache.get(text);
  const match = /^([+<=X^])?\((.+)\)$/.exec(text.trim());
  const anchor =
    match === null
      ? undefined
      : { modifier: (match[1] ?? '') as AnchorModifier, key: match[2] ?? '' };
  if (cache.size > 1000) cache.clear();
  cache.set(text, anchor);
  return anchor;
}

/** A key without its anchor. */
export function plainKey(text: string): string {
  return parseAnchor(text)?.key ?? text;
}

/** An anchor as a key of a pattern. */
export function formatAnchor(modifier: AnchorModifier, key: string): string {
  return `${modifier}(${key})`;
}
