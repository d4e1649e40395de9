import { isObject, type JsonObject, listOf, memberList, objectOf } from '@kubeadmit/apimachinery';
import { stringifyJson } from '@kubeadmit/go';
import { hasWildcard, parseAnchor } from '@kubeadmit/kyverno/patterns';
import { computeRules } from '@kubeadmit/kyverno/unstable-internal';
import { Path } from '../cel/path.ts';
import {
  all,
  always,
  any,
  call,
  choice,
  isConstant,
  member,
  not,
  type Term,
  truth,
} from '../cel/term.ts';
import { conditionsHold, elementPreconditions, readConditions } from '../conditions/conditions.ts';
import { mentions } from '../jmespath/required-variables.ts';
import { translate } from '../jmespath/translate.ts';
import { listOrEmpty, shapeOf } from '../jmespath/value.ts';
import type { Parameter, Variables } from '../jmespath/variables.ts';
import {
  type ConstraintOptions,
  type Constraints,
  objectPath,
  operationsIn,
  readConstraints,
  structsOf,
} from '../match/constraints.ts';
import { differenceNotes, type Note } from '../notes/difference-notes.ts';
import { Unsupported, withoutForm } from '../notes/unsupported.ts';
import { withVariables } from '../pattern/dynamic.ts';
import { anyPatternTest, patternTest } from '../pattern/pattern.ts';
import { withContext, withoutMarks } from './context.ts';
import { deletionLoops } from './deletions.ts';
import { deletedText, oldName, oldText, violatedBefore } from './existing-violations.ts';
import { failurePolicyOf } from './failure-policy.ts';
import { type Message, readMessage } from './message.ts';
import { podSecurityChecks } from './pod-security.ts';
import { controllerKinds, type PolicyVariable, podPath, podVariable } from './pod-template.ts';

/** A validation, or several with one message, of an admission policy. */
export interface ConvertedRule {
  readonly constraints: Constraints;
  readonly conditions: readonly { readonly name: string; readonly expression: string }[];
  readonly variables: readonly PolicyVariable[];
  readonly validations: readonly string[];
  readonly message: Message;
  readonly parameter: Parameter | undefined;
  /** Notes on the result for its readers. */
  readonly notes: readonly Note[];
  /** The parts of the rule that are missing from the result, which therefore denies more. */
  readonly lost: readonly Note[];
}

/**
 * Converts a validate rule of Kyverno to a part of a ValidatingAdmissionPolicy.
 *
 * @throws Unsupported if it has no equivalent.
 */
export function convertValidateRule(
  rule: JsonObject,
  policy: JsonObject,
  options: ConstraintOptions,
): ConvertedRule {
  const { schemas } = options;
  const given = rule['validate'];
  if (!isObject(given)) throw new Unsupported(otherRule(rule));
  const isDeletion = options.part === 'deletions';
  const validate =
    isDeletion && given['foreach'] !== undefined
      ? { ...given, foreach: deletionLoops(given) }
      : given;
  const controllers = controllersOf(rule, policy);
  const constraints = readConstraints(rule['match'], rule['exclude'], {
    ...options,
    extraKinds: controllerKinds(controllers),
  });
  const hasPod = controllers.length > 0;
  const object = hasPod
    ? podPath(schemas)
    : objectPath(schemas, 'object', structsOf(constraints.kinds, schemas));
  const written = (text: string): string => {
    const plain = withoutMarks(text);
    return isDeletion ? deletedText(plain) : plain;
  };
  const oldObject = new Path(member('oldObject'), object.known);
  const variables = withContext(rule['context'], {
    known: { schemas, shape: undefined },
    object,
    oldObject,
    named: new Map(),
    operations: operationsIn(constraints),
    isIdiomatic: options.isIdiomatic === true,
    notes: new Set(),
    failing: new Set(),
  });
  const preconditions = conditionsHold(readConditions(rule['preconditions'], variables));
  const security = isObject(validate['podSecurity'])
    ? podSecurityChecks(validate['podSecurity'], object.term.text)
    : undefined;
  const asked = security?.validations ?? validationsOf(validate, variables);
  const declared = [...(hasPod ? [podVariable(controllers)] : []), ...(security?.variables ?? [])];
  noteDifferences(variables.notes, {
    rule,
    validate,
    hasPod,
    hasJobs: security !== undefined && controllers.includes('CronJob'),
  });
  const allowed = violatedBefore(asked, rule, policy, constraints);
  if (allowed !== undefined && options.isIdiomatic === true)
    variables.notes.add(differenceNotes.strictUpdates);
  const before = options.isIdiomatic === true ? undefined : allowed;
  // Kyverno ends in an error, which it does not forgive, at some mismatches beside an existence anchor.
  if (before !== undefined && hasExistenceAnchor(validate)) {
    variables.notes.add(differenceNotes.existence);
  }
  if (before !== undefined) noteBefore(variables, rule, policy);
  const validations = asked.map((test) =>
    before === undefined ? test : orBefore(test, variables.failing.size > 0),
  );
  const conditions = [
    ...constraints.conditions,
    { name: 'preconditions', test: preconditions },
  ].filter(({ test }) => test.text !== always.text);
  const guards = conditions.filter(({ test }) => needsPolicy(test)).map(({ test }) => test);
  const message = readMessage(validate['message'], String(rule['name'] ?? ''), variables);
  const { messageExpression } = message;
  const policyVariables = [
    ...declared,
    ...(before === undefined ? [] : [...declared.map(ofOld), ...before]),
  ];
  return {
    constraints,
    conditions: conditions
      .filter(({ test }) => !needsPolicy(test))
      .map(({ name, test }) => ({ name, expression: written(truth(test).text) })),
    variables: policyVariables.map((each) => ({ ...each, expression: written(each.expression) })),
    validations: validations.map((test) => written(truth(guarded(guards, test)).text)),
    message:
      messageExpression === undefined
        ? message
        : { ...message, messageExpression: written(messageExpression) },
    parameter: variables.parameter,
    notes: [...constraints.notes, ...variables.notes],
    lost: constraints.lost,
  };
}

// Records how an error or a context variable affects whether the old object was denied.
function noteBefore(
  { failing, named, notes }: Variables,
  rule: JsonObject,
  policy: JsonObject,
): void {
  if (failing.size > 0 && failurePolicyOf(policy) === 'Ignore') {
    notes.add(differenceNotes.ignoredBefore);
  }
  const late = lateParts(objectOf(rule['validate']));
  const isLate = [...named].some(
    ([name, value]) =>
      value.kind !== 'literal' && late.some((each) => mentions(stringifyJson(each), name)),
  );
  if (isLate) notes.add(differenceNotes.lateVariables);
}

// The parts of a rule or loop that Kyverno may not read although it denies the object.
function lateParts(source: JsonObject): readonly unknown[] {
  const [first, ...others] = listOf(source['foreach']);
  const loop = objectOf(first);
  return [
    ...laterOf(objectOf(source['deny'])['conditions']),
    ...(first === undefined ? [] : lateParts(loop)),
    ...laterOf(loop['preconditions']),
    ...listOf(loop['context']),
    ...others,
  ];
}

// The conditions that Kyverno reads only if others do not hold.
function laterOf(conditions: unknown): readonly unknown[] {
  return listOf(objectOf(conditions)['any']).slice(1);
}

// Restricts a validation to requests that meet the conditions; an error in a condition is kept too.
function guarded(guards: readonly Term[], test: Term): Term {
  const mayFail = guards.some((each) => each.mayFail === true);
  if (!mayFail) return any([...guards.map(not), test]);
  return choice(all(guards), test, always);
}

// An error of the test must not be lost where the object was denied before.
function orBefore(test: Term, mayFail: boolean): Term {
  const before = member('variables.violatedBefore');
  return mayFail && !isConstant(test) ? choice(test, always, before) : any([test, before]);
}

interface ConvertedParts {
  readonly rule: JsonObject;
  readonly validate: JsonObject;
  /** Whether the rule is about pods, and those of controllers. */
  readonly hasPod: boolean;
  /** Whether it holds the pods of jobs against the Pod Security Standards. */
  readonly hasJobs: boolean;
}

// Notes differences between Kyverno and the result in cases that are rarely intended.
function noteDifferences(
  notes: Set<Note>,
  { rule, validate, hasPod, hasJobs }: ConvertedParts,
): void {
  if (hasJobs) notes.add(differenceNotes.jobAnnotations);
  if (hasPod && /request\.\\"object\\"/.test(stringifyJson(rule))) {
    notes.add(differenceNotes.quotedObject);
  }
  if (hasWildcardKeys(validate)) notes.add(differenceNotes.severalKeys);
}

function hasExistenceAnchor(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasExistenceAnchor);
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([key, item]) => parseAnchor(key)?.modifier === '^' || hasExistenceAnchor(item),
  );
}

// Keys of labels and annotations that stand for others, anywhere in the patterns.
function hasWildcardKeys(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(hasWildcardKeys);
  if (!isObject(value)) return false;
  return Object.entries(value).some(([written, item]) => {
    const key = parseAnchor(written)?.key ?? written;
    const isMetadata = /^(?:labels|annotations)$/.test(key) && isObject(item);
    return (isMetadata && Object.keys(item).some(hasWildcard)) || hasWildcardKeys(item);
  });
}

function ofOld({ name, expression }: PolicyVariable): PolicyVariable {
  return { name: oldName(name), expression: oldText(expression) };
}

// Match conditions know neither the variables of the policy nor the namespace.
function needsPolicy({ text }: Term): boolean {
  return /\b(?:variables|namespaceObject)\b/.test(text);
}

const otherKinds: Readonly<Record<string, string>> = {
  verifyImages: 'admission policies cannot verify images',
  generate: 'admission policies cannot create resources',
  mutate: 'this form of mutation has no equivalent',
};

function otherRule(rule: JsonObject): string {
  const name = Object.keys(otherKinds).find((key) => rule[key] !== undefined);
  return name === undefined ? 'the rule has no action' : `\`${name}\`: ${otherKinds[name]}`;
}

// Generated rules show for which controllers Kyverno evaluates a rule about pods.
function controllersOf(rule: JsonObject, policy: JsonObject): readonly string[] {
  const alone = { ...policy, spec: { ...(policy['spec'] as JsonObject), rules: [rule] } };
  const annotated = isObject(policy['metadata']) ? alone : policy;
  const generated = computeRules(annotated, '').filter((each) => each !== rule);
  return generated.flatMap((each) => {
    const match = each['match'];
    if (!isObject(match)) return [];
    const blocks = [match, ...['any', 'all'].flatMap((key) => listOf(match[key]))];
    return blocks.filter(isObject).flatMap((block) => {
      const resources = block['resources'];
      const kinds = memberList(resources, 'kinds');
      return kinds.map((kind) => String(kind).split('/').at(-1) ?? '');
    });
  });
}

const forms = ['pattern', 'anyPattern', 'deny', 'foreach'];

function validationsOf(validate: JsonObject, variables: Variables): readonly Term[] {
  if (validate['pattern'] !== undefined) {
    return [patternTest(variables.object, withVariables(validate['pattern'], variables))];
  }
  const { anyPattern, foreach, deny } = validate;
  if (Array.isArray(anyPattern)) {
    const patterns = anyPattern.map((pattern) => withVariables(pattern, variables));
    return [anyPatternTest(variables.object, patterns)];
  }
  if (isObject(deny)) return deniedTests(deny, variables);
  if (Array.isArray(foreach))
    return foreach.filter(isObject).map((loop) => loopTest(loop, variables));
  throw withoutForm('validate', validate, [...forms, 'podSecurity', 'cel']);
}

// Each of alternatives is denied by itself, so that each can be read by itself. If one may end in an error, their order
// decides whether Kyverno forgives an update of an object that was denied before.
function deniedTests(deny: JsonObject, variables: Variables): readonly Term[] {
  const conditions = readConditions(deny['conditions'], variables);
  const { operations = [] } = variables;
  const isUpdated = operations.length === 0 || operations.includes('UPDATE');
  const { any: alternatives = [] } = conditions;
  const mayFail = alternatives.length > 1 && alternatives.some((each) => each.mayFail === true);
  const isSeparate = conditions.all.length === 0 && !(isUpdated && mayFail);
  if (conditions.any !== undefined && isSeparate) return conditions.any.map(not);
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
  const preconditions = elementPreconditions(loop['preconditions'], inner);
  const tests = elementTests(loop, element, inner);
  const body = any([not(preconditions), all(tests)]);
  return call(listOrEmpty(list), 'all', member(name), body);
}

function elementTests(loop: JsonObject, element: Path, variables: Variables): readonly Term[] {
  if (loop['pattern'] !== undefined)
    return [patternTest(element, withVariables(loop['pattern'], variables))];
  if (Array.isArray(loop['anyPattern'])) {
    const patterns = loop['anyPattern'].map((pattern) => withVariables(pattern, variables));
    return [anyPatternTest(element, patterns)];
  }
  if (isObject(loop['deny'])) return deniedTests(loop['deny'], variables);
  if (Array.isArray(loop['foreach'])) {
    return loop['foreach'].filter(isObject).map((each) => loopTest(each, variables));
  }
  throw withoutForm('validate.foreach', loop, forms);
}
