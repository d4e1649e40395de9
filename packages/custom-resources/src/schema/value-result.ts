import { sortedJson } from '../values/go-value-text.ts';
import { ErrorLimit, tooManyErrors } from './error-limit.ts';
import {
  childPath,
  type Finding,
  invalid,
  notSupported,
  required,
  tooLong,
  tooMany,
  typeInvalid,
} from './finding.ts';

/** The kind of an error, which determines the type of the field error. */
export type ViolationKind =
  | 'type'
  | 'required'
  | 'enum'
  | 'tooLong'
  | 'tooMany'
  | 'invalid'
  | 'unplaced';

/** One error of a value against its schema (kube-openapi, `errors.Validation`). */
export interface Violation {
  readonly kind: ViolationKind;
  /** The path, with a leading dot where a property of the root is missing. */
  readonly path: string;
  readonly message: string;
  /** The value that the error shows; undefined for none. */
  readonly value?: unknown;
  /** The limit that was exceeded. */
  readonly limit?: number;
  /** The values of an enum. */
  readonly allowed?: readonly unknown[];
}

/** The result of validating a value (kube-openapi, `validate.Result`). */
export class ValueResult {
  readonly violations: Violation[] = [];
  /** How many checks were made, by which the best branch of `anyOf` and `oneOf` is chosen. */
  matches = 0;
  readonly #limit: ErrorLimit = new ErrorLimit();
  // Of the violations; made for the second one, because a long text takes long to hash.
  #messages: Set<string> | undefined;

  get isValid(): boolean {
    return this.violations.length === 0;
  }

  /** Whether it has so many violations that nothing else has to be checked. */
  get isFull(): boolean {
    return this.#limit.isReached;
  }

  /** Adds violations, of which each text is kept once. */
  add(...violations: readonly Violation[]): void {
    for (const violation of violations) {
      if (this.isFull) return;
      if (!this.#isNew(violation)) continue;
      this.#limit.count(violation.message);
      this.violations.push(violation);
      if (this.isFull) {
        this.violations.push({ kind: 'unplaced', path: '', message: tooManyErrors });
      }
    }
  }

  #isNew({ message }: Violation): boolean {
    if (this.violations.length === 0) return true;
    this.#messages ??= new Set(this.violations.map((each) => each.message));
    if (this.#messages.has(message)) return false;
    this.#messages.add(message);
    return true;
  }

  /** Adds the findings of another result. */
  merge(other: ValueResult): void {
    this.add(...other.violations);
    this.matches += other.matches;
  }
}

/** A violation as a field error of the object at a path (apiextensions, `kubeOpenAPIResultToFieldErrors`). */
export function violationFinding(base: string, violation: Violation): Finding {
  const { kind, value = '', message, limit = -1 } = violation;
  if (kind === 'unplaced') return invalid(base, '', message);
  const relative = violation.path.replace(/^\./, '');
  const path = violation.path === '' || violation.path === '.' ? base : childPath(base, relative);
  switch (kind) {
    case 'required':
      return required(path);
    case 'enum': {
      const allowed = (violation.allowed ?? []).map((each) =>
        typeof each === 'string' ? each : sortedJson(each),
      );
      return notSupported(path, violation.value, allowed);
    }
    case 'tooLong':
      return tooLong(path, limit);
    case 'tooMany':
      return tooMany(path, Number(value), limit);
    case 'type':
      return typeInvalid(path, value ?? '', message);
    case 'invalid':
      return invalid(path, value ?? '', message);
    default:
      return kind satisfies never;
  }
}
