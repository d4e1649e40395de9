import type { Path } from '@kubeadmit/manifest';

/** A string somewhere in an object. */
export interface PlacedString {
  readonly path: Path;
  readonly text: string;
}

/** Every string below a value, in order. */
export function stringsIn(value: unknown, path: Path): readonly PlacedString[] {
  if (typeof value === 'string') return [{ path, text: value }];
  if (Array.isArray(value)) return value.flatMap((item, i) => stringsIn(item, [...path, i]));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => stringsIn(inner, [...path, key]));
}
