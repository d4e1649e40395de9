/**
 * The reason why bytes are not a certificate, with Go's message. Never leaves the functions that read certificates.
 */
export class X509Error extends Error {}

/** Returns a value that was read; throws if it is `undefined`. */
export function required<T>(read: T | undefined, problem: string): T {
  if (read === undefined) throw new X509Error(problem);
  return read;
}

/** An integer that was read, as far as it fits into 64 bits; throws for others. */
export function requiredInt64(read: bigint | undefined, problem: string): bigint {
  const integer = required(read, problem);
  if (BigInt.asIntN(64, integer) !== integer) throw new X509Error(problem);
  return integer;
}
