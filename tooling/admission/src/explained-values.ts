import { readdirSync } from 'node:fs';
import { admit, loadCluster, prepareRequest } from '@kubeadmit/admission';
import type { KubernetesObject } from '@kubeadmit/apimachinery';
import {
  CelError,
  Double,
  Duration,
  formatLiteral,
  Timestamp,
  Uint,
  type Value,
} from '@kubeadmit/cel';
import { childrenOf, type Expression, printExpression } from '@kubeadmit/cel/syntax';
import { isList, isPlainObject } from '@kubeadmit/cel/values';
import { EvaluationObserver } from '@kubeadmit/chain/expressions';
import { type JsonObject, LineProgram, parseJson } from '@kubeadmit/conformance-tools';
import type { AdmissionRequest, ObservedEvaluation } from '@kubeadmit/engine';
import { requestValue } from '@kubeadmit/engine/unstable-internal';
import { loadSchemas } from '@kubeadmit/schemas';
import { readLines } from '@kubeadmit/test-support';

// Compares the values that `kubeadmit explain` shows for parts of expressions with those of the oracle, which
// evaluates each part alone:
//   explained-values ORACLE FOLDER-OF-RECORDED-ADMISSIONS [REQUESTS]
// Recorded admissions of mutating policies, cost limits and the authorizer are skipped. The oracle cannot receive
// intermediate objects of mutations or the authorizer, and cost limits evaluate millions of parts.
// Other parts that the oracle's `eval` cannot receive or compile alone (`Object{…}`, values of libraries without a
// JSON form) are counted separately.

const [oracle = 'oracle', folder = '../../conformance/admit', wanted = '100'] =
  process.argv.slice(2);
const program = new LineProgram(oracle, ['eval']);
const schemas = await loadSchemas();
const counts = { requests: 0, values: 0, equal: 0, different: 0, notAskable: 0 };
const reasons = new Map<string, number>();

/** The values that an expression depends on, by name; `undefined` for values without a JSON form. */
type Scope = ReadonlyMap<string, unknown>;

const cases = readdirSync(folder)
  .filter((file) => /^(?:.*validating|examples)\.ndjson$/.test(file))
  .flatMap((file) => readLines<string>(`${folder}/${file}`, String));
// Selects cases evenly from all areas and skips those that evaluate nothing.
const stride = 1009;
for (let i = 0; i < cases.length && counts.requests < Number(wanted); i++) {
  const text = cases[(i * stride) % cases.length] ?? '{}';
  const { input = parseJson(text) } = parseJson(text) as { readonly input?: JsonObject };
  const seen = observe(input as JsonObject, text);
  if (seen.length === 0) continue;
  counts.requests++;
  await Promise.all(seen.flatMap((evaluations) => compareAll(evaluations)));
}
program.close();
console.log(JSON.stringify(counts), JSON.stringify(Object.fromEntries(reasons)));
process.exitCode = counts.different > 0 || counts.equal === 0 ? 1 : 0;

/** Returns the evaluations of each policy in a case. */
function observe({ resources, request, kubernetesVersion }: JsonObject, text: string) {
  const observer = new EvaluationObserver();
  const cluster = loadCluster({
    emulated: true,
    onErrors: 'report',
    checkDefinitions: false,
    resources: (resources ?? []) as readonly unknown[] as readonly KubernetesObject[],
    schemas,
    kubernetesVersion: typeof kubernetesVersion === 'string' ? kubernetesVersion : undefined,
    observe: observer.observe,
  });
  const { seen, result } = observer.during(() =>
    admit(cluster, request as AdmissionRequest, { allowIncomplete: true }),
  );
  if (result.failure !== undefined) return [];
  const prepared = prepareRequest(cluster, request as AdmissionRequest);
  // A policy of another version is given another object.
  if (prepared.failure !== undefined || /"matchPolicy":"Exact"|"eq-/.test(text)) return [];
  const { attributes } = prepared;
  const changed = result.trace
    .flatMap(({ bindings }) => bindings.flatMap(({ evaluations }) => evaluations))
    .some(({ mutations = [] }) => mutations.some(({ outcome }) => outcome === 'changed'));
  const base: Scope = new Map<string, unknown>([
    // The intermediate objects that mutations receive are unknown here.
    ['object', changed ? undefined : jsonOf(attributes.object as Value)],
    ['oldObject', jsonOf(attributes.oldObject as Value)],
    ['request', jsonOf(requestValue(attributes, attributes))],
  ]);
  return [...seen].map(([spec, evaluations]) => ({ spec, evaluations, base }));
}

type Seen = ReturnType<typeof observe>[number];

/** Requests every value of a policy's evaluations in order: variables come before the expressions that read them. */
function compareAll({ spec, evaluations, base }: Seen): Promise<void>[] {
  const variables: Record<string, unknown> = {};
  const texts = new Map<string, string>();
  return evaluations.flatMap((evaluation) => {
    const scope = new Map([...base, ['variables', { ...variables }] as const]);
    const asked = compareOne(evaluation, scope, new Map(texts));
    const index = /^spec\.variables\[(\d+)\]/.exec(evaluation.home?.path ?? '')?.[1];
    const name = spec.variables?.[Number(index)]?.name;
    if (index !== undefined && name !== undefined) {
      const { checked, value } = evaluation;
      const json = value instanceof CelError ? undefined : jsonOf(value);
      delete variables[name];
      texts.delete(name);
      if (json === undefined) texts.set(name, printExpression(checked.expression));
      else variables[name] = json;
    }
    return asked;
  });
}

function compareOne(
  { values, checked }: ObservedEvaluation,
  base: Scope,
  texts: ReadonlyMap<string, string>,
): Promise<void>[] {
  const scope = new Map(base);
  const asked: Promise<void>[] = [];
  const loops = loopsIn(checked.expression);
  for (const { expression, value } of values) {
    const { id, kind } = expression;
    const names = freeNames(expression);
    // Expansions of macros are reported as the macro, and names as the values they refer to.
    const isInner = [...names].some((name) => /^(?:@|__)/.test(name));
    if (kind !== 'literal' && kind !== 'identifier' && !isInner) {
      asked.push(ask(expression, value, { scope: new Map(scope), names, texts }));
    }
    const begun = loops.find(({ range }) => range === id);
    if (begun !== undefined) {
      begun.elements = isList(value) ? [...value] : [];
      begun.turn = 0;
    }
    const ended = loops.find(({ body }) => body === id);
    if (ended !== undefined) ended.turn++;
    for (const { variable, elements, turn } of loops) {
      const element = elements[turn];
      if (element !== undefined) scope.set(variable, jsonOf(element));
      else if (elements.length > 0) scope.delete(variable);
    }
  }
  return asked;
}

interface Loop {
  readonly variable: string;
  readonly range: number;
  readonly body: number;
  elements: readonly Value[];
  turn: number;
}

/** The loops with one variable in which each turn evaluates the same expression, from the outside in. */
function loopsIn(expression: Expression): readonly Loop[] {
  const own: Loop[] = [];
  if (expression.kind === 'comprehension' && expression.secondVariable === undefined) {
    const { variable, range, macro } = expression;
    const [, body, more] = macro?.arguments ?? [];
    if (body !== undefined && more === undefined && macro?.name !== 'bind') {
      own.push({ variable, range: range.id, body: body.id, elements: [], turn: 0 });
    }
  }
  return [...own, ...childrenOf(expression).flatMap(loopsIn)];
}

async function ask(
  expression: Expression,
  value: Value,
  {
    scope,
    names,
    texts,
  }: { scope: Scope; names: ReadonlySet<string>; texts: ReadonlyMap<string, string> },
): Promise<void> {
  counts.values++;
  const given: Record<string, unknown> = {};
  for (const name of names) {
    const json = scope.get(name);
    if (json === undefined) return notAskable(`no value for ${name}`);
    given[name] = json;
  }
  let text = printExpression(expression);
  for (const [name, body] of texts) {
    text = text.replaceAll(new RegExp(`\\bvariables\\.${name}\\b`, 'g'), () => `(${body})`);
  }
  const answer = await program.ask({ id: 'x', expression: text, variables: given } as JsonObject);
  if (answer['issues'] !== undefined || answer['failure'] !== undefined) {
    return notAskable(String(answer['failure'] ?? 'does not compile by itself').slice(0, 60));
  }
  // That a variable failed is said where it is read; the oracle evaluates it on the spot.
  const own =
    value instanceof CelError
      ? { error: value.message.replace(/^composited variable "\w+" fails to evaluate: /, '') }
      : { result: formatLiteral(value) };
  const theirs =
    answer['error'] === undefined ? { result: answer['result'] } : { error: answer['error'] };
  if (JSON.stringify(own) === JSON.stringify(theirs)) {
    counts.equal++;
    return;
  }
  counts.different++;
  console.log(`${text}\n  ours   ${JSON.stringify(own)}\n  theirs ${JSON.stringify(theirs)}`);
}

function notAskable(reason: string): void {
  counts.notAskable++;
  reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
}

/** The names that an expression reads from outside of it. */
function freeNames(expression: Expression): ReadonlySet<string> {
  const names = new Set<string>();
  const visit = (each: Expression, bound: ReadonlySet<string>): void => {
    // Names such as `optional` are the beginnings of names of functions.
    const isFunction = /^(?:optional|math|strings|ip|cidr|format|base64|sets|lists)$/;
    if (each.kind === 'identifier' && !bound.has(each.name) && !isFunction.test(each.name)) {
      names.add(each.name);
    }
    if (each.kind !== 'comprehension') {
      for (const child of childrenOf(each)) visit(child, bound);
      return;
    }
    visit(each.range, bound);
    visit(each.initial, bound);
    const inner = new Set([...bound, each.variable, each.secondVariable ?? '', each.accumulator]);
    for (const child of [each.condition, each.step, each.result]) visit(child, inner);
  };
  visit(expression, new Set());
  return names;
}

/** A value in the form of the oracle's variables; undefined where there is none. */
function jsonOf(value: Value): unknown {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number') return value;
  if (typeof value === 'bigint') return { $int: String(value) };
  if (value instanceof Double) return { $double: String(value.value) };
  if (value instanceof Uint) return { $uint: String(value.value) };
  if (value instanceof Timestamp || value instanceof Duration) return undefined;
  if (isList(value)) {
    const list = [...value].map(jsonOf);
    return list.includes(undefined) ? undefined : list;
  }
  if (!isPlainObject(value)) return undefined;
  const entries = Object.entries(value).map(([key, each]) => [key, jsonOf(each as Value)] as const);
  return entries.some(([, each]) => each === undefined) ? undefined : Object.fromEntries(entries);
}
