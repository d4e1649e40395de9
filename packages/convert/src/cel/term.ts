/** The precedence of CEL operators; a higher number binds tighter. */
export const binding = {
  choice: 0,
  or: 1,
  and: 2,
  relation: 3,
  sum: 4,
  unary: 6,
  member: 7,
} as const;

/** A piece of a CEL expression, written out. */
export interface Term {
  readonly text: string;
  /** How tightly its outermost operator binds; see {@link binding}. */
  readonly binds: number;
  /** The same denied, where that reads better than with `!`. */
  readonly negation?: string;
  /** The negated term, where the term is a negation. */
  readonly denied?: Term;
  /** Whether it is a condition that ends in an error where something is absent. */
  readonly mayFail?: boolean;
  /** The joined terms, and the operator that joins them. */
  readonly joined?: { readonly operator: string; readonly parts: readonly Term[] };
}

/** A term that needs no parentheses anywhere. */
export function member(text: string): Term {
  return { text, binds: binding.member };
}

export const always: Term = member('true');
export const never: Term = member('false');

/** Whether a term is `true` or `false`. */
export function isConstant({ text }: Term): boolean {
  return text === always.text || text === never.text;
}

/** The text of a term as an operand of an operator that binds so tightly. */
export function operand({ text, binds }: Term, tightness: number): string {
  return binds < tightness ? `(${text})` : text;
}

/** `a && b && …`; constants are left out, and repetitions too. */
export function all(terms: readonly Term[]): Term {
  return join(terms, always, never, ' && ', binding.and);
}

/** `a || b || …`; constants are left out, and repetitions too. */
export function any(terms: readonly Term[]): Term {
  return join(terms, never, always, ' || ', binding.or);
}

function join(
  terms: readonly Term[],
  neutral: Term,
  deciding: Term,
  operator: string,
  binds: number,
): Term {
  const kept = new Map<string, Term>();
  const flat = terms.flatMap((term) =>
    term.joined?.operator === operator ? term.joined.parts : [term],
  );
  for (const term of flat) {
    if (term.text === deciding.text) return deciding;
    if (term.text !== neutral.text) kept.set(term.text, term);
  }
  const [first = neutral, ...others] = kept.values();
  if (others.length === 0) return first;
  const parts = [first, ...others].map((term) => operand(term, binds));
  const line = parts.join(operator);
  const text = line.length <= longestLine ? line : parts.join(`${operator.trimEnd()}\n`);
  return { text, binds, joined: { operator, parts: [first, ...others] } };
}

const longestLine = 100;

/** `!a`, or the relation turned around. */
export function not(term: Term): Term {
  if (term.text === always.text) return never;
  if (term.text === never.text) return always;
  if (term.negation !== undefined) {
    const binds = term.negation.startsWith('!') ? binding.unary : binding.relation;
    return { text: term.negation, negation: term.text, binds };
  }
  if (term.denied !== undefined) return term.denied;
  // If all parts are negations, each part is negated separately.
  const { operator = '', parts = [] } = term.joined ?? {};
  if (parts.length > 0 && parts.every(isDenial)) {
    return operator.trim() === '&&' ? any(parts.map(not)) : all(parts.map(not));
  }
  return { text: `!${operand(term, binding.unary)}`, binds: binding.unary, denied: term };
}

function isDenial({ denied, text, negation }: Term): boolean {
  return denied !== undefined || (negation !== undefined && / != /.test(text));
}

/** Returns the negated term of a negation. */
export function negated({ denied }: Term): Term | undefined {
  return denied;
}

/** `test ? whenTrue : whenFalse` */
export function choice(test: Term, whenTrue: Term, whenFalse: Term): Term {
  const text = `${operand(test, binding.or)} ? ${operand(whenTrue, binding.or)} : ${operand(whenFalse, binding.choice)}`;
  return { text, binds: binding.choice };
}

/** The term as a definite boolean: to the type checker, a value of an object may have any type. */
export function truth(term: Term): Term {
  return term.binds === binding.member && /\.orValue\((?:true|false)\)$/.test(term.text)
    ? relation(term, '==', always)
    : term;
}

const opposites: Readonly<Record<string, string>> = {
  '==': '!=',
  '!=': '==',
  '<': '>=',
  '>=': '<',
  '>': '<=',
  '<=': '>',
};

/** `left == right`, `left <= right` and so on, `left in right`. */
export function relation(left: Term, operator: string, right: Term): Term {
  const [a, b] = [operand(left, binding.sum), operand(right, binding.sum)];
  const opposite = opposites[operator];
  return {
    text: `${a} ${operator} ${b}`,
    binds: binding.relation,
    ...(opposite === undefined ? {} : { negation: `${a} ${opposite} ${b}` }),
  };
}

/** `target.name(arguments…)` */
export function call(target: Term, name: string, ...values: readonly Term[]): Term {
  const given = values.map(({ text }) => text).join(', ');
  return member(`${operand(target, binding.member)}.${name}(${given})`);
}

/** `name(arguments…)` */
export function apply(name: string, ...values: readonly Term[]): Term {
  return member(`${name}(${values.map(({ text }) => text).join(', ')})`);
}
