import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { type MergeSchema, schemaOfKind } from '@kubeadmit/kyverno/internal';
import type { Schemas } from '@kubeadmit/schemas';
import { all, type Term, truth } from '../cel/term.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import type { Parameter, Variables } from '../jmespath/variables.ts';
import {
  type ConstraintOptions,
  matchConstraints,
  objectPath,
  readConstraints,
  structsOf,
} from '../match/constraints.ts';
import { kindNamed } from '../match/filter.ts';
import { withContext } from '../policy/context.ts';
import { Unsupported, withoutForm } from '../unsupported.ts';
import { configurationOf } from './configuration.ts';
import { loopSteps } from './foreach.ts';
import { jsonPatchStep } from './json-patch.ts';
import { isIndependent, joined, mutationExpressions, type Step } from './steps.ts';
import { mergeSteps } from './strategic-merge.ts';

/** The spec of a MutatingAdmissionPolicy that a rule is. */
export interface ConvertedMutation {
  readonly spec: JsonObject;
  readonly parameter: Parameter | undefined;
  /** What a reader should know of the result. */
  readonly notes: readonly string[];
}

/**
 * What a mutate rule of Kyverno is as the spec of a MutatingAdmissionPolicy.
 *
 * @throws Unsupported where it has no equal.
 */
export function convertMutateRule(rule: JsonObject, options: ConstraintOptions): ConvertedMutation {
  const { schemas } = options;
  const mutate = rule['mutate'];
  if (!isObject(mutate)) throw new Unsupported('a rule without a mutation');
  if (mutate['targets'] !== undefined) {
    throw new Unsupported(
      'mutation of existing objects: admission policies change only what is asked for',
    );
  }
  const constraints = readConstraints(rule['match'], rule['exclude'], options);
  const { conditions, kinds, lost } = constraints;
  if (lost.length > 0) throw new Unsupported(lost.join('; '));
  const structs = structsOf(kinds, schemas);
  const object = objectPath(schemas, 'object', structs);
  const variables = withContext(rule['context'], {
    known: { schemas, shape: undefined },
    object,
    oldObject: objectPath(schemas, 'oldObject', structs),
    named: new Map(),
    isOfPatch: true,
    isIdiomatic: options.isIdiomatic === true,
    notes: new Set(),
  });
  const preconditions = conditionsHold(readConditions(rule['preconditions'], variables));
  const made = mutationsOf(mutate, {
    variables,
    schema: mergeSchemaOf(kinds, schemas),
    keepsOrder: options.isIdiomatic === true,
    hasContext: Array.isArray(rule['context']) && rule['context'].length > 0,
  });
  const asked = [
    ...conditions,
    { name: 'preconditions', test: preconditions },
    { name: 'anchors', test: all(made.conditions) },
  ].filter(({ test }) => test.text !== 'true');
  const { parameter } = variables;
  return {
    parameter,
    spec: {
      ...(parameter === undefined ? {} : { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
      matchConstraints: matchConstraints(constraints),
      ...(asked.length === 0
        ? {}
        : {
            matchConditions: asked.map(({ name, test }) => ({
              name,
              expression: truth(test).text,
            })),
          }),
      mutations: made.mutations,
      reinvocationPolicy: made.isRepeatable ? 'IfNeeded' : 'Never',
    },
    notes: [...constraints.notes, ...variables.notes, ...made.notes],
  };
}

// The lists that merge, where all kinds have them alike.
function mergeSchemaOf(kinds: readonly string[], schemas: Schemas): MergeSchema | undefined {
  const found = kinds.map((kind) => {
    const resource = kindNamed(kind, schemas);
    if (resource === undefined) return undefined;
    const { group, version } = resource;
    return schemaOfKind(group === '' ? version : `${group}/${version}`, resource.kind);
  });
  const [first] = found;
  return found.length > 0 && found.every((each) => each !== undefined) ? first : undefined;
}

interface Made {
  readonly mutations: readonly JsonObject[];
  readonly conditions: readonly Term[];
  readonly notes: readonly string[];
  /** Whether a mutation of its own result changes nothing more. */
  readonly isRepeatable: boolean;
}

interface Options {
  readonly variables: Variables;
  readonly schema: MergeSchema | undefined;
  readonly keepsOrder: boolean;
  readonly hasContext: boolean;
}

function mutationsOf(mutate: JsonObject, options: Options): Made {
  const { patchStrategicMerge, patchesJson6902, foreach } = mutate;
  const { variables } = options;
  if (Array.isArray(foreach)) {
    const notes = new Set<string>();
    const steps = loopSteps(foreach.filter(isObject), { ...options, notes });
    const kept = options.hasContext ? [inOne(steps)] : steps;
    return { ...patchesOf(kept), conditions: [], notes: [...notes] };
  }
  if (isObject(patchStrategicMerge)) {
    const whole = asConfiguration(patchStrategicMerge, options);
    if (whole !== undefined) return whole;
    const { steps, conditions, notes } = mergeSteps(patchStrategicMerge, variables.object, options);
    return { ...patchesOf(steps), conditions, notes };
  }
  if (patchesJson6902 === undefined) {
    throw withoutForm('mutate', mutate, ['patchStrategicMerge', 'patchesJson6902', 'foreach']);
  }
  return { ...patchesOf([jsonPatchStep(patchesJson6902, variables)]), conditions: [], notes: [] };
}

// Variables of the rule's context are of the object before anything is changed.
function inOne(steps: readonly Step[]): Step {
  return steps.reduce((one, other) => {
    if (!isIndependent(one, other)) {
      throw new Unsupported('a foreach that changes what variables of the context are made of');
    }
    return joined(one, other);
  });
}

function patchesOf(steps: readonly Step[]): Pick<Made, 'mutations' | 'isRepeatable'> {
  const expressions = mutationExpressions(steps);
  if (expressions.length === 0) throw new Unsupported('a patch that changes nothing');
  return {
    mutations: expressions.map((expression) => ({
      patchType: 'JSONPatch',
      jsonPatch: { expression },
    })),
    // Operations depend on what is there, and Kyverno does not ask again.
    isRepeatable: false,
  };
}

// What is made of maps alone reads best as it was written.
function asConfiguration(patch: JsonObject, { variables, keepsOrder }: Options): Made | undefined {
  try {
    const { expression, conditions } = configurationOf(patch, variables, keepsOrder);
    if (expression === '') return undefined;
    const mutation = { patchType: 'ApplyConfiguration', applyConfiguration: { expression } };
    return { mutations: [mutation], conditions, notes: [], isRepeatable: true };
  } catch (problem) {
    if (problem instanceof Unsupported) return undefined;
    throw problem;
  }
}
