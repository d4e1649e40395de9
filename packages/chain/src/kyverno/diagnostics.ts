import type { KubernetesObject } from '@kubeadmit/apimachinery';
import { type IdleException, idleExceptions } from './idle-exceptions.ts';
import type { KnownPolicies } from './known-policies.ts';
import {
  findBackgroundProblems,
  findKyvernoNotes,
  findKyvernoProblems,
  type IsStored,
  type KyvernoNote,
  type KyvernoProblem,
} from './policy-problems.ts';

/** The problems of Kyverno's policies and exceptions, whatever requests there are. */
export class KyvernoDiagnostics {
  readonly #objects: readonly KubernetesObject[];
  readonly #known: KnownPolicies;
  readonly #clock: () => number;

  constructor(objects: readonly KubernetesObject[], known: KnownPolicies, clock: () => number) {
    this.#objects = objects;
    this.#known = known;
    this.#clock = clock;
  }

  /**
   * Returns the problems that prevent policies, some of their rules, or exceptions from acting. Objects that a
   * server has stored (`isStored`) are not validated against the definitions known here, which may be older.
   */
  problems(isStored: IsStored = () => false): readonly KyvernoProblem[] {
    return findKyvernoProblems(this.#objects, this.#known.policies, isStored);
  }

  /** Returns the rules that a webhook alone does not evaluate, because they act in the background. */
  get backgroundProblems(): readonly KyvernoProblem[] {
    return findBackgroundProblems(this.#known.policies);
  }

  /** Returns valid but probably unintended parts of policies and exceptions. */
  notes(isStored: IsStored = () => false): readonly KyvernoNote[] {
    const { policies, exceptions } = this.#known;
    return findKyvernoNotes(this.#objects, { policies, exceptions, now: this.#clock() }, isStored);
  }

  /** The exceptions that name policies or rules which do not exist. */
  get idleExceptions(): readonly IdleException[] {
    return idleExceptions(this.#objects, this.#known.policies, this.#known.exceptions);
  }
}
