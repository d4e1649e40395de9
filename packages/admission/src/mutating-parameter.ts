import { groupVersionKindOf } from '@kubeadmit/apimachinery';
import { getOrMake } from '@kubeadmit/base';
import type { ParamKind } from '@kubeadmit/engine';
import type { Parameter } from '@kubeadmit/matcher';
import type { Schemas } from '@kubeadmit/schemas';
import { hasGoForm } from '@kubeadmit/schemas/unstable-internal';

const seen = new WeakMap<object, Parameter>();

/**
 * A parameter as the expressions of mutating policies see it: one of a built-in kind comes from a list in memory
 * that leaves out `apiVersion` and `kind`. Validating policies see both (played on kube-apiserver 1.37.1).
 */
export function mutatingParameter(
  schemas: Schemas,
  parameter: Parameter,
  paramKind: ParamKind | undefined,
): Parameter {
  if (parameter === null || paramKind === undefined) return parameter;
  return getOrMake(seen, parameter, () => {
    const { apiVersion = '', kind = '' } = paramKind;
    if (!hasGoForm(schemas, groupVersionKindOf(apiVersion, kind))) return parameter;
    const { apiVersion: _apiVersion, kind: _kind, ...rest } = parameter;
    return rest as Parameter;
  });
}
