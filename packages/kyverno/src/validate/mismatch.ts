/** Why a resource is not as a pattern wants it. */
export interface Mismatch {
  readonly message: string;
  /** Where it is, ending in `/`; the empty path makes an error of a failure. */
  readonly path: string;
  /** The anchor that refused, if one did; otherwise the message decides. */
  readonly anchor?: 'condition' | 'global' | 'negation';
  /** Whether several skips were combined into one. */
  readonly isCombined?: boolean;
  /** The value that was found and the part of the pattern that differs; absent if no values were compared. */
  readonly compared?: Compared | undefined;
}

/** A value that was compared with a part of a pattern. */
export interface Compared {
  readonly found: unknown;
  readonly wanted: unknown;
}

const conditionText = 'conditional anchor mismatch';
const globalText = 'global anchor mismatch';
const negationText = 'negation anchor matched in resource';

/** A mismatch of a condition anchor: the pattern does not concern the resource. */
export function conditionMismatch(path: string, inner: string, compared?: Compared): Mismatch {
  return { path, message: `${conditionText}: ${inner}`, anchor: 'condition', compared };
}

/** A mismatch of a global anchor: the whole pattern does not concern the resource. */
export function globalMismatch({ path, message, compared }: Mismatch): Mismatch {
  return { path, message: `${globalText}: ${message}`, anchor: 'global', compared };
}

/** A key that must not be there is. */
export function negationMismatch(path: string, compared: Compared): Mismatch {
  const message = `${negationText}: ${path} is not allowed`;
  return { path, message, anchor: 'negation', compared };
}

/** The skips of the parts of a map or list as one. */
export function combinedSkip(path: string, skips: readonly Mismatch[]): Mismatch {
  const message = skips.map((skip) => skip.message).join('; ');
  return { path, message, isCombined: true, compared: skips[0]?.compared };
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
