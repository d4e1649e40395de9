import {
  compileLabelSelector,
  type FieldError,
  type KubernetesObject,
  type LabelSelector,
  labelsOf,
  member,
  memberText,
} from '@kubeadmit/apimachinery';
import {
  forbidden,
  invalid,
  notSupported,
  required,
  validateLabelSelector,
} from '@kubeadmit/apimachinery/field-errors';

/** Validates frequent mistakes in workloads: selectors and strategies. */
export function validateWorkload(object: KubernetesObject, kind: string): FieldError[] {
  return [...selectorErrors(object, kind), ...strategyErrors(object, kind)];
}

/** The known strategies, and the messages for others. */
const strategies: Readonly<
  Record<
    string,
    { readonly field: string; readonly types: readonly string[]; readonly refusal?: string }
  >
> = {
  Deployment: { field: 'strategy', types: ['Recreate', 'RollingUpdate'] },
  DaemonSet: { field: 'updateStrategy', types: ['RollingUpdate', 'OnDelete'] },
  StatefulSet: {
    field: 'updateStrategy',
    types: ['RollingUpdate', 'OnDelete'],
    refusal: "must be 'RollingUpdate' or 'OnDelete'",
  },
};

// apps validation `ValidateDeploymentStrategy` and its like, which show the struct as Go names its fields
function strategyErrors(object: KubernetesObject, kind: string): FieldError[] {
  const known = strategies[kind];
  if (known === undefined) return [];
  const strategy = member(member(object, 'spec'), known.field);
  const type = memberText(strategy, 'type');
  const at = `spec.${known.field}`;
  const rolling = member(strategy, 'rollingUpdate') ?? null;
  if (kind === 'Deployment' && type === 'Recreate' && rolling !== null) {
    const why = "may not be specified when strategy `type` is 'Recreate'";
    return [forbidden(`${at}.rollingUpdate`, why)];
  }
  if (type === '' || known.types.includes(type)) return [];
  const shown = { Type: type, RollingUpdate: rolling };
  return known.refusal === undefined
    ? [notSupported(at, shown, known.types)]
    : [invalid(at, shown, known.refusal)];
}

/** Other kinds that select by labels. */
const selectors: Readonly<Record<string, string>> = {
  NetworkPolicy: 'podSelector',
  PodDisruptionBudget: 'selector',
};

/** Kinds that select their Pods, as messages name them. */
const selecting: Readonly<Record<string, string>> = {
  Deployment: 'deployment',
  ReplicaSet: 'deployment',
  StatefulSet: 'statefulset',
  DaemonSet: 'daemonset',
};

function selectorErrors(object: KubernetesObject, kind: string): FieldError[] {
  const spec = member(object, 'spec');
  const field = selectors[kind];
  const own = field === undefined ? undefined : member(spec, field);
  if (own) return [...validateLabelSelector(own as LabelSelector, `spec.${field}`)];
  const title = selecting[kind];
  if (title === undefined) return [];
  const selector = member(spec, 'selector') ?? undefined;
  const labels = labelsOf((member(spec, 'template') ?? {}) as KubernetesObject);
  const at = 'spec.template.metadata.labels';
  const shown = Object.keys(labels).length === 0 ? null : labels;
  const mismatch = invalid(at, shown, '`selector` does not match template `labels`');
  if (selector === undefined) {
    return kind === 'DaemonSet' ? [mismatch] : [required('spec.selector'), mismatch];
  }
  const errors = validateLabelSelector(selector as LabelSelector, 'spec.selector');
  if (errors.length > 0) return errors;
  const compiled = compileLabelSelector(selector as LabelSelector);
  if (compiled.empty) {
    return [invalid('spec.selector', selector, `empty selector is invalid for ${title}`)];
  }
  return compiled.matches(labels) ? [] : [mismatch];
}
