import { member, memberText } from '@kubeadmit/apimachinery';
import { semanticallyEqual } from '../write/semantic-equality.ts';

/**
 * Merges two lists of tolerations; of two that cover each other, the wider one stays (kubernetes
 * pkg/util/tolerations.MergeTolerations).
 */
export function mergeTolerations(first: readonly unknown[], second: readonly unknown[]): unknown[] {
  const all = [...first, ...second];
  const merged: unknown[] = [];
  for (const [index, own] of all.entries()) {
    const isCovered = merged.some((wider) => covers(wider, own));
    const isCoveredLater = all
      .slice(index + 1)
      .some((wider) => !semanticallyEqual(own, wider) && covers(wider, own));
    if (!isCovered && !isCoveredLater) merged.push(own);
  }
  return merged;
}

/** Whether each toleration is covered by one of a list; an empty list covers all (`VerifyAgainstWhitelist`). */
export function areCovered(tolerations: readonly unknown[], allowed: readonly unknown[]): boolean {
  if (allowed.length === 0) return true;
  return tolerations.every((own) => allowed.some((wider) => covers(wider, own)));
}

/** Whether a toleration tolerates everything that another one tolerates (`isSuperset`). */
function covers(wider: unknown, own: unknown): boolean {
  if (semanticallyEqual(own, wider)) return true;
  const text = (toleration: unknown, key: string): string => memberText(toleration, key);
  const operator = text(wider, 'operator');
  const isForAllKeys = text(wider, 'key') === '' && operator === 'Exists';
  if (text(own, 'key') !== text(wider, 'key') && !isForAllKeys) return false;
  const effect = text(wider, 'effect');
  if (text(own, 'effect') !== effect && effect !== '') return false;
  if (effect === 'NoExecute' && isShorter(wider, own)) return false;
  if (operator === 'Exists') return true;
  if (operator !== '' && operator !== 'Equal') return false;
  return text(own, 'operator') === 'Equal' && text(own, 'value') === text(wider, 'value');
}

function isShorter(wider: unknown, own: unknown): boolean {
  const seconds = member(wider, 'tolerationSeconds') ?? undefined;
  if (seconds === undefined) return false;
  const needed = member(own, 'tolerationSeconds') ?? undefined;
  return needed === undefined || Number(needed) > Number(seconds);
}
