import { isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { type Conditions, compileConditions } from '../conditions/compile.ts';
import { withDoubles } from '../context/numbers.ts';
import {
  field,
  objectField,
  objectsField,
  pickFields,
  stringField,
  textsField,
} from '../fields/fields.ts';
import type { Failure } from '../jmespath/steps/failure.ts';

/** A rule with `generate`: it creates one object, clones of existing ones, or either for each element of lists. */
export interface Generation {
  /** Whether generated objects follow their source. */
  readonly isSynchronized: boolean;
  /** Whether generated objects stay when the policy or rule is deleted (`orphanDownstreamOnPolicyDelete`). */
  readonly outlivesPolicy: boolean;
  /** Whether triggers that are older than the policy count; undefined where the policy decides. */
  readonly generatesExisting: boolean | undefined;
  /** The target and its content, before its variables are replaced. */
  readonly pattern: JsonObject;
  /** The kinds in `cloneList`. */
  readonly listedKinds: readonly string[];
  /** The entries of `foreach`; undefined for a rule without it. */
  readonly loops: readonly GenerationLoop[] | undefined;
}

/** An entry of `generate.foreach`. */
export interface GenerationLoop {
  readonly list: string;
  readonly context: readonly JsonObject[];
  readonly conditions: Conditions | Failure | undefined;
  readonly pattern: JsonObject;
}

/** Whether `generate` says anything: Kyverno ignores one whose fields are all empty. */
export function hasGeneration(generate: JsonObject): boolean {
  const fields = [
    ...['apiVersion', 'kind', 'namespace', 'name', 'uid', 'data', 'clone', 'cloneList', 'foreach'],
    ...['synchronize', 'generateExisting', 'orphanDownstreamOnPolicyDelete'],
  ];
  return fields.some((name) => {
    const value = field(generate, name);
    // A pointer to an empty selector is there.
    if (name === 'cloneList' && isObject(field(objectOf(value), 'selector'))) return true;
    if (name === 'data' || name === 'generateExisting') return value !== undefined;
    return !isEmpty(value);
  });
}

function isEmpty(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0;
  if (isObject(value)) return Object.values(value).every(isEmpty);
  return value === undefined || value === null || value === '' || value === false;
}

const patternFields = ['apiVersion', 'kind', 'namespace', 'name', 'uid', 'data', 'clone'] as const;

/** Reads the `generate` of a rule. */
export function compileGeneration(generate: JsonObject): Generation {
  return {
    isSynchronized: field(generate, 'synchronize') === true,
    outlivesPolicy: field(generate, 'orphanDownstreamOnPolicyDelete') === true,
    generatesExisting: booleanOf(field(generate, 'generateExisting')),
    pattern: patternOf(generate),
    listedKinds: textsField(objectField(generate, 'cloneList') ?? {}, 'kinds'),
    loops:
      field(generate, 'foreach') === undefined
        ? undefined
        : objectsField(generate, 'foreach').map(compileLoop),
  };
}

function booleanOf(value: unknown): boolean | undefined {
  return typeof value === 'boolean' ? value : undefined;
}

function compileLoop(source: JsonObject): GenerationLoop {
  const preconditions = field(source, 'preconditions');
  return {
    list: stringField(source, 'list'),
    context: objectsField(source, 'context'),
    conditions: preconditions === undefined ? undefined : compileConditions(preconditions),
    pattern: patternOf(source),
  };
}

/** The fields of a pattern that Kyverno's type has: variables in others are not replaced. */
function patternOf(source: JsonObject): JsonObject {
  const cloneList = objectField(source, 'cloneList');
  const known = pickFields(source, patternFields);
  const pattern =
    cloneList === undefined
      ? known
      : { ...known, cloneList: pickFields(cloneList, ['namespace', 'kinds', 'selector']) };
  return withDoubles(pattern) as JsonObject;
}
