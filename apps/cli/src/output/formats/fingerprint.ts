import { createHash } from 'node:crypto';
import type { ReportItem } from '../report.ts';

/**
 * Fingerprints of items, by which programs know findings again after files have changed: they depend on the rule, the
 * file, the name and the message, and not on lines. Equal findings are counted.
 */
export class Fingerprints {
  readonly #seen = new Map<string, number>();

  /** The fingerprint of the next item. */
  next({ rule, file, name, message }: ReportItem): string {
    const key = JSON.stringify([rule, path(file), name, message]);
    const first = digest(`${key}1`);
    const count = (this.#seen.get(first) ?? 0) + 1;
    this.#seen.set(first, count);
    return count === 1 ? first : digest(`${key}${count}`);
  }
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 32);
}

/** Returns a path in the same form on every system. */
export function path(file: string): string {
  return file.replaceAll('\\', '/').replace(/^\.\//, '');
}
