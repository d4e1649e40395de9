import { escapeJson } from '@kubeadmit/go';
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
  return escapeJson(stringifyJson(value, isPretty ? 2 : 0));
}
