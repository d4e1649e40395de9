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

/** A value with plain numbers in place of the doubles with integral values that expressions make. */
export function plainJson(value: unknown): unknown {
  if (value instanceof Double) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.some(hasDouble) ? value.map(plainJson) : value;
  if (!Object.values(value).some(hasDouble)) return value;
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainJson(member)]));
}

function hasDouble(value: unknown): boolean {
  if (value instanceof Double) return true;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasDouble);
}
