import { Double, setKey } from '@kubeadmit/cel';
import { nilList } from '@kubeadmit/schemas/internal';

/** Writes a value as compact JSON; integers beyond 2^53 keep all their digits. */
export function jsonText(value: unknown): string {
  return isPlain(value) ? (JSON.stringify(value) ?? 'null') : specialText(value);
}

function isPlain(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return typeof value !== 'bigint';
  if (value instanceof Double) return false;
  for (const member of Array.isArray(value) ? value : Object.values(value)) {
    if (!isPlain(member)) return false;
  }
  return true;
}

function specialText(value: unknown): string {
  if (typeof value === 'bigint') return String(value);
  if (value instanceof Double) return JSON.stringify(value.value);
  if (Array.isArray(value)) return `[${value.map(specialText).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .map(([key, member]) => `${JSON.stringify(key)}:${specialText(member)}`);
  return `{${members.join(',')}}`;
}

/** A value as it is written: with plain numbers for integral doubles, and null for the nil list. */
export function plainJson(value: unknown): unknown {
  if (value === nilList) return null;
  if (value instanceof Double) return value.value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) {
    const items = value.map(plainJson);
    return items.some((item, place) => item !== value[place]) ? items : value;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, member] of Object.entries(value)) {
    const plain = plainJson(member);
    if (plain === member) continue;
    copy ??= { ...value };
    setKey(copy, key, plain);
  }
  return copy ?? value;
}
