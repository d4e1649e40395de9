import { getOrMake } from '@kubeadmit/base';
import type { Facts } from './facts.ts';
import type { PolicyExpression } from './policy-expressions.ts';

/** Uses that are visited, at most: the facts may differ at each. */
const mostUses = 10_000;

interface VariableUse {
  readonly variable: PolicyExpression;
  readonly facts: Facts;
  /** The use of the variable whose expression contains this use. */
  readonly outer: VariableUse | undefined;
}

/**
 * The uses of variables with the facts at their places, each to be visited after the expression that contains it:
 * thousands of variables may use each other, too many for recursion.
 */
export class VariableUses {
  readonly #variables: ReadonlyMap<string, PolicyExpression>;
  readonly #open: VariableUse[] = [];
  /** The used variables, by the facts. */
  readonly #known = new WeakMap<Facts, Set<string>>();
  #visited: VariableUse | undefined;
  #count = 0;

  constructor(variables: readonly PolicyExpression[]) {
    this.#variables = new Map(variables.map((each) => [each.name, each]));
  }

  /** Adds a use of a variable, within the expression that is visited. */
  add(name: string, facts: Facts): void {
    const variable = this.#variables.get(name);
    if (variable === undefined || this.#isVisited(variable)) return;
    // Variables that use each other twice have exponentially many paths from the first to the last.
    const known = getOrMake(this.#known, facts, () => new Set<string>());
    if (known.has(name)) return;
    known.add(name);
    if (++this.#count > mostUses) return;
    this.#open.push({ variable, facts, outer: this.#visited });
  }

  /** Visits the uses, and those within them. */
  *each(): Generator<{ readonly variable: PolicyExpression; readonly facts: Facts }> {
    for (let use = this.#open.pop(); use !== undefined; use = this.#open.pop()) {
      this.#visited = use;
      yield use;
    }
    this.#visited = undefined;
  }

  #isVisited(variable: PolicyExpression): boolean {
    let use = this.#visited;
    while (use !== undefined && use.variable !== variable) use = use.outer;
    return use !== undefined;
  }
}
