import type { JsonObject } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';
import {
  type DifferenceNote,
  differencesAmong,
  type Note,
  noteText,
} from './notes/difference-notes.ts';
import { Unsupported } from './notes/unsupported.ts';
import type { Reservations } from './policy/action.ts';
import type { Target } from './policy/output.ts';

/** The outcome of one rule. */
export interface RuleConversion {
  /** The name of the policy: `NAMESPACE/NAME` where it has a namespace, `KIND/NAME` for a constraint. */
  readonly policy: string;
  /** The name of the rule; absent for a policy that has none. */
  readonly rule?: string;
  /** Whether the result says all that the rule says, a part of it, or nothing. */
  readonly status: 'converted' | 'partial' | 'none';
  /** The names of its results: `Kind/name`. */
  readonly results: readonly string[];
  /** The constructs without an equal, and alternatives to them. */
  readonly reason?: string;
  /** The known differences between the result and the rule; `reason` contains their sentences. */
  readonly differences?: readonly DifferenceNote[];
  /** Whether the result denies what the rule allows. */
  readonly stricter?: boolean;
  /** Whether the result allows what the rule denies. */
  readonly weaker?: boolean;
}

/** Policies and bindings, and the outcome of each rule. */
export interface Conversion {
  /** Policies, bindings and parameters, in the order in which they are to be created. */
  readonly objects: readonly JsonObject[];
  /** The outcome of each rule. */
  readonly rules: readonly RuleConversion[];
}

/** How policies are converted. */
export interface ConvertOptions {
  /** The kinds of the Kubernetes version, and of the definitions, that the result is for. */
  readonly schemas: Schemas;
  /** The kind of policies to write (default: admission policies). */
  readonly target?: Target;
  /**
   * Whether the result is written as an author would, where that means something slightly else: labels of
   * objects by an `objectSelector`, which looks at the object before an update too.
   */
  readonly isIdiomatic?: boolean;
  /** Objects that policies depend on: Kyverno exceptions, Gatekeeper templates. */
  readonly related?: readonly JsonObject[];
}

/** The objects that one rule becomes, and how they differ from it. */
export interface Made extends Reservations {
  readonly objects: readonly JsonObject[];
}

/** The status of a rule: a result that decides some requests otherwise is a part of it, whatever the notes say. */
export function statusOf(
  { lost, weaker, stricter }: Reservations,
  notes: readonly Note[],
): RuleConversion['status'] {
  const isOther = lost.length > 0 || weaker === true || stricter === true;
  return isOther || differencesAmong(notes).length > 0 ? 'partial' : 'converted';
}

/** The reason and the differences of a rule with notes. */
export function reportOf(notes: readonly Note[]): Pick<RuleConversion, 'reason' | 'differences'> {
  const differences = differencesAmong(notes);
  return {
    ...(notes.length > 0 ? { reason: notes.map(noteText).join('; ') } : {}),
    ...(differences.length > 0 ? { differences } : {}),
  };
}

/** The conversion of a policy without a result. */
export function nothingOf(policy: string, reason: string): Conversion {
  return { objects: [], rules: [{ policy, status: 'none', results: [], reason }] };
}

/**
 * The reason for which a rule has no result.
 *
 * @throws the problem itself if it is not an `Unsupported`
 */
export function reasonOf(problem: unknown): string {
  if (!(problem instanceof Unsupported)) throw problem;
  const { message, advice } = problem;
  return advice === undefined ? message : `${message}; instead: ${advice}`;
}
