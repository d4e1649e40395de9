import {
  compileLabelSelector,
  type FieldError,
  type KubernetesObject,
  type LabelSelector,
  labelsOf,
  member,
} from '@kubeadmit/apimachinery';
import { forbidden, invalid, validateLabelSelector } from '@kubeadmit/apimachinery/internal';

/** What everyone meets of the validation of workloads besides their fields: selectors and strategies. */
export function validateWorkload(object: KubernetesObject, kind: string): FieldError[] {
  return [
    ...selectorErrors(object, kind),
    ...(kind === 'Deployment' ? strategyErrors(object) : []),
  ];
}

// apps validation `ValidateDeploymentStrategy`
function strategyErrors(object: KubernetesObject): FieldError[] {
  const strategy = member(member(object, 'spec'), 'strategy');
  if (member(strategy, 'type') !== 'Recreate' || !member(strategy, 'rollingUpdate')) return [];
  const why = "may not be specified when strategy `type` is 'Recreate'";
  return [forbidden('spec.strategy.rollingUpdate', why)];
}

const selecting: ReadonlySet<string> = new Set([
  'Deployment',
  'ReplicaSet',
  'StatefulSet',
  'DaemonSet',
]);

function selectorErrors(object: KubernetesObject, kind: string): FieldError[] {
  if (!selecting.has(kind)) return [];
  const spec = member(object, 'spec');
  const selector = member(spec, 'selector') ?? undefined;
  const labels = labelsOf((member(spec, 'template') ?? {}) as KubernetesObject);
  const at = 'spec.template.metadata.labels';
  const shown = Object.keys(labels).length === 0 ? null : labels;
  const mismatch = invalid(at, shown, '`selector` does not match template `labels`');
  if (selector === undefined) return [requiredField('spec.selector'), mismatch];
  const errors = validateLabelSelector(selector as LabelSelector, 'spec.selector');
  if (errors.length > 0) return errors;
  const compiled = compileLabelSelector(selector as LabelSelector);
  if (compiled.empty) {
    const names: Readonly<Record<string, string>> = {
      Deployment: 'deployment',
      StatefulSet: 'statefulset',
      DaemonSet: 'daemonset',
      ReplicaSet: 'deployment',
    };
    return [invalid('spec.selector', selector, `empty selector is invalid for ${names[kind]}`)];
  }
  return compiled.matches(labels) ? [] : [mismatch];
}

function requiredField(field: string): FieldError {
  return { type: 'FieldValueRequired', field, body: 'Required value' };
}
