import { isObject, type JsonObject, listOf, objectOf } from '@kubeadmit/apimachinery';
import { literal } from '../cel/literal.ts';
import { Path } from '../cel/path.ts';
import { call, choice, member, type Term } from '../cel/term.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import { textTerm } from '../jmespath/text-value.ts';
import { translate } from '../jmespath/translate.ts';
import { listOf as listTerm, shapeOf } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { type ConstraintOptions, matchConstraints } from '../match/constraints.ts';
import type { Note } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { withContext, withoutMarks } from '../policy/context.ts';
import { clonedObjects } from './clones.ts';
import { generatedObject } from './generated-object.ts';
import { requestsOf } from './requests.ts';

/** The spec of a GeneratingPolicy, and what its readers should know. */
export interface ConvertedGeneration {
  readonly spec: JsonObject;
  readonly lost: readonly Note[];
  readonly notes: readonly Note[];
}

/**
 * Converts a generate rule to the spec of a GeneratingPolicy.
 *
 * @throws Unsupported for parts that have no equivalent.
 */
export function convertGeneration(
  rule: JsonObject,
  policy: JsonObject,
  options: ConstraintOptions,
): ConvertedGeneration {
  if (policy['kind'] === 'Policy') {
    throw new Unsupported(
      'generation by a Policy',
      'write a ClusterPolicy, or a NamespacedGeneratingPolicy by hand',
    );
  }
  const generate = objectOf(rule['generate']);
  const { constraints, variables, matchConditions } = requestsOf(rule, options);
  const expressions = expressionsOf(generate, variables);
  const evaluation = evaluationOf(generate, objectOf(policy['spec']));
  return {
    spec: {
      ...(evaluation && { evaluation }),
      matchConstraints: matchConstraints(constraints),
      ...(matchConditions.length > 0 && { matchConditions }),
      generate: expressions.map(({ text }) => ({ expression: withoutMarks(text) })),
    },
    lost: constraints.lost,
    notes: [...constraints.notes, ...variables.notes],
  };
}

/** The settings that decide when and how long objects are generated. */
function evaluationOf(generate: JsonObject, spec: JsonObject): JsonObject | undefined {
  const settings = [
    ['synchronize', generate['synchronize']],
    ['generateExisting', generate['generateExisting'] ?? spec['generateExisting']],
    ['orphanDownstreamOnPolicyDelete', generate['orphanDownstreamOnPolicyDelete']],
  ] as const;
  const enabled = settings.filter(([, value]) => value === true);
  if (enabled.length === 0) return undefined;
  return Object.fromEntries(enabled.map(([name]) => [name, { enabled: true }]));
}

function expressionsOf(generate: JsonObject, variables: Variables): readonly Term[] {
  if (!Array.isArray(generate['foreach'])) return applicationsOf(generate, variables);
  return generate['foreach'].filter(isObject).flatMap((loop) => loopsOf(loop, variables));
}

/** Applies a pattern to every element of a list. */
function loopsOf(loop: JsonObject, variables: Variables): readonly Term[] {
  const list = translate(String(loop['list'] ?? ''), variables);
  const shape = list.kind === 'projection' ? shapeOf(list.item) : shapeOf(list)?.element;
  const element = new Path(member('element'), { ...variables.known, shape });
  const named = new Map(variables.named).set('element', { kind: 'path', path: element });
  const inner = withContext(loop['context'], { ...variables, named });
  const test = conditionsHold(readConditions(loop['preconditions'], inner));
  return applicationsOf(loop, inner).map((application) => {
    const body = test.text === 'true' ? application : choice(test, application, member('true'));
    return call(listTerm(list), 'all', member('element'), body);
  });
}

/** Returns the calls that generate the objects of a pattern. */
function applicationsOf(pattern: JsonObject, variables: Variables): readonly Term[] {
  const namespace = namespaceOf(pattern, variables);
  const objects =
    isFilled(pattern['clone'], 'name') || isFilled(pattern['cloneList'], 'kinds')
      ? clonedObjects(pattern, variables)
      : [generatedObject(pattern, variables)];
  return objects.map((object) =>
    call(member('generator'), 'Apply', namespace, member(`[${object.text}]`)),
  );
}

function isFilled(value: unknown, name: string): boolean {
  return isObject(value) && (listOf(value[name]).length > 0 || typeof value[name] === 'string');
}

function namespaceOf({ namespace }: JsonObject, variables: Variables): Term {
  if (namespace === undefined) return literal('');
  return textTerm(String(namespace), variables);
}
