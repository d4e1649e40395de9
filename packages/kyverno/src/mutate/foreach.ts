import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { deepEqual } from '@kubeadmit/go';
import { type Conditions, compileConditions } from '../conditions/compile.ts';
import { evaluateConditions } from '../conditions/evaluate.ts';
import { loadEntries } from '../context/entries.ts';
import { loopElements } from '../context/loop-elements.ts';
import { withIntegers } from '../context/numbers.ts';
import { field, objectsField, stringField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { elementsOf } from '../jmespath/steps/list.ts';
import type { PolicyRequest } from '../rule/request.ts';
import { said } from '../trace/outcome.ts';
import { substitute } from '../variables/substitute.ts';
import { applyPatch, type MutationOutcome, mutationError } from './patch.ts';

/** Applies the entries of `foreach`, each to the result of the previous one. */
export function mutateLoops(
  request: PolicyRequest,
  loops: readonly Loop[],
  given: JsonObject | undefined,
  nesting: number,
): MutationOutcome {
  let object = given;
  let applied = 0;
  const { trace } = request.context;
  for (const [index, loop] of loops.entries()) {
    const { list } = loop;
    trace?.open();
    const result = request.context.query(list);
    if (result instanceof Failure) {
      trace?.close({ kind: 'loop', index, list, error: result.message });
      return mutationError(`failed to evaluate list ${list}: ${result.message}`, result.message);
    }
    const elements = elementsOf(result) ?? [result];
    const outcome = mutateElements(request, loop, elements, object, nesting);
    trace?.close({ kind: 'loop', index, list, count: elements.length });
    if (outcome.status === 'error')
      return mutationError('failed to mutate elements', outcome.message);
    if (outcome.status === 'skip') continue;
    applied++;
    object = outcome.object;
    request.showObject('object', object);
  }
  const message = `${applied} elements processed`;
  return { status: applied === 0 ? 'skip' : 'pass', message, object };
}

/** An entry of `foreach`, ready for every element. */
export interface Loop {
  readonly list: string;
  readonly isReversed: boolean;
  readonly context: readonly JsonObject[];
  readonly conditions: Conditions | Failure;
  readonly loops: readonly Loop[];
  /** The patches that are substituted for every element. */
  readonly patches: JsonObject;
}

/** Reads the entries of `foreach`. */
export function compileLoops(source: JsonObject): readonly Loop[] {
  return objectsField(source, 'foreach').map(compileLoop);
}

function compileLoop(source: JsonObject): Loop {
  const merge = field(source, 'patchStrategicMerge');
  const order = field(source, 'order');
  return {
    list: stringField(source, 'list'),
    // A merge puts its items first, so that it begins at the last element, and a JSON patch at the first.
    isReversed: order === undefined ? merge !== undefined : order === 'Descending',
    context: objectsField(source, 'context'),
    conditions: compileConditions(field(source, 'preconditions')),
    loops: compileLoops(source),
    patches: {
      patchStrategicMerge: withIntegers(merge ?? null),
      patchesJson6902: stringField(source, 'patchesJson6902'),
    },
  };
}

function mutateElements(
  request: PolicyRequest,
  loop: Loop,
  elements: readonly unknown[],
  given: JsonObject | undefined,
  nesting: number,
): MutationOutcome {
  const { context } = request;
  let object = given;
  for (const [index, element] of loopElements(context, elements, nesting, loop.isReversed)) {
    context.trace?.open();
    const outcome = mutateElement(request, loop, object, index, nesting);
    context.trace?.close({ kind: 'element', index, element, ...said(outcome) });
    if (outcome === undefined) continue;
    if (outcome.status === 'error') return outcome;
    if (outcome.status === 'pass') object = outcome.object;
  }
  return deepEqual(given, object)
    ? { status: 'skip', message: 'no patches applied', object }
    : { status: 'pass', message: '', object };
}

/** The outcome for one element; undefined when its preconditions do not hold. */
function mutateElement(
  request: PolicyRequest,
  loop: Loop,
  object: JsonObject | undefined,
  index: number,
  nesting: number,
): MutationOutcome | undefined {
  const { context } = request;
  const { conditions, loops } = loop;
  const problem = loadEntries(context, loop.context, request.sources, request.policyNamespace);
  if (problem !== undefined) {
    return mutationError(`failed to load to mutate.foreach[${index}].context`, problem.message);
  }
  const outcome = evaluateConditions(context, conditions);
  if (outcome instanceof Failure) {
    return mutationError(
      `failed to evaluate mutate.foreach[${index}].preconditions`,
      outcome.message,
    );
  }
  if (!outcome.result) return undefined;
  return loops.length > 0
    ? mutateLoops(request, loops, object, nesting + 1)
    : patchElement(request, loop, object);
}

function patchElement(
  request: PolicyRequest,
  loop: Loop,
  object: JsonObject | undefined,
): MutationOutcome {
  const patches = substitute(request.context, loop.patches);
  if (patches instanceof Failure)
    return mutationError('variable substitution failed', patches.message);
  if (!isObject(patches)) return mutationError('empty mutate rule');
  return applyPatch(
    object,
    patches['patchStrategicMerge'],
    stringField(patches, 'patchesJson6902'),
    request.context.trace,
  );
}
