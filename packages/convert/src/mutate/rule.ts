import { formatGroupVersion, isObject, type JsonObject, objectOf } from '@kubeadmit/apimachinery';
import { kindNamed } from '@kubeadmit/difference/unstable-internal';
import { parseAnchor } from '@kubeadmit/kyverno/patterns';
import {
  type MergeSchema,
  readVariables,
  schemaOfKind,
} from '@kubeadmit/kyverno/unstable-internal';
import type { Schemas } from '@kubeadmit/schemas';
import { all, always, binding, choice, never, operand, type Term, truth } from '../cel/term.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import { holdsVariables } from '../jmespath/text-value.ts';
import { translate } from '../jmespath/translate.ts';
import type { Parameter, Variables } from '../jmespath/variables.ts';
import {
  type ConstraintOptions,
  matchConstraints,
  objectPath,
  operationsIn,
  readConstraints,
  structsOf,
} from '../match/constraints.ts';
import { type Note, noteText } from '../notes/difference-notes.ts';
import { Unsupported, withoutForm } from '../notes/unsupported.ts';
import { withContext, withoutMarks } from '../policy/context.ts';
import { configurationOf } from './configuration.ts';
import { loopSteps } from './foreach.ts';
import { jsonPatchSteps } from './json-patch.ts';
import { isIndependent, joined, mutationExpressions, type Step } from './steps.ts';
import { mergeSteps } from './strategic-merge.ts';

/** The spec of a MutatingAdmissionPolicy that a rule is. */
export interface ConvertedMutation {
  readonly spec: JsonObject;
  readonly parameter: Parameter | undefined;
  /** Notes on the result for its readers. */
  readonly notes: readonly Note[];
}

/**
 * Converts a mutate rule of Kyverno to the spec of a MutatingAdmissionPolicy.
 *
 * @throws Unsupported if it has no equivalent.
 */
export function convertMutateRule(rule: JsonObject, options: ConstraintOptions): ConvertedMutation {
  const { schemas } = options;
  const mutate = rule['mutate'];
  if (!isObject(mutate)) throw new Unsupported('a rule without a mutation');
  if (mutate['targets'] !== undefined) {
    throw new Unsupported(
      'mutation of existing objects: admission policies change only the object of the request',
    );
  }
  const constraints = readConstraints(rule['match'], rule['exclude'], options);
  const { conditions, kinds, lost } = constraints;
  if (lost.length > 0) throw new Unsupported(lost.map(noteText).join('; '));
  const structs = structsOf(kinds, schemas);
  const object = objectPath(schemas, 'object', structs);
  const variables: Variables = {
    known: { schemas, shape: undefined },
    object,
    oldObject: objectPath(schemas, 'oldObject', structs),
    named: new Map(),
    operations: operationsIn(constraints),
    isIdiomatic: options.isIdiomatic === true,
    notes: new Set(),
    failing: new Set(),
  };
  // Preconditions see the object before the patch: a function of an absent field is an error there.
  const before = withContext(rule['context'], variables);
  const preconditions = conditionsHold(readConditions(rule['preconditions'], before));
  const ofPatch = withContext(rule['context'], { ...variables, isOfPatch: true });
  const made = mutationsOf(mutate, {
    variables: ofPatch,
    schema: mergeSchemaOf(kinds, schemas),
    keepsOrder: options.isIdiomatic === true,
    hasContext: Array.isArray(rule['context']) && rule['context'].length > 0,
  });
  const anchors = afterVariables(mutate, all(made.conditions), ofPatch);
  const asked = [...conditions, ...inOrder(preconditions, anchors)].filter(
    ({ test }) => test.text !== always.text,
  );
  const { parameter } = ofPatch;
  const { kept, guard } = withoutGuards(asked, removes(made.mutations));
  return {
    parameter,
    spec: {
      ...(parameter === undefined ? {} : { paramKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
      matchConstraints: matchConstraints(constraints),
      ...(kept.length === 0
        ? {}
        : {
            matchConditions: kept.map(({ name, test }) => ({
              name,
              expression: withoutMarks(truth(test).text),
            })),
          }),
      mutations: guarded(made.mutations, guard),
      reinvocationPolicy: made.isRepeatable ? 'IfNeeded' : 'Never',
    },
    notes: [...constraints.notes, ...variables.notes, ...made.notes],
  };
}

// A server skips a policy if one match condition is false, also if an earlier one ends in an error.
function inOrder(preconditions: Term, anchors: Term): readonly NamedTest[] {
  if (preconditions.mayFail === true && anchors.text !== always.text) {
    const test = { ...choice(preconditions, anchors, never), mayFail: true };
    return [{ name: 'preconditions', test }];
  }
  return [
    { name: 'preconditions', test: preconditions },
    { name: 'anchors', test: anchors },
  ];
}

// Kyverno replaces all variables before it looks at anchors, and ends in an error where one has no value.
function afterVariables(mutate: JsonObject, anchors: Term, variables: Variables): Term {
  const patch = mutate['patchStrategicMerge'];
  if (!isObject(patch) || !hasAnchors(patch)) return anchors;
  const open = new Set(
    variablesIn(patch).flatMap((expression) => {
      const value = translate(expression, variables);
      return value.kind === 'path' && value.path.mayEnd ? [`dyn(${value.path.term.text})`] : [];
    }),
  );
  if (open.size === 0) return anchors;
  const isRead = {
    text: `size([${[...open].join(', ')}]) == ${open.size}`,
    binds: binding.relation,
  };
  return anchors.text === always.text ? isRead : choice(isRead, anchors, never);
}

function variablesIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return readVariables(value).map(({ expression }) => expression);
  if (Array.isArray(value)) return value.flatMap(variablesIn);
  return isObject(value) ? Object.entries(value).flat().flatMap(variablesIn) : [];
}

function hasAnchors(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasAnchors);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, item]) => parseAnchor(key) !== undefined || hasAnchors(item),
  );
}

interface NamedTest {
  readonly name: string;
  readonly test: Term;
}

/** Whether a patch in one step removes something. */
function removes([patch, ...others]: readonly JsonObject[]): boolean {
  const expression = String(objectOf(patch?.['jsonPatch'])['expression']);
  return others.length === 0 && expression.includes("JSONPatch{op: 'remove'");
}

/**
 * Match conditions of mutations see no namespace, and a server evaluates them once more after all mutations. Parts that
 * need the namespace, or may end in an error where a patch removed something, become a guard of the mutations.
 */
function withoutGuards(
  conditions: readonly NamedTest[],
  isRemoved: boolean,
): { readonly kept: readonly NamedTest[]; readonly guard: Term } {
  const guards: Term[] = [];
  const kept = conditions.flatMap(({ name, test }) => {
    const parts = test.joined?.operator.trim() === '&&' ? test.joined.parts : [test];
    const [own, others] = [true, false].map((isOwn) =>
      parts.filter(
        ({ text, mayFail }) =>
          (/\bnamespaceObject\b/.test(text) || (isRemoved && mayFail === true)) === isOwn,
      ),
    );
    guards.push(...(own ?? []));
    const rest = all(others ?? []);
    return rest.text === always.text ? [] : [{ name, test: rest }];
  });
  return { kept, guard: all(guards) };
}

function guarded(mutations: readonly JsonObject[], guard: Term): readonly JsonObject[] {
  if (guard.text === always.text) return mutations;
  // A later mutation sees what an earlier one changed.
  if (mutations.length > 1 && /\bobject\b/.test(guard.text)) {
    throw new Unsupported('a selector of namespaces and objects, for a patch in several steps');
  }
  return mutations.map((mutation) => {
    const { patchType, jsonPatch, applyConfiguration } = mutation;
    const written = (source: unknown, otherwise: string): JsonObject => {
      const expression = String(objectOf(source)['expression']);
      const own = /\s\? /.test(expression) ? `(${expression})` : expression;
      return {
        expression: withoutMarks(`${operand(guard, binding.or)}\n? ${own}\n: ${otherwise}`),
      };
    };
    return patchType === 'JSONPatch'
      ? { patchType, jsonPatch: written(jsonPatch, '[]') }
      : { patchType, applyConfiguration: written(applyConfiguration, 'Object{}') };
  });
}

// The lists that merge, where all kinds have them alike.
function mergeSchemaOf(kinds: readonly string[], schemas: Schemas): MergeSchema | undefined {
  const found = kinds.map((kind) => {
    const resource = kindNamed(kind, schemas);
    if (resource === undefined) return undefined;
    return schemaOfKind(formatGroupVersion(resource), resource.kind);
  });
  const [first] = found;
  return found.length > 0 && found.every((each) => each !== undefined) ? first : undefined;
}

interface Made {
  readonly mutations: readonly JsonObject[];
  readonly conditions: readonly Term[];
  readonly notes: readonly Note[];
  /** Whether applying the mutation to its own result changes nothing. */
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
    const notes = new Set<Note>();
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
  return { ...patchesOf(jsonPatchSteps(patchesJson6902, variables)), conditions: [], notes: [] };
}

// Variables of the rule's context are of the object before anything is changed.
function inOne(steps: readonly Step[]): Step {
  return steps.reduce((one, other) => {
    if (!isIndependent(one, other)) {
      throw new Unsupported('a foreach that changes the input of context variables');
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
      jsonPatch: { expression: withoutMarks(expression) },
    })),
    // Operations depend on the current values, and Kyverno does not evaluate them again.
    isRepeatable: false,
  };
}

// A patch of maps alone reads best as an apply configuration.
function asConfiguration(patch: JsonObject, { variables, keepsOrder }: Options): Made | undefined {
  try {
    const { expression, conditions, notes } = configurationOf(patch, variables, keepsOrder);
    if (expression === '') return undefined;
    const mutation = {
      patchType: 'ApplyConfiguration',
      applyConfiguration: { expression: withoutMarks(expression) },
    };
    // Kyverno does not read the object again that a later rule changed.
    const isRepeatable = !holdsVariables(patch);
    return { mutations: [mutation], conditions, notes, isRepeatable };
  } catch (problem) {
    if (problem instanceof Unsupported) return undefined;
    throw problem;
  }
}
