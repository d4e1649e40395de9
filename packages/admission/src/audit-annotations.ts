import { cutBytes, formatJson } from '@kubeadmit/go';

const valueLimit = 10 * 1024;
const failuresLimit = 50;
const failuresKey = 'validation.policy.admission.k8s.io/validation_failure';

/** A failed validation of a binding with the action Audit. */
export interface ValidationFailure {
  readonly message: string;
  readonly policy: string;
  readonly binding: string;
  readonly expressionIndex: number;
  readonly validationActions: readonly string[];
}

/** Collects the audit annotations of one request. */
export class AuditAnnotations {
  readonly #published: Map<string, string> = new Map();
  readonly #failures: ValidationFailure[] = [];

  /** Notes a failure; they are published together at the end. */
  addFailure(failure: ValidationFailure): void {
    this.#failures.push(failure);
  }

  /** Publishes the values that a policy computed: distinct ones of a key are joined. */
  publish(policy: string, values: PolicyAnnotations['values']): void {
    for (const [key, distinct] of values) {
      this.#published.set(`${policy}/${key}`, [...distinct].join(', '));
    }
  }

  /** Publishes the failures as one annotation; those beyond 50 are left out. */
  publishFailures(): void {
    if (this.#failures.length === 0) return;
    const listed = this.#failures.slice(0, failuresLimit).map((failure) => ({
      message: failure.message,
      policy: failure.policy,
      binding: failure.binding,
      expressionIndex: failure.expressionIndex,
      validationActions: failure.validationActions,
    }));
    this.#published.set(failuresKey, formatJson(listed));
  }

  /** All annotations by key; `undefined` when there are none. */
  get all(): Readonly<Record<string, string>> | undefined {
    return this.#published.size === 0 ? undefined : Object.fromEntries(this.#published);
  }
}

/** The values of a policy's audit annotations by key, over all of its bindings and parameters. */
export class PolicyAnnotations {
  /** `undefined` when there are none. */
  #found: Map<string, Set<string>> | undefined;

  /** Whether there are none. */
  get isEmpty(): boolean {
    return this.#found === undefined;
  }

  get values(): Iterable<readonly [string, ReadonlySet<string>]> {
    return this.#found ?? [];
  }

  add(key: string, value: string): void {
    const cut = cutBytes(value, valueLimit);
    this.#found ??= new Map();
    const known = this.#found.get(key);
    if (known === undefined) this.#found.set(key, new Set([cut]));
    else known.add(cut);
  }
}
