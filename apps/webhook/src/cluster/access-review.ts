import type { FieldRequirement, LabelRequirement } from '@kubeadmit/apimachinery';
import type { AuthorizerAttributes } from '@kubeadmit/engine';

/** Returns the SubjectAccessReview (`authorization.k8s.io/v1`) for an expression's permission check. */
export function accessReview(attributes: AuthorizerAttributes): object {
  const { username, uid, groups, extra } = attributes.user;
  return {
    apiVersion: 'authorization.k8s.io/v1',
    kind: 'SubjectAccessReview',
    spec: { user: username, uid, groups, extra, ...askedFor(attributes) },
  };
}

function askedFor(attributes: AuthorizerAttributes): object {
  if (attributes.kind === 'path') {
    const { verb, path } = attributes;
    return { nonResourceAttributes: { verb, path } };
  }
  const { verb, group, resource, subresource, namespace, name } = attributes;
  const { fieldSelector, labelSelector } = attributes;
  return {
    resourceAttributes: {
      ...{ verb, group, resource, subresource, namespace, name, version: '*' },
      ...(Array.isArray(fieldSelector)
        ? { fieldSelector: { requirements: fieldSelector.map(fieldRequirement) } }
        : {}),
      ...(Array.isArray(labelSelector)
        ? { labelSelector: { requirements: labelSelector.map(labelRequirement) } }
        : {}),
    },
  };
}

function fieldRequirement({ field, operator, value }: FieldRequirement): object {
  return { key: field, operator: operatorNames[operator], values: [value] };
}

function labelRequirement({ key, operator, values }: LabelRequirement): object {
  return { key, operator: operatorNames[operator], values };
}

// The operators of selectors as SubjectAccessReviews have them.
const operatorNames: Readonly<Record<string, string>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
};
