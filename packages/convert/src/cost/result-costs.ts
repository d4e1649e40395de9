import { admit, type Cluster, loadCluster } from '@kubeadmit/admission';
import {
  isObject,
  type JsonObject,
  type KubernetesObject,
  metadataString,
} from '@kubeadmit/apimachinery';
import {
  Grower,
  placesOf,
  Random,
  requestOf,
  type Target,
  targetsOf,
} from '@kubeadmit/difference/unstable-internal';
import { perCallLimit, requestBudget } from '@kubeadmit/engine';
import type { Schemas } from '@kubeadmit/schemas';
import { largestObject, sizeOf, stretched } from './large-objects.ts';

/** The budget of all match conditions of a policy. */
const conditionsBudget = requestBudget / 4;

/** The highest CEL costs of a policy's expressions among the tested objects, in CEL cost units. */
export interface ResultCost {
  /** `Kind/name` */
  readonly policy: string;
  /** The size of the largest tested object, in bytes of JSON. */
  readonly bytes: number;
  /** The most of one expression or variable, of 1,000,000. */
  readonly expression: number;
  /** All validations, or one mutation, with the variables that they read, of 10,000,000. */
  readonly policyTotal: number;
  /** All match conditions, of 2,500,000. */
  readonly conditions: number;
  /** Whether the most of a limit is used up, or all of it. */
  readonly isNear: boolean;
  /** The largest object for which no limit is reached, in bytes; absent where none is reached at all. */
  readonly withinBytes?: number;
}

/** How costs are measured. */
export interface CostOptions {
  /** The kinds of the server. */
  readonly schemas: Schemas;
  /** The maximum size of a tested object in bytes; defaults to the limit of etcd. */
  readonly largest?: number;
}

const mostCandidates = 12;

/**
 * Measures the cost of policies for large objects.
 *
 * The objects are grown from the fields that the policies read; list elements are repeated until the object exceeds the
 * limit of etcd. The result is the highest measured cost, not an upper bound.
 */
export function resultCosts(
  objects: readonly JsonObject[],
  options: CostOptions,
): readonly ResultCost[] {
  const policies = objects.filter(({ kind }) => /AdmissionPolicy$/.test(String(kind)));
  return policies.flatMap((policy) => {
    const name = metadataString(policy, 'name');
    const bindings = objects.filter(
      ({ kind, spec }) =>
        /PolicyBinding$/.test(String(kind)) && isObject(spec) && spec['policyName'] === name,
    );
    const cost = costOf(policy, bindings, options);
    return cost === undefined ? [] : [cost];
  });
}

interface Measured {
  readonly expression: number;
  readonly policyTotal: number;
  readonly conditions: number;
}

function costOf(
  policy: JsonObject,
  bindings: readonly JsonObject[],
  { schemas, largest = largestObject }: CostOptions,
): ResultCost | undefined {
  const meter = new Meter();
  const resources = [policy, ...bindings] as readonly KubernetesObject[];
  const cluster = loadCluster({
    resources,
    schemas,
    onErrors: 'report',
    observe: (evaluation) => meter.add(evaluation),
  });
  const grower = new Grower(schemas, new Random(1), placesOf([policy]));
  const candidates = targetsOf([policy], schemas)
    .slice(0, mostCandidates)
    .flatMap((target) =>
      [1, 2, 3].map(() => ({ target, object: grower.grow(target.kind, undefined) })),
    );
  const ask = (target: Target, object: JsonObject): Measured => meter.of(cluster, target, object);
  const ranked = candidates
    .map((each) => ({ ...each, cost: ask(each.target, stretched(each.object, 8)) }))
    .sort((one, other) => shareOf(other.cost) - shareOf(one.cost));
  const [first] = ranked;
  if (first === undefined) return undefined;
  let worst: Measured & { bytes: number } = { ...first.cost, bytes: 0 };
  let within: number | undefined;
  for (let times = 8; ; times *= 2) {
    const object = stretched(first.object, times);
    const bytes = sizeOf(object);
    // An object that does not grow is as large as it gets.
    if (bytes > largest || bytes === worst.bytes) break;
    const cost = ask(first.target, object);
    if (shareOf(cost) >= 1) {
      within = worst.bytes;
      worst = { ...cost, bytes };
      break;
    }
    worst = { ...cost, bytes };
  }
  const { bytes, expression, policyTotal, conditions } = worst;
  return {
    policy: `${String(policy['kind'])}/${metadataString(policy, 'name')}`,
    bytes,
    expression,
    policyTotal,
    conditions,
    isNear: shareOf(worst) >= nearShare,
    ...(within === undefined ? {} : { withinBytes: within }),
  };
}

const nearShare = 0.5;

// Of the limit that is nearest.
function shareOf({ expression, policyTotal, conditions }: Measured): number {
  return Math.max(
    expression / perCallLimit,
    policyTotal / requestBudget,
    conditions / conditionsBudget,
  );
}

type Evaluation = Parameters<NonNullable<Parameters<typeof loadCluster>[0]['observe']>>[0];

/** Adds up the costs of the expressions of one policy for one request. */
class Meter {
  #expression = 0;
  #pending = 0;
  readonly #byPath: Map<string, number> = new Map();

  // Variables come before the expressions that read them.
  add({ cost, home }: Pick<Evaluation, 'cost' | 'home'>): void {
    this.#expression = Math.max(this.#expression, cost);
    const path = home?.path ?? '';
    if (path.startsWith('spec.variables')) {
      this.#pending += cost;
      return;
    }
    const known = this.#byPath.get(path) ?? 0;
    this.#byPath.set(path, Math.max(known, cost + this.#pending));
    this.#pending = 0;
  }

  of(cluster: Cluster, target: Target, object: JsonObject): Measured {
    this.#expression = 0;
    this.#pending = 0;
    this.#byPath.clear();
    const [operation] = target.operations;
    admit(cluster, requestOf(target, operation, object, object));
    const paths = [...this.#byPath];
    const of = (test: RegExp): readonly number[] =>
      paths.flatMap(([path, cost]) => (test.test(path) ? [cost] : []));
    const validations = of(/^spec\.validations/).reduce((sum, cost) => sum + cost, 0);
    return {
      expression: this.#expression,
      policyTotal: Math.max(validations, ...of(/^spec\.mutations/), 0),
      conditions: of(/^spec\.matchConditions/).reduce((sum, cost) => sum + cost, 0),
    };
  }
}
