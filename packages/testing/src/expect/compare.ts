import { defined } from '@kubeadmit/base';
import { deepEqual, stringifyJson } from '@kubeadmit/go';
import type { Manifest } from '@kubeadmit/manifest';
import { diffJson, type Json } from '@kubeadmit/mutator';
import { decode, type Schemas } from '@kubeadmit/schemas';
import type { Expectation, ExpectedVerdict } from '../format/expectation.ts';
import { compareAnnotations } from './annotations.ts';
import { type CaseOutcome, messagesOf, summaryOf, verdictsOf } from './outcome.ts';
import { differences } from './partial.ts';
import { expectedText, isAsExpected } from './text.ts';
import { compareWarnings } from './warnings.ts';

/** The context of a comparison in addition to the expectation. */
export interface CompareContext {
  readonly schemas: Schemas;
  /** The cost of all expressions of native policies that are meant. */
  readonly cost: number;
  /** The object of `wholeObject`. */
  readonly wholeObject: Manifest | undefined;
}

/** All differences between the actual and the expected outcome, a sentence each; none if the case passes. */
export function compareOutcome(
  outcome: CaseOutcome,
  expectation: Expectation,
  context: CompareContext,
): readonly string[] {
  const verdict = compareVerdict(outcome, expectation);
  // Other differences follow from this one.
  if (verdict !== undefined) return [verdict];
  return [
    ...compareMessage(outcome, expectation),
    ...compareStatus(outcome, expectation),
    ...compareValidations(outcome, expectation),
    ...compareWarnings(outcome.passage.warnings, expectation.warnings),
    ...compareAnnotations(outcome.passage.auditAnnotations, expectation.auditAnnotations),
    ...compareObject(outcome, expectation, context),
    ...comparePatch(outcome, expectation),
    ...compareCost(expectation, context),
  ];
}

function compareVerdict(
  outcome: CaseOutcome,
  { verdicts, ...about }: Expectation,
): string | undefined {
  const actual = verdictsOf(outcome);
  if (verdicts.some((verdict) => actual.includes(verdict))) return undefined;
  const { policy, binding, rule } = about;
  const named = Object.entries(defined({ policy, binding, rule }));
  const subject = named.map(([noun, name]) => `${noun} ${name}`).join(', ');
  const whose = subject === '' ? '' : ` (${subject})`;
  const expected = verdicts.join(' or ');
  return `expected ${expected}${whose}, got ${summaryOf(outcome)}${hintFor(verdicts[0], outcome)}`;
}

function hintFor(expected: ExpectedVerdict, outcome: CaseOutcome): string {
  const [actual] = verdictsOf(outcome);
  const { passage } = outcome;
  if (actual === 'error' && expected === 'denied') {
    return '\nan evaluation error is not a denial; use `expect: error` for it';
  }
  if (actual === 'error' && passage.allowed) {
    return '\nthe failure policy ignores the error; use `expect: error` for it';
  }
  if (actual === 'not matched' && !passage.allowed) {
    return `\nthe request is denied for another reason: ${passage.message ?? ''}`;
  }
  return '';
}

function* compareMessage(
  outcome: CaseOutcome,
  { message, verdicts }: Expectation,
): Generator<string> {
  if (message === undefined) return;
  const verdict = verdictsOf(outcome).find((each) => verdicts.includes(each)) ?? verdicts[0];
  const said = messagesOf(outcome, verdict);
  const whole = outcome.passage.status?.message;
  const all = whole === undefined || verdict !== 'denied' ? said : [...said, whole];
  if (all.some((text) => isAsExpected(text, message))) return;
  const found = said.length === 0 ? 'but there is none' : `got ${said.map(quoted).join(', ')}`;
  yield `expected the message ${expectedText(message)}, ${found}`;
}

function* compareStatus(
  { passage }: CaseOutcome,
  { reason, code }: Expectation,
): Generator<string> {
  const { status } = passage;
  if (reason !== undefined && status?.reason !== reason) {
    yield `expected the reason ${reason}, got ${status?.reason ?? 'none'}`;
  }
  if (code !== undefined && status?.code !== code) {
    yield `expected the code ${code}, got ${status?.code ?? 'none'}`;
  }
}

function* compareValidations(
  { failedValidations: actual }: CaseOutcome,
  { validations: expected }: Expectation,
): Generator<string> {
  if (expected === undefined) return;
  const wanted = [...new Set(expected)].sort((a, b) => a - b);
  if (wanted.join() === actual.join()) return;
  yield `expected ${placesText(wanted)} to fail, but ${placesText(actual)} failed`;
}

function placesText(places: readonly number[]): string {
  return places.length === 0
    ? 'no validation'
    : places.map((at) => `spec.validations[${at}]`).join(', ');
}

function* compareObject(
  { passage }: CaseOutcome,
  { object: expected }: Expectation,
  { schemas, wholeObject }: CompareContext,
): Generator<string> {
  if (expected === undefined && wholeObject === undefined) return;
  if (passage.object === null) {
    yield 'expected an object, but the request has none';
    return;
  }
  if (expected !== undefined) yield* differences(passage.object, expected);
  if (wholeObject === undefined) return;
  // The server holds an object with its defaults.
  const { object: whole, error } = decode(schemas, wholeObject.object);
  if (error !== undefined || whole === undefined) {
    yield `the expected object cannot be decoded: ${error}`;
    return;
  }
  for (const operation of diffJson(whole as Json, passage.object as Json)) {
    const { op, path } = operation;
    const to = 'value' in operation ? ` ${stringifyJson(operation.value)}` : '';
    yield `the object differs from the expected one: ${op} ${path}${to}`;
  }
}

function* comparePatch(
  { passage }: CaseOutcome,
  { patch: expected }: Expectation,
): Generator<string> {
  if (expected === undefined || deepEqual(passage.patch as never, expected as never)) return;
  const text = passage.patch.length === 0 ? 'no change' : stringifyJson(passage.patch);
  yield `expected the patch ${stringifyJson(expected)}, got ${text}`;
}

function* compareCost({ maxCost }: Expectation, { cost }: CompareContext): Generator<string> {
  if (maxCost === undefined || cost <= maxCost) return;
  yield `expected a cost of at most ${maxCost}, got ${cost}`;
}

function quoted(text: string): string {
  return JSON.stringify(text);
}
