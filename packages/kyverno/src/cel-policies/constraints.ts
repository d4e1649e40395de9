import type { JsonObject, LabelSelector } from '@kubeadmit/apimachinery';
import type { ResourceRule } from '@kubeadmit/engine';
import { type CompiledMatch, compileMatch } from '@kubeadmit/matcher';
import { field, objectField, objectsField, stringField, textsField } from '../fields/fields.ts';

/**
 * Prepares `matchConstraints`, with other operations if they are given. Kyverno's policies name the versions that they
 * match. A value of the wrong type counts as absent, as everywhere in policies here: a server
 * with Kyverno's definitions refuses it.
 */
export function compileConstraints(
  constraints: JsonObject,
  operations?: readonly string[],
): CompiledMatch {
  const rules = (name: string): readonly ResourceRule[] =>
    objectsField(constraints, name).map((rule) => {
      const scope = field(rule, 'scope');
      return {
        operations: textsField(rule, 'operations'),
        apiGroups: textsField(rule, 'apiGroups'),
        apiVersions: textsField(rule, 'apiVersions'),
        resources: textsField(rule, 'resources'),
        resourceNames: textsField(rule, 'resourceNames'),
        scope: typeof scope === 'string' ? scope : null,
      };
    });
  return compileMatch({
    namespaceSelector: selectorField(constraints, 'namespaceSelector'),
    objectSelector: selectorField(constraints, 'objectSelector'),
    resourceRules: rules('resourceRules').map((rule) => ({
      ...rule,
      ...(operations === undefined ? {} : { operations }),
    })),
    excludeResourceRules: rules('excludeResourceRules'),
    matchPolicy: 'Exact',
  });
}

function selectorField(constraints: JsonObject, name: string): LabelSelector | null {
  const selector = objectField(constraints, name);
  if (selector === undefined) return null;
  const labels = objectField(selector, 'matchLabels') ?? {};
  return {
    matchLabels: Object.fromEntries(
      Object.keys(labels).map((label) => [label, stringField(labels, label)]),
    ),
    matchExpressions: objectsField(selector, 'matchExpressions').map((expression) => ({
      key: stringField(expression, 'key'),
      operator: stringField(expression, 'operator'),
      values: textsField(expression, 'values'),
    })),
  };
}
