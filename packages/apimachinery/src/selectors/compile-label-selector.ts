import { requireArgument, requireValue } from '@kubeadmit/base';
import { compareText, parseInt64, quote } from '@kubeadmit/go';
import { formatAggregate } from '../errors/aggregate.ts';
import type { Labels } from '../objects/kubernetes-object.ts';
import type { LabelOperator, LabelRequirement, LabelSelector } from './label-selector.ts';
import { keyProblems, valueProblems } from './requirement-problems.ts';

/** A compiled label selector (apimachinery `labels.Selector`). */
export interface Selector {
  /** It has no requirements and selects everything. */
  readonly empty: boolean;
  /** Whether it selects an object with these labels. */
  matches(labels: Labels): boolean;
}

type Requirement = (labels: Labels) => boolean;

const everything: Selector = { empty: true, matches: () => true };

const operators: ReadonlyMap<string | undefined, LabelOperator> = new Map([
  ['In', 'in'],
  ['NotIn', 'notin'],
  ['Exists', 'exists'],
  ['DoesNotExist', '!'],
]);

/**
 * Compiles a label selector; all of its requirements must match (meta/v1 `LabelSelectorAsSelector`).
 *
 * Null and undefined select everything, as an empty selector does, because policies treat them alike; in Go's
 * function nil selects nothing. A requirement with an unknown operator selects nothing.
 *
 * @throws TypeError for a string (see `parseLabelSelector`) and for anything else that is not an object
 */
export function compileLabelSelector(selector: LabelSelector | null | undefined): Selector {
  if (selector !== null && selector !== undefined) {
    requireArgument('compileLabelSelector', selector, { what: 'a label selector' });
  }
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) {
    requirements.push(compileRequirement(key, '=', [value]));
  }
  for (const { key = '', operator, values } of selector?.matchExpressions ?? []) {
    requirements.push(compileRequirement(key, operators.get(operator), values ?? []));
  }
  return joinRequirements(requirements);
}

/**
 * Returns the error of meta/v1 `LabelSelectorAsSelector` for a selector, or `undefined` if it is valid. Of several
 * invalid labels, the first in the order of keys is reported.
 */
export function labelSelectorProblem({
  matchLabels,
  matchExpressions,
}: LabelSelector): string | undefined {
  const labels = matchLabels ?? {};
  for (const key of Object.keys(labels).sort(compareText)) {
    const problems = [...keyProblems(key, 'key'), ...valueProblems(key, '=', [labels[key] ?? ''])];
    if (problems.length > 0) return formatAggregate(problems);
  }
  for (const { key = '', operator: named = '', values } of matchExpressions ?? []) {
    const operator = operators.get(named);
    if (operator === undefined) return `${quote(named)} is not a valid label selector operator`;
    const problems = [...keyProblems(key, 'key'), ...valueProblems(key, operator, values ?? [])];
    if (problems.length > 0) return formatAggregate(problems);
  }
  return undefined;
}

/**
 * Compiles the requirements of a label selector that was parsed from a string; all must match.
 *
 * @throws TypeError if the argument is not a list of requirements, such as the error of an invalid string
 */
export function compileLabelRequirements(requirements: readonly LabelRequirement[]): Selector {
  const call = 'compileLabelRequirements';
  requireValue(call, requirements, 'list', 'a list of requirements');
  for (const each of requirements)
    requireArgument(call, each, { what: 'requirements', has: 'key' });
  return joinRequirements(
    requirements.map(({ key, operator, values }) => compileRequirement(key, operator, values)),
  );
}

function joinRequirements(requirements: readonly Requirement[]): Selector {
  if (requirements.length === 0) return everything;
  return { empty: false, matches: (labels) => requirements.every((holds) => holds(labels)) };
}

/** `!=`, `notin` and `!` also hold for objects without the label (apimachinery `Requirement.Matches`). */
function compileRequirement(
  key: string,
  operator: LabelOperator | undefined,
  values: readonly string[],
): Requirement {
  switch (operator) {
    case '=':
    case '==':
    case 'in': {
      const set = new Set(values);
      return (labels) => Object.hasOwn(labels, key) && set.has(labels[key] ?? '');
    }
    case '!=':
    case 'notin': {
      const set = new Set(values);
      return (labels) => !Object.hasOwn(labels, key) || !set.has(labels[key] ?? '');
    }
    case 'exists':
      return (labels) => Object.hasOwn(labels, key);
    case '!':
      return (labels) => !Object.hasOwn(labels, key);
    case 'gt':
      return compileOrder(key, values, (label, bound) => label > bound);
    case 'lt':
      return compileOrder(key, values, (label, bound) => label < bound);
    default:
      return () => false;
  }
}

function compileOrder(
  key: string,
  values: readonly string[],
  holds: (label: bigint, bound: bigint) => boolean,
): Requirement {
  const bound = parseInt64(values[0] ?? '');
  if (values.length !== 1 || typeof bound !== 'bigint') return () => false;
  return (labels) => {
    const label = Object.hasOwn(labels, key) ? parseInt64(labels[key] ?? '') : undefined;
    return typeof label === 'bigint' && holds(label, bound);
  };
}
