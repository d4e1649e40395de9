import { Double } from '@kubeadmit/cel';

/** Writes a value as compact JSON; integers beyond 2^53 keep all their digits. */
export function jsonText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Double) return JSON.stringify(value.value);
  if (Array.isArray(value)) return `[${value.map(jsonText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${jsonText(member)}`);
  return `{${members.join(',')}}`;
}
