import { escapeJson } from '@kubeadmit/go';
/**
 * Formats a value as JSON as Go's encoding/json does: compact, with `<`, `>`, `&` and the line
 * separators escaped.
 */
export function formatJson(value: unknown): string {
  return escapeJson(JSON.stringify(value));
}
