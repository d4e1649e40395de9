import { Double, type Value } from '@kubeadmit/cel';

/**
 * JSON text of a value as Go's encoding/json writes numbers: `1` for the double 1.0, every digit of
 * an int of 64 bits.
 *
 * Keys with the value `undefined` are left out. `indent` spaces a level, none on one line.
 */
export function stringifyJson(value: unknown, indent = 0): string {
  if (!holdsNumberClass(value)) return JSON.stringify(value, undefined, indent);
  return write(value, indent, '');
}

function holdsNumberClass(root: unknown): boolean {
  const open: unknown[] = [root];
  while (open.length > 0) {
    const value = open.pop();
    if (typeof value === 'bigint' || value instanceof Double) return true;
    if (typeof value !== 'object' || value === null) continue;
    for (const item of Array.isArray(value) ? value : Object.values(value)) {
      if (typeof item === 'object' || typeof item === 'bigint') open.push(item);
    }
  }
  return false;
}

function write(value: unknown, indent: number, margin: string): string {
  if (typeof value === 'bigint') return value.toString();
  if (value instanceof Double) return Object.is(value.value, -0) ? '-0' : String(value.value);
  if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? 'null';
  const inner = margin + ' '.repeat(indent);
  if (Array.isArray(value)) {
    const items = (value as readonly Value[]).map((item) => write(item, indent, inner));
    return wrap('[', items, ']', indent, margin);
  }
  const separator = indent > 0 ? ': ' : ':';
  const fields: string[] = [];
  for (const [key, item] of Object.entries(value)) {
    if (item !== undefined) {
      fields.push(JSON.stringify(key) + separator + write(item, indent, inner));
    }
  }
  return wrap('{', fields, '}', indent, margin);
}

function wrap(
  open: string,
  items: readonly string[],
  close: string,
  indent: number,
  margin: string,
): string {
  if (items.length === 0) return open + close;
  if (indent === 0) return open + items.join(',') + close;
  const inner = `\n${margin}${' '.repeat(indent)}`;
  return `${open}${inner}${items.join(`,${inner}`)}\n${margin}${close}`;
}
