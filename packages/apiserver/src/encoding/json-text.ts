import { stringifyJson } from '@kubeadmit/manifest';

/** How JSON is laid out. */
export interface JsonTextOptions {
  /** With line breaks and two spaces for each level. */
  readonly isPretty?: boolean | undefined;
}

/**
 * Writes a value as Go's encoding/json does: `<`, `>`, `&` and the two line separators of Unicode escaped, all
 * digits of integers kept.
 */
export function jsonText(value: unknown, { isPretty = false }: JsonTextOptions = {}): string {
  return stringifyJson(value, isPretty ? 2 : 0).replace(/[<>&\u2028\u2029]/g, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
