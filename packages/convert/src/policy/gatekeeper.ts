import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import type { Schemas } from '@kubeadmit/schemas';
import { literal, quoted } from '../cel/literal.ts';
import { all, any, member, not, type Term, truth } from '../cel/term.ts';
import { coverKinds, textsOf } from '../match/filter.ts';
import { someWildcardTest } from '../pattern/wildcard.ts';
import { Unsupported } from '../unsupported.ts';

/** A constraint of Gatekeeper as the spec of a ValidatingAdmissionPolicy. */
export interface Constraint {
  readonly spec: JsonObject;
  readonly validationActions: readonly string[];
  readonly failurePolicy: 'Fail' | 'Ignore';
}

/** Whether an object is a constraint of Gatekeeper. */
export function isConstraint({ apiVersion }: JsonObject): boolean {
  return typeof apiVersion === 'string' && apiVersion.startsWith('constraints.gatekeeper.sh/');
}

const engine = 'K8sNativeValidation';

/**
 * What a constraint of Gatekeeper is whose template is written in CEL (`K8sNativeValidation`): the parameters
 * of the constraint stand in the policy.
 *
 * @throws Unsupported for templates in Rego alone, and for what its `match` asks beyond admission policies.
 */
export function readConstraint(
  constraint: JsonObject,
  related: readonly JsonObject[],
  schemas: Schemas,
): Constraint {
  const source = sourceOf(String(constraint['kind']), related);
  const spec = isObject(constraint['spec']) ? constraint['spec'] : {};
  const match = isObject(spec['match']) ? spec['match'] : {};
  const parameters = isObject(spec['parameters']) ? spec['parameters'] : {};
  const own = Array.isArray(source['variables']) ? source['variables'].filter(isObject) : [];
  const conditions = [
    ...matchConditions(match),
    ...(Array.isArray(source['matchConditions']) ? source['matchConditions'] : []),
  ];
  const action = String(spec['enforcementAction'] ?? 'deny');
  return {
    failurePolicy: source['failurePolicy'] === 'Ignore' ? 'Ignore' : 'Fail',
    validationActions: action === 'deny' ? ['Deny'] : action === 'warn' ? ['Warn'] : ['Audit'],
    spec: {
      matchConstraints: constraintsOf(match, schemas),
      ...(conditions.length === 0 ? {} : { matchConditions: conditions }),
      variables: [
        { name: 'params', expression: literal(parameters).text },
        { name: 'anyObject', expression: 'object == null ? oldObject : object' },
        ...own,
      ],
      validations: source['validations'],
    },
  };
}

function sourceOf(kind: string, related: readonly JsonObject[]): JsonObject {
  const template = related.find(
    (each) => each['kind'] === 'ConstraintTemplate' && kindOf(each) === kind,
  );
  if (template === undefined) {
    throw new Unsupported(
      `the ConstraintTemplate of \`${kind}\` is not among the inputs`,
      'give it with its constraints',
    );
  }
  const targets = isObject(template['spec']) ? template['spec']['targets'] : undefined;
  const code = (Array.isArray(targets) ? targets.filter(isObject) : []).flatMap((target) =>
    Array.isArray(target['code']) ? target['code'].filter(isObject) : [],
  );
  const own = code.find((each) => each['engine'] === engine);
  if (!isObject(own?.['source'])) {
    throw new Unsupported(
      `the ConstraintTemplate of \`${kind}\` is written in Rego`,
      `write its validations in CEL (${engine})`,
    );
  }
  return own['source'];
}

function kindOf({ spec }: JsonObject): string {
  const crd = isObject(spec) && isObject(spec['crd']) ? spec['crd']['spec'] : undefined;
  const names = isObject(crd) ? crd['names'] : undefined;
  return isObject(names) ? String(names['kind']) : '';
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
  const known = coverKinds(texts.length === 0 ? ['*'] : texts, schemas);
  if (known.unknown.length > 0) {
    throw new Unsupported(
      `the kind \`${known.unknown[0]}\` is not known`,
      'give its definition with it',
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
