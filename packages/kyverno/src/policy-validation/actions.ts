import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  field,
  listField,
  objectField,
  objectsField,
  saysSomething,
  stringField,
} from '../fields/fields.ts';
import type { Placed } from './conditions.ts';
import { patternProblem } from './patterns.ts';

/** Validates the action of a rule (`validateActions`). */
export function actionProblem(rule: JsonObject, at: number): string | undefined {
  const mutate = objectField(rule, 'mutate');
  const validate = objectField(rule, 'validate');
  const generate = objectField(rule, 'generate');
  for (const [name, body, check] of [
    ['mutate', mutate, mutationProblem],
    ['validate', validate, validationProblem],
    ['generate', generate, generationProblem],
  ] as const) {
    const problem = body && saysSomething(body) ? check(body, rule) : undefined;
    if (problem === undefined) continue;
    return `path: spec.rules[${at}].${name}.${problem.place}.: ${problem.message}`;
  }
  const kinds = listField(
    objectField(objectField(rule, 'match') ?? {}, 'resources') ?? {},
    'kinds',
  );
  return generate && saysSomething(generate) && kinds.includes(stringField(generate, 'kind'))
    ? 'generation kind and match resource kind should not be the same'
    : undefined;
}

const celOnly = 'celPrecondition can only be used with validate.cel';

function mutationProblem(mutate: JsonObject, rule: JsonObject): Placed | undefined {
  const hasMerge = field(mutate, 'patchStrategicMerge') !== undefined;
  const hasPatch = stringField(mutate, 'patchesJson6902') !== '';
  const loops = objectsField(mutate, 'foreach');
  if (loops.length > 0) {
    if (!hasMerge && !hasPatch) return loopsProblem(loops, '');
    const message = 'only one of `foreach`, `patchStrategicMerge`, or `patchesJson6902` is allowed';
    return { place: 'foreach', message };
  }
  if (hasMerge && hasPatch) return { place: 'foreach', message: onePatch };
  return field(rule, 'celPreconditions') === undefined
    ? undefined
    : { place: '', message: celOnly };
}

const onePatch = 'only one of `patchStrategicMerge` or `patchesJson6902` is allowed';

/** A loop with loops in it ends the search. */
function loopsProblem(loops: readonly JsonObject[], outer: string): Placed | undefined {
  let place = outer;
  for (const [at, loop] of loops.entries()) {
    place += `foreach[${at}]`;
    const inner = objectsField(loop, 'foreach');
    const hasMerge = field(loop, 'patchStrategicMerge') !== undefined;
    const hasPatch = stringField(loop, 'patchesJson6902') !== '';
    if (inner.length > 0) {
      const isAlone = ['context', 'preconditions'].every((name) => field(loop, name) === undefined);
      return isAlone && !hasMerge && !hasPatch
        ? loopsProblem(inner, place)
        : { place, message: 'a nested foreach cannot contain other declarations' };
    }
    if (hasMerge === hasPatch) return { place, message: onePatch };
  }
  return undefined;
}

function validationProblem(validate: JsonObject, rule: JsonObject): Placed | undefined {
  const count = bodiesOf(validate);
  if (count !== 1) {
    const only = count === 0 ? 'one of' : 'only one of';
    const verb = count === 0 ? 'must' : 'can';
    const message = `${only} pattern, anyPattern, deny, foreach, cel ${verb} be specified`;
    return { place: '', message };
  }
  const inPattern = patternProblem(field(validate, 'pattern'), '/');
  if (inPattern !== undefined) return { ...inPattern, place: `pattern.${inPattern.place}` };
  return (
    anyPatternProblem(field(validate, 'anyPattern')) ??
    unplaced(validationLoopProblem(validate) ?? celProblem(validate, rule))
  );
}

function unplaced(message: string | undefined): Placed | undefined {
  return message === undefined ? undefined : { place: '', message };
}

function bodiesOf(validate: JsonObject): number {
  const manifests = objectField(validate, 'manifests') ?? {};
  return (
    ['pattern', 'anyPattern', 'deny', 'foreach', 'podSecurity', 'cel'].filter(
      (name) => field(validate, name) !== undefined,
    ).length + (listField(manifests, 'attestors').length > 0 ? 1 : 0)
  );
}

function anyPatternProblem(patterns: unknown): Placed | undefined {
  if (patterns === undefined) return undefined;
  if (!Array.isArray(patterns)) {
    const found = typeof patterns === 'boolean' ? 'bool' : typeof patterns;
    const message = `failed to deserialize anyPattern, expect array: json: cannot unmarshal ${found} into Go value of type []interface {}`;
    return { place: 'anyPattern', message };
  }
  for (const [at, pattern] of patterns.entries()) {
    const problem = patternProblem(pattern, '/');
    if (problem !== undefined) return { ...problem, place: `anyPattern[${at}].${problem.place}` };
  }
  return undefined;
}

function validationLoopProblem(validate: JsonObject): string | undefined {
  for (const loop of objectsField(validate, 'foreach')) {
    if (stringField(loop, 'list') === '') return 'foreach.list is required';
    const count =
      ['pattern', 'anyPattern', 'deny'].filter((name) => field(loop, name) !== undefined).length +
      (listField(loop, 'foreach').length > 0 ? 1 : 0);
    if (count === 1) continue;
    const [only, verb] = count === 0 ? ['one of', 'must'] : ['only one of', 'can'];
    return `${only} pattern, anyPattern, deny, or a nested foreach ${verb} be specified`;
  }
  return undefined;
}

function celProblem(validate: JsonObject, rule: JsonObject): string | undefined {
  const cel = objectField(validate, 'cel');
  if (cel === undefined) return field(rule, 'celPreconditions') === undefined ? undefined : celOnly;
  const expressions = objectsField(cel, 'expressions');
  if (expressions.some((expression) => stringField(expression, 'expression') === '')) {
    return 'cel.expressions.expression is required';
  }
  return parameterProblem(cel) ?? annotationProblem(cel);
}

function parameterProblem(cel: JsonObject): string | undefined {
  const kind = objectField(cel, 'paramKind');
  const reference = objectField(cel, 'paramRef');
  if (kind !== undefined) {
    for (const name of ['apiVersion', 'kind']) {
      if (stringField(kind, name) === '') return `cel.paramKind.${name} is required`;
    }
    if (reference === undefined) return 'cel.paramRef is required';
  }
  if (reference === undefined) return undefined;
  const hasName = stringField(reference, 'name') !== '';
  if (hasName === (field(reference, 'selector') !== undefined)) {
    return 'one of cel.paramRef.name or cel.paramRef.selector must be set';
  }
  if (field(reference, 'parameterNotFoundAction') === undefined) {
    return 'cel.paramRef.parameterNotFoundAction is required';
  }
  return kind === undefined ? 'cel.paramKind is required' : undefined;
}

function annotationProblem(cel: JsonObject): string | undefined {
  for (const annotation of objectsField(cel, 'auditAnnotations')) {
    for (const name of ['key', 'valueExpression']) {
      if (stringField(annotation, name) === '') return `cel.auditAnnotation.${name} is required`;
    }
  }
  return undefined;
}

function generationProblem(generate: JsonObject): Placed | undefined {
  const problem = anchorInData(field(generate, 'data'), '/');
  if (problem === undefined) return undefined;
  const message = `anchors not supported on generate resources: ${problem.message}`;
  return { place: `data.${problem.place}`, message };
}

/** No anchor at all may stand in data. */
function anchorInData(data: unknown, path: string): Placed | undefined {
  return patternProblem(data, path, () => false);
}
