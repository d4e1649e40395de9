import { createHash } from 'node:crypto';
import type { ReportItem } from './report.ts';

/**
 * Fingerprints of items, by which programs know findings again after files have changed: they depend on the rule, the
 * file, the name and the message, and not on lines. Equal findings are counted.
 */
export function fingerprints(items: readonly ReportItem[]): readonly string[] {
  const seen = new Map<string, number>();
  return items.map(({ rule, file, name, message }) => {
    const key = JSON.stringify([rule, path(file), name, message]);
    const count = (seen.get(key) ?? 0) + 1;
    seen.set(key, count);
    return createHash('sha256').update(`${key}${count}`).digest('hex').slice(0, 32);
  });
}

/** A path as it is written on every system. */
export function path(file: string): string {
  return file.replaceAll('\\', '/').replace(/^\.\//, '');
}
