import { describeValue, hasMembers, requireText } from '@kubeadmit/go/internal';

/**
 * Requires the URI of a document, and a position or a range in it.
 *
 * @throws TypeError with the name of the method, and what it got
 */
export function requirePlace(call: string, uri: unknown, ...positions: readonly unknown[]): void {
  requireText(call, uri);
  for (const position of positions) {
    if (hasMembers(position) && isCount(position['line']) && isCount(position['character']))
      continue;
    const given = describeValue(position);
    throw new TypeError(`${call} takes positions with \`line\` and \`character\`, not ${given}`);
  }
}

function isCount(value: unknown): boolean {
  return Number.isInteger(value);
}

/** The two ends of a range, whatever was given for it. */
export function endsOf(range: unknown): readonly unknown[] {
  return hasMembers(range) ? [range['start'], range['end']] : [range];
}
