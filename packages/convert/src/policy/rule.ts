import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { computeRules } from '@kubeadmit/kyverno/internal';
import { Path } from '../cel/path.ts';
import { all, always, any, call, member, not, type Term, truth } from '../cel/term.ts';
import { holdsVariables } from '../cel/text-value.ts';
import { conditionsHold, readConditions } from '../conditions/conditions.ts';
import { translate } from '../jmespath/translate.ts';
import { listOrEmpty, shapeOf } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import {
  type ConstraintOptions,
  type Constraints,
  objectPath,
  readConstraints,
  structsOf,
} from '../match/constraints.ts';
import { patternTest } from '../pattern/pattern.ts';
import { Unsupported } from '../unsupported.ts';
import { withContext } from './context.ts';
import { type Message, readMessage } from './message.ts';
import { controllerKinds, type PolicyVariable, podPath, podVariable } from './pod-template.ts';

/** A validation, or several with one message, of an admission policy. */
export interface ConvertedRule {
  readonly constraints: Constraints;
  readonly conditions: readonly { readonly name: string; readonly expression: string }[];
  readonly variables: readonly PolicyVariable[];
  readonly validations: readonly string[];
  readonly message: Message;
  /** What a reader should know of the result. */
  readonly notes: readonly string[];
}

/**
 * What a validate rule of Kyverno is as a part of a ValidatingAdmissionPolicy.
 *
 * @throws Unsupported where it has no equal.
 */
export function convertValidateRule(
  rule: JsonObject,
  policy: JsonObject,
  options: ConstraintOptions,
): ConvertedRule {
  const { schemas } = options;
  const validate = rule['validate'];
  if (!isObject(validate)) throw new Unsupported(otherRule(rule));
  const controllers = controllersOf(rule, policy);
  const constraints = readConstraints(rule['match'], rule['exclude'], {
    ...options,
    extraKinds: controllerKinds(controllers),
  });
  const hasPod = controllers.length > 0;
  const object = hasPod
    ? podPath(schemas)
    : objectPath(schemas, 'object', structsOf(constraints.kinds, schemas));
  const isDeletion = constraints.resourceRules.every(
    ({ operations }) => operations.join() === 'DELETE',
  );
  const oldObject = new Path(member('oldObject'), object.known);
  const variables = withContext(rule['context'], {
    known: { schemas, shape: undefined },
    object: isDeletion ? oldObject : object,
    oldObject,
    named: new Map(),
  });
  const preconditions = conditionsHold(readConditions(rule['preconditions'], variables));
  const validations = validationsOf(validate, variables);
  const asked = [...constraints.conditions, { name: 'preconditions', test: preconditions }].filter(
    ({ test }) => test.text !== always.text,
  );
  const guards = asked.filter(({ test }) => needsPolicy(test)).map(({ test }) => not(test));
  return {
    constraints,
    conditions: asked
      .filter(({ test }) => !needsPolicy(test))
      .map(({ name, test }) => ({ name, expression: truth(test).text })),
    variables: hasPod ? [podVariable(controllers, true)] : [],
    validations: validations.map((test) => truth(any([...guards, test])).text),
    message: readMessage(validate['message'], String(rule['name'] ?? ''), variables),
    notes: constraints.notes,
  };
}

// Match conditions know neither the variables of the policy nor the namespace.
function needsPolicy({ text }: Term): boolean {
  return /\b(?:variables|namespaceObject)\b/.test(text);
}

const otherKinds: Readonly<Record<string, string>> = {
  verifyImages: 'image verification needs a registry',
  generate: 'admission policies create nothing',
  mutate: 'mutation of this form has no equal',
};

function otherRule(rule: JsonObject): string {
  const name = Object.keys(otherKinds).find((key) => rule[key] !== undefined);
  return name === undefined ? 'a rule without anything to do' : `\`${name}\`: ${otherKinds[name]}`;
}

// Generated rules tell for which controllers Kyverno asks a rule about pods.
function controllersOf(rule: JsonObject, policy: JsonObject): readonly string[] {
  const alone = { ...policy, spec: { ...(policy['spec'] as JsonObject), rules: [rule] } };
  const annotated = isObject(policy['metadata']) ? alone : policy;
  const generated = computeRules(annotated, '').filter((each) => each !== rule);
  return generated.flatMap((each) => {
    const match = each['match'];
    if (!isObject(match)) return [];
    const blocks = [
      match,
      ...['any', 'all'].flatMap((key) => (Array.isArray(match[key]) ? match[key] : [])),
    ];
    return blocks.filter(isObject).flatMap((block) => {
      const resources = block['resources'];
      const kinds =
        isObject(resources) && Array.isArray(resources['kinds']) ? resources['kinds'] : [];
      return kinds.map((kind) => String(kind).split('/').at(-1) ?? '');
    });
  });
}

function validationsOf(validate: JsonObject, variables: Variables): readonly Term[] {
  if (validate['pattern'] !== undefined) {
    return [patternTest(variables.object, noVariables(validate['pattern']))];
  }
  const { anyPattern, foreach, deny } = validate;
  if (Array.isArray(anyPattern)) {
    return [any(anyPattern.map((pattern) => patternTest(variables.object, noVariables(pattern))))];
  }
  if (isObject(deny)) return deniedTests(deny, variables);
  if (Array.isArray(foreach))
    return foreach.filter(isObject).map((loop) => loopTest(loop, variables));
  if (validate['podSecurity'] !== undefined) {
    throw new Unsupported(
      'podSecurity',
      'label namespaces for the Pod Security admission plugin, or write the checks as patterns',
    );
  }
  throw new Unsupported('a validation of another form');
}

function noVariables(pattern: unknown): unknown {
  if (holdsVariables(pattern)) throw new Unsupported('variables in a pattern');
  return pattern;
}

// Each of alternatives is denied by itself, so that each can be read by itself.
function deniedTests(deny: JsonObject, variables: Variables): readonly Term[] {
  const conditions = readConditions(deny['conditions'], variables);
  if (conditions.any !== undefined && conditions.all.length === 0) return conditions.any.map(not);
  return [not(conditionsHold(conditions))];
}

function loopTest(loop: JsonObject, variables: Variables): Term {
  const list = translate(String(loop['list'] ?? ''), variables);
  const shape = list.kind === 'projection' ? shapeOf(list.item) : shapeOf(list)?.element;
  const name = 'element';
  const known = { ...variables.known, shape };
  const element = new Path(member(name), known);
  const named = new Map(variables.named).set('element', { kind: 'path', path: element });
  const inner = withContext(loop['context'], { ...variables, named });
  const preconditions = conditionsHold(readConditions(loop['preconditions'], inner));
  const tests = elementTests(loop, element, inner);
  const body = any([not(preconditions), all(tests)]);
  return call(listOrEmpty(list), 'all', member(name), body);
}

function elementTests(loop: JsonObject, element: Path, variables: Variables): readonly Term[] {
  if (loop['pattern'] !== undefined) return [patternTest(element, noVariables(loop['pattern']))];
  if (Array.isArray(loop['anyPattern'])) {
    return [any(loop['anyPattern'].map((pattern) => patternTest(element, noVariables(pattern))))];
  }
  if (isObject(loop['deny'])) return deniedTests(loop['deny'], variables);
  if (Array.isArray(loop['foreach'])) {
    return loop['foreach'].filter(isObject).map((each) => loopTest(each, variables));
  }
  throw new Unsupported('a foreach of another form');
}
