import type { LabelSelector } from '@kubeadmit/engine';

/** Labels of an object. */
export type Labels = Readonly<Record<string, string>>;

/** A label selector, ready to be asked. */
export interface Selector {
  /** It has no requirements and selects everything. */
  readonly empty: boolean;
  matches(labels: Labels): boolean;
}

type Requirement = (labels: Labels) => boolean;

const everything: Selector = { empty: true, matches: () => true };

/**
 * Prepares a label selector; all of its requirements must hold.
 *
 * `NotIn` and `DoesNotExist` also hold for objects without the label (labels.Requirement.Matches).
 */
export function compileSelector(selector: LabelSelector | null | undefined): Selector {
  const requirements: Requirement[] = [];
  for (const [key, value] of Object.entries(selector?.matchLabels ?? {})) {
    requirements.push((labels) => Object.hasOwn(labels, key) && labels[key] === value);
  }
  for (const { key = '', operator, values } of selector?.matchExpressions ?? []) {
    const set = new Set(values ?? []);
    requirements.push(requirement(key, operator, set));
  }
  if (requirements.length === 0) return everything;
  return { empty: false, matches: (labels) => requirements.every((holds) => holds(labels)) };
}

function requirement(
  key: string,
  operator: string | undefined,
  values: ReadonlySet<string>,
): Requirement {
  switch (operator) {
    case 'In':
      return (labels) => Object.hasOwn(labels, key) && values.has(labels[key] ?? '');
    case 'NotIn':
      return (labels) => !Object.hasOwn(labels, key) || !values.has(labels[key] ?? '');
    case 'Exists':
      return (labels) => Object.hasOwn(labels, key);
    case 'DoesNotExist':
      return (labels) => !Object.hasOwn(labels, key);
    default:
      return () => false;
  }
}
