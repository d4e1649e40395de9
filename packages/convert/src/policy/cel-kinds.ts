import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { generateMutating, generateValidating } from '@kubeadmit/kyverno/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { differenceNotes, type Note } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { hasComputedPaths, servedMutations } from './cel-mutations.ts';
import { withPlainValues } from './or-value.ts';

/** A policy of Kyverno in CEL as the specs of admission policies: its own, and those for controllers of pods. */
export interface CelKind {
  readonly type: 'Validating' | 'Mutating';
  readonly validationActions: readonly string[];
  /** Each with the suffix of the policy's name. */
  readonly specs: readonly { readonly suffix: string; readonly spec: JsonObject }[];
  readonly lost: readonly Note[];
  readonly notes: readonly Note[];
  /** Whether objects pass that Kyverno denies. */
  readonly isWeaker: boolean;
}

const kept = [
  'matchConstraints',
  'matchConditions',
  'variables',
  'validations',
  'auditAnnotations',
  'mutations',
] as const;

/**
 * Converts a ValidatingPolicy or MutatingPolicy of Kyverno to the spec of an admission policy.
 *
 * Expressions are kept, provided that they use no Kyverno library.
 *
 * @throws Unsupported for policies about JSON, and for mutation of existing objects.
 */
export function readCelKind(policy: JsonObject, schemas: Schemas): CelKind {
  const spec = objectOf(policy['spec']);
  const evaluation = objectOf(spec['evaluation']);
  const type = String(policy['kind']).endsWith('MutatingPolicy') ? 'Mutating' : 'Validating';
  if (evaluation['mode'] === 'JSON') {
    throw new Unsupported('a policy for JSON that is not a Kubernetes object');
  }
  const existing = evaluation['mutateExisting'];
  const isExisting = isObject(existing) && existing['enabled'] === true;
  if (isExisting || spec['targetMatchConstraints'] !== undefined) {
    throw new Unsupported(
      'mutation of existing objects: admission policies change only the object of the request',
    );
  }
  const generated = type === 'Mutating' ? generateMutating(spec) : generateValidating(spec);
  const actions = Array.isArray(spec['validationActions'])
    ? spec['validationActions'].map(String)
    : [];
  const lost = ['imageExtractors', 'images'].flatMap((name) =>
    spec[name] === undefined ? [] : [`\`${name}\` is not converted`],
  );
  const specs = [{ suffix: '', own: spec }].concat(
    generated.map(({ place, spec: own }) => ({
      suffix: place === 'cronjobs' ? '-cronjobs' : '-controllers',
      own,
    })),
  );
  const served = specs.flatMap(({ suffix, own }) => {
    const made = admissionSpec(own, { type, schemas });
    return made === undefined ? [] : [{ suffix, spec: made }];
  });
  if (served.length === 0) {
    throw new Unsupported('no matched kind has the changed fields');
  }
  const isWeaker = served.length < specs.length;
  const hasComputed = served.some(({ spec: { mutations } }) => hasComputedPaths(mutations));
  return {
    type,
    validationActions: actions.length === 0 ? ['Deny'] : actions,
    specs: served,
    notes: [
      ...(hasComputed ? [differenceNotes.refusedPatch] : []),
      ...(isWeaker ? [failingPart] : []),
    ],
    isWeaker,
    lost,
  };
}

const failingPart =
  'Kyverno patches fields that some matched kinds do not have, which fails and denies the request; the result does not change these kinds';

// None if every mutation sets fields that no kind has: Kyverno's generated rules for controllers keep the paths of JSON
// patches unchanged.
function admissionSpec(
  spec: JsonObject,
  { type, schemas }: { readonly type: CelKind['type']; readonly schemas: Schemas },
): JsonObject | undefined {
  const own = kept.flatMap((name) => {
    const value = spec[name];
    const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
    return isEmpty ? [] : [[name, withPlainValues(value, spec)] as const];
  });
  const made: JsonObject = Object.fromEntries(own);
  if (type === 'Validating') return made;
  const mutations = servedMutations(made, schemas);
  if (mutations.length === 0 && made['mutations'] !== undefined) return undefined;
  // Kyverno's webhook is reinvoked after changes by others, but not after its own.
  return { ...made, mutations, reinvocationPolicy: 'Never' };
}
