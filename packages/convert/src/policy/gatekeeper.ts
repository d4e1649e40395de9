import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { textsOf } from '@kubeadmit/difference/unstable-internal';
import { readTemplate, type TemplateSource, templateOf } from '@kubeadmit/gatekeeper';
import type { Schemas } from '@kubeadmit/schemas';
import { literal, quoted } from '../cel/literal.ts';
import { all, any, member, not, type Term, truth } from '../cel/term.ts';
import { someWildcardTest } from '../cel/wildcard.ts';
import { resourceRulesOf } from '../match/filter.ts';
import { Unsupported } from '../notes/unsupported.ts';

/** A constraint of Gatekeeper as the spec of a ValidatingAdmissionPolicy. */
export interface Constraint {
  readonly spec: JsonObject;
  readonly validationActions: readonly string[];
  readonly failurePolicy: 'Fail' | 'Ignore';
}

/**
 * Converts a Gatekeeper constraint whose template is written in CEL (`K8sNativeValidation`).
 *
 * The parameters of the constraint become part of the policy.
 *
 * @throws Unsupported for templates that contain only Rego, and for `match` criteria that admission policies lack.
 */
export function readConstraint(
  constraint: JsonObject,
  related: readonly JsonObject[],
  schemas: Schemas,
): Constraint {
  const source = sourceOf(String(constraint['kind']), related);
  const spec = objectOf(constraint['spec']);
  const match = objectOf(spec['match']);
  const conditions = [...matchConditions(match), ...source.matchConditions];
  const action = String(spec['enforcementAction'] ?? 'deny');
  return {
    failurePolicy: source.failurePolicy,
    validationActions: action === 'deny' ? ['Deny'] : action === 'warn' ? ['Warn'] : ['Audit'],
    spec: {
      matchConstraints: constraintsOf(match, schemas),
      ...(conditions.length === 0 ? {} : { matchConditions: conditions }),
      variables: [
        // Of no type, as in Gatekeeper, where they are read from the constraint.
        { name: 'params', expression: `dyn(${literal(spec['parameters'] ?? null).text})` },
        { name: 'anyObject', expression: 'object == null ? oldObject : object' },
        ...source.variables,
      ],
      validations: source.validations,
    },
  };
}

function sourceOf(kind: string, related: readonly JsonObject[]): TemplateSource {
  const template = templateOf(kind, related);
  if (template === undefined) {
    throw new Unsupported(
      `the ConstraintTemplate of \`${kind}\` is not among the inputs`,
      'add it to the inputs',
    );
  }
  const read = readTemplate(template);
  if ('problem' in read) throw new Unsupported(read.problem, read.advice);
  return read.source;
}

const operations = ['CREATE', 'UPDATE'];

function constraintsOf(match: JsonObject, schemas: Schemas): JsonObject {
  const kinds = Array.isArray(match['kinds']) ? match['kinds'].filter(isObject) : [];
  const texts = kinds.flatMap((entry) =>
    textsOf(entry['kinds']).flatMap((kind) =>
      textsOf(entry['apiGroups']).map((group) =>
        group === '' ? `v1/${kind}` : `${group}/*/${kind}`,
      ),
    ),
  );
  const known = resourceRulesOf(texts.length === 0 ? ['*'] : texts, schemas);
  if (known.unknown.length > 0) {
    throw new Unsupported(
      `the kind \`${known.unknown[0]}\` is unknown`,
      'add its definition to the inputs',
    );
  }
  const { labelSelector, namespaceSelector, scope } = match;
  return {
    ...(isObject(namespaceSelector) ? { namespaceSelector } : {}),
    ...(isObject(labelSelector) ? { objectSelector: labelSelector } : {}),
    resourceRules: known.rules.map((rule) => ({
      ...rule,
      operations,
      ...(scope === 'Namespaced' || scope === 'Cluster' ? { scope } : {}),
    })),
  };
}

// Names with a star at either end.
function matchConditions(match: JsonObject): readonly JsonObject[] {
  const isPlaced = member('request.namespace');
  const named = (list: unknown): readonly Term[] => someWildcardTest(isPlaced, textsOf(list));
  const none = { text: `request.namespace == ${quoted('')}`, binds: 3 };
  const tests: [string, Term][] = [];
  if (textsOf(match['namespaces']).length > 0)
    tests.push(['namespaces', any([none, ...named(match['namespaces'])])]);
  if (textsOf(match['excludedNamespaces']).length > 0) {
    tests.push(['excluded-namespaces', not(any(named(match['excludedNamespaces'])))]);
  }
  if (typeof match['name'] === 'string') {
    tests.push(['name', all(someWildcardTest(member('request.name'), [match['name']]))]);
  }
  return tests.map(([name, test]) => ({ name, expression: truth(test).text }));
}
