/** Thrown where a part of a rule has no equal in Kubernetes' own policies; the text says which and why. */
export class Unsupported extends Error {
  /** What its author can do instead, where there is something. */
  readonly advice: string | undefined;

  constructor(reason: string, advice?: string) {
    super(reason);
    this.advice = advice;
  }
}
