import { referencesIn } from '../variables/reference-texts.ts';

/** Lengthens the references in a message by the path that was put around a pattern. */
export function shiftReferences(message: string, shift: string, pivot: string): string {
  let result = message;
  let anchor = pivot;
  for (const found of referencesIn(message)) {
    const prefix = found.startsWith('$(') ? '' : (found[0] ?? '');
    const reference = found.slice(prefix.length);
    if (anchor === 'anyPattern') {
      const index = reference.indexOf(anchor);
      anchor = `${anchor}/${reference.slice(index + anchor.length + 1).split('/')[0] ?? ''}`;
    }
    const shifted = reference.replaceAll(anchor, () => `${anchor}/${shift}`);
    result = result.replace(found, () => prefix + shifted);
  }
  return result;
}
