import { compileConditions } from '../conditions/compile.ts';
import { evaluateConditions } from '../conditions/evaluate.ts';
import { loadEntries } from '../context/entries.ts';
import { Failure } from '../jmespath/failure.ts';
import { elementsOf } from '../jmespath/list.ts';
import { field, objectsField, textField } from '../policy/fields.ts';
import type { PolicyRequest } from '../policy/request.ts';
import { showElement } from '../validate/rule.ts';
import { deepEqual, isObject, type JsonObject, withIntegers } from '../values/value.ts';
import { substitute } from '../variables/substitute.ts';
import { applyPatch, type MutationOutcome, mutationError } from './patch.ts';

/** Applies the entries of `foreach`, each to what the one before made. */
export function mutateLoops(
  request: PolicyRequest,
  loops: readonly JsonObject[],
  given: JsonObject | undefined,
  nesting: number,
): MutationOutcome {
  let object = given;
  let applied = 0;
  for (const loop of loops) {
    const list = textField(loop, 'list');
    const result = request.context.query(list);
    if (result instanceof Failure) {
      return mutationError(`failed to evaluate list ${list}: ${result.message}`, result.message);
    }
    const outcome = mutateElements(request, loop, elementsOf(result) ?? [result], object, nesting);
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

/** Patches are applied from the last element on, since a merge puts its items first; JSON patches from the first. */
function isReversed(loop: JsonObject): boolean {
  const order = field(loop, 'order');
  return order === undefined
    ? field(loop, 'patchStrategicMerge') !== undefined
    : order === 'Descending';
}

function mutateElements(
  request: PolicyRequest,
  loop: JsonObject,
  elements: readonly unknown[],
  given: JsonObject | undefined,
  nesting: number,
): MutationOutcome {
  const { context } = request;
  let object = given;
  const order = [...elements.keys()];
  if (isReversed(loop)) order.reverse();
  context.checkpoint();
  try {
    for (const index of order) {
      const element = elements[index];
      if (element === null) continue;
      context.reset();
      showElement(request, element, index, nesting);
      const outcome = mutateElement(request, loop, object, index, nesting);
      if (outcome === undefined) continue;
      if (outcome.status === 'error') return outcome;
      if (outcome.status === 'pass') object = outcome.object;
    }
  } finally {
    context.restore();
  }
  return deepEqual(given, object)
    ? { status: 'skip', message: 'no patches applied', object }
    : { status: 'pass', message: '', object };
}

/** The outcome for one element; undefined when its preconditions do not hold. */
function mutateElement(
  request: PolicyRequest,
  loop: JsonObject,
  object: JsonObject | undefined,
  index: number,
  nesting: number,
): MutationOutcome | undefined {
  const { context } = request;
  const problem = loadEntries(
    context,
    objectsField(loop, 'context'),
    request.sources,
    request.policyNamespace,
  );
  if (problem !== undefined) {
    return mutationError(`failed to load to mutate.foreach[${index}].context`, problem.message);
  }
  const conditions = compileConditions(field(loop, 'preconditions'));
  const outcome =
    conditions instanceof Failure ? conditions : evaluateConditions(context, conditions);
  if (outcome instanceof Failure) {
    return mutationError(
      `failed to evaluate mutate.foreach[${index}].preconditions`,
      outcome.message,
    );
  }
  if (!outcome.result) return undefined;
  const loops = objectsField(loop, 'foreach');
  return loops.length > 0
    ? mutateLoops(request, loops, object, nesting + 1)
    : patchElement(request, loop, object);
}

function patchElement(
  request: PolicyRequest,
  loop: JsonObject,
  object: JsonObject | undefined,
): MutationOutcome {
  const patches = substitute(request.context, {
    patchStrategicMerge: withIntegers(field(loop, 'patchStrategicMerge') ?? null),
    patchesJson6902: textField(loop, 'patchesJson6902'),
  });
  if (patches instanceof Failure)
    return mutationError('variable substitution failed', patches.message);
  if (!isObject(patches)) return mutationError('empty mutate rule');
  return applyPatch(object, patches['patchStrategicMerge'], textField(patches, 'patchesJson6902'));
}
