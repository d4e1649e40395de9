/** Kyverno's reason for rejecting a policy. */
export interface Problem {
  /** Kyverno's text. */
  readonly message: string;
  /** Where in the policy, as far as Kyverno knows. */
  readonly path: readonly (string | number)[];
}

/** A problem at a place written as `spec.rules[0].match`. */
export function problemAt(place: string, message: string): Problem {
  return { message, path: pathOf(place) };
}

/** The parts of a place such as `spec.rules[0].match.any[1]`. */
export function pathOf(place: string): readonly (string | number)[] {
  const parts = place.match(/[^.[\]]+|\[\d+\]/g) ?? [];
  return parts.map((part) => (part.startsWith('[') ? Number(part.slice(1, -1)) : part));
}
