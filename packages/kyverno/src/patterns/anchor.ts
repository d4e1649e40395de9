import { memoize } from '@kubeadmit/base';

/** The modifier of an anchor around a key; the empty one is the condition. */
export type AnchorModifier = '' | '<' | 'X' | '+' | '=' | '^';

/** A key of a pattern in parentheses, such as `=(image)`. */
export interface Anchor {
  /** The kind of the anchor. */
  readonly modifier: AnchorModifier;
  /** The key in parentheses. */
  readonly key: string;
}

/** Reads the anchor that a key of a pattern is, or undefined for a plain key. */
export function parseAnchor(text: string): Anchor | undefined {
  return text.includes('(') ? readAnchor(text) : undefined;
}

const readAnchor = memoize<Anchor | undefined>((text) => {
  const [, modifier = '', key] = /^([+<=X^])?\((.+)\)$/.exec(text.trim()) ?? [];
  return key === undefined ? undefined : { modifier: modifier as AnchorModifier, key };
});

/** A key without its anchor. */
export function plainKey(text: string): string {
  return parseAnchor(text)?.key ?? text;
}

/** An anchor as a key of a pattern. */
export function formatAnchor(modifier: AnchorModifier, key: string): string {
  return `${modifier}(${key})`;
}
