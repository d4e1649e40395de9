/** Why a resource is not as a pattern wants it. */
export interface Mismatch {
  readonly message: string;
  /** Where it is, ending in `/`; the empty path makes an error of a failure. */
  readonly path: string;
  /** Which anchor refused, when one did; what the message says otherwise decides. */
  readonly anchor?: 'condition' | 'global' | 'negation';
  /** Whether several skips were put together on the way up. */
  readonly isCombined?: boolean;
}

const conditionText = 'conditional anchor mismatch';
const globalText = 'global anchor mismatch';
const negationText = 'negation anchor matched in resource';

/** A mismatch of a condition anchor: the pattern does not concern the resource. */
export function conditionMismatch(path: string, inner: string): Mismatch {
  return { path, message: `${conditionText}: ${inner}`, anchor: 'condition' };
}

/** A mismatch of a global anchor: the whole pattern does not concern the resource. */
export function globalMismatch(path: string, inner: string): Mismatch {
  return { path, message: `${globalText}: ${inner}`, anchor: 'global' };
}

/** A key that must not be there is. */
export function negationMismatch(path: string): Mismatch {
  return { path, message: `${negationText}: ${path} is not allowed`, anchor: 'negation' };
}

/** The skips of the parts of a map or list as one. */
export function combinedSkip(path: string, skips: readonly Mismatch[]): Mismatch {
  return { path, message: skips.map((skip) => skip.message).join('; '), isCombined: true };
}

/** Whether a mismatch means that the pattern does not concern the resource. */
export function isSkip({ anchor, message }: Mismatch): boolean {
  if (anchor !== undefined) return anchor !== 'negation';
  return message.includes(conditionText) || message.includes(globalText);
}

/** Whether a mismatch comes from a negation anchor. */
export function isNegation({ anchor, message }: Mismatch): boolean {
  return anchor === undefined ? message.includes(negationText) : anchor === 'negation';
}
