import type { JsonObject } from '@kubeadmit/apimachinery';

/** Thrown where a part of a rule has no equal in Kubernetes' own policies; the text says which and why. */
export class Unsupported extends Error {
  /** A suggestion for the author of the rule, if there is one. */
  readonly advice: string | undefined;

  constructor(reason: string, advice?: string) {
    super(reason);
    this.advice = advice;
  }
}

/** Reports that a part of a rule has none of the fields of which it needs one; another field in it may be misspelt. */
export function withoutForm(
  field: string,
  given: JsonObject,
  forms: readonly string[],
): Unsupported {
  const quoted = (names: readonly string[]): string =>
    names.map((name) => `\`${name}\``).join(', ');
  const own = Object.keys(given);
  const found = own.length === 0 ? 'it is empty' : `it has ${quoted(own)}`;
  return new Unsupported(`\`${field}\` has none of ${quoted(forms)}: ${found}`);
}
