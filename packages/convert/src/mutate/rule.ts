import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { all, type Term, truth } from '../cel/term.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import type { Variables } from '../jmespath/variables.ts';
import {
  type ConstraintOptions,
  matchConstraints,
  objectPath,
  readConstraints,
  structsOf,
} from '../match/constraints.ts';
import { Unsupported } from '../unsupported.ts';
import { configurationOf } from './configuration.ts';
import { jsonPatchOf } from './json-patch.ts';

/**
 * What a mutate rule of Kyverno is as the spec of a MutatingAdmissionPolicy.
 *
 * @throws Unsupported where it has no equal.
 */
export function convertMutateRule(rule: JsonObject, options: ConstraintOptions): JsonObject {
  const { schemas } = options;
  const mutate = rule['mutate'];
  if (!isObject(mutate)) throw new Unsupported('a rule without a mutation');
  if (mutate['targets'] !== undefined) {
    throw new Unsupported(
      'mutation of existing objects: admission policies change only what is asked for',
    );
  }
  if (mutate['foreach'] !== undefined) throw new Unsupported('mutation by foreach');
  if (Array.isArray(rule['context']) && rule['context'].length > 0) {
    throw new Unsupported('context entries of a mutation');
  }
  const constraints = readConstraints(rule['match'], rule['exclude'], options);
  const { conditions, kinds } = constraints;
  const structs = structsOf(kinds, schemas);
  const object = objectPath(schemas, 'object', structs);
  const variables: Variables = {
    known: { schemas, shape: undefined },
    object,
    oldObject: objectPath(schemas, 'oldObject', structs),
    named: new Map(),
  };
  const preconditions = conditionsHold(readConditions(rule['preconditions'], variables));
  const made = mutationOf(mutate, variables);
  const asked = [
    ...conditions,
    { name: 'preconditions', test: preconditions },
    { name: 'anchors', test: all(made.conditions) },
  ].filter(({ test }) => test.text !== 'true');
  return {
    matchConstraints: matchConstraints(constraints),
    ...(asked.length === 0
      ? {}
      : {
          matchConditions: asked.map(({ name, test }) => ({ name, expression: truth(test).text })),
        }),
    mutations: [made.mutation],
    reinvocationPolicy: 'IfNeeded',
  };
}

interface Made {
  readonly mutation: JsonObject;
  readonly conditions: readonly Term[];
}

function mutationOf(mutate: JsonObject, variables: Variables): Made {
  const { patchStrategicMerge, patchesJson6902 } = mutate;
  if (patchesJson6902 !== undefined) {
    const expression = jsonPatchOf(patchesJson6902, variables);
    return { mutation: { patchType: 'JSONPatch', jsonPatch: { expression } }, conditions: [] };
  }
  const { expression, conditions } = configurationOf(
    patchStrategicMerge,
    variables.object,
    variables,
  );
  if (expression === '') throw new Unsupported('a patch that changes nothing');
  return {
    mutation: { patchType: 'ApplyConfiguration', applyConfiguration: { expression } },
    conditions,
  };
}
