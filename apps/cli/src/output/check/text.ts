import type { Finding, Verdict } from '@kubeadmit/chain';
import { type CheckedObject, type Outcome, outcomeOf, shownName } from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/go';
import { formatPlace, type InputProblem } from '@kubeadmit/manifest';
import { counted } from '../counts.ts';
import { errorHint } from '../error-hint.ts';
import { inputHint } from '../input-hint.ts';
import { namedObjectsRemark, newClusterRemark } from '../plugin-assumptions.ts';
import { indentLines, printable, printableLine, type Style } from '../style.ts';
import type { CheckSummary } from './tally.ts';

/** Whether an object is shown with --quiet: only denied, invalid and warned objects are. */
export function isWorthALook(object: CheckedObject): boolean {
  return !['allowed', 'valid', 'changed', 'not matched'].includes(outcomeOf(object));
}

/** The heading above the objects of a file. */
export function fileHeading(file: string, isFirst: boolean, style: Style): string {
  return `${isFirst ? '' : '\n'}${style.bold(printableLine(file))}\n`;
}

/** The lines below the objects: counts and remarks. A quiet report leaves out what standard error says anyway. */
export function summaryText(summary: CheckSummary, style: Style, isQuiet: boolean): string {
  const all = isQuiet ? leftOutRemarks(summary) : remarksOf(summary);
  const remarks = all.map((line) => `${style.yellow(printable(line))}\n`);
  const assumed = isQuiet ? undefined : newClusterRemark(summary.coverage.assumedByPlugins);
  const note = assumed === undefined ? '' : `${style.dim(printable(assumed))}\n`;
  return `\n${countsText(summary, style)}\n${remarks.join('')}${note}`;
}

const looks: Readonly<Record<Outcome, readonly [symbol: string, dress: keyof Style]>> = {
  denied: ['✗', 'red'],
  invalid: ['✗', 'red'],
  failed: ['✗', 'red'],
  warned: ['!', 'yellow'],
  audited: ['!', 'yellow'],
  'error ignored': ['!', 'yellow'],
  changed: ['~', 'cyan'],
  allowed: ['✓', 'green'],
  valid: ['✓', 'green'],
  'not matched': ['-', 'dim'],
};

/** Returns one line about an object, followed by its messages. */
export function objectText(object: CheckedObject, style: Style): string {
  const outcome = outcomeOf(object);
  const [symbol, dress] = looks[outcome];
  const operation = object.operation === 'CREATE' ? '' : `${object.operation} `;
  const title = printableLine(`${operation}${object.kind} ${shownName(object)}`);
  const head = `  ${style[dress](symbol)} ${title}${style.dim(`, line ${object.line}:`)} ${style[dress](outcome)}\n`;
  return head + details(object, outcome, style);
}

/** Failures with the action Audit are listed as findings; PodSecurity annotates each pod with its level. */
const hiddenKeys: ReadonlySet<string> = new Set([
  'validation.policy.admission.k8s.io/validation_failure',
  'pod-security.kubernetes.io/enforce-policy',
]);

function details(object: CheckedObject, outcome: Outcome, style: Style): string {
  if (object.failure !== undefined) {
    const { file, place, failure } = object;
    const where = place === undefined ? '' : ` (${formatPlace(file, place)})`;
    const hint = inputHint(failure);
    return paragraph(`${failure}${where}${hint === undefined ? '' : `\nhint: ${hint}`}`);
  }
  const shown = object.findings.filter(
    ({ verdict, message }) => verdict !== 'skip' && (verdict !== 'allow' || message !== undefined),
  );
  const merged = merge(shown);
  const patch = object.patch.map(({ op, path, value }) => patchText(op, path, value));
  const lastChange = merged.findLastIndex(({ verdicts }) => verdicts.includes('mutate'));
  const told = merged.map((finding) => findingText(finding, object.operation, style));
  // The changes follow the policies that made them.
  const lines = [...told.slice(0, lastChange + 1), ...patch, ...told.slice(lastChange + 1)];
  for (const [key, value] of Object.entries(object.auditAnnotations)) {
    if (!hiddenKeys.has(key)) lines.push(paragraph(`audit annotation ${key}: ${value}`));
  }
  if (lines.length === 0 && outcome === 'not matched') {
    return skipTexts(object).map(paragraph).join('') || paragraph('no policy matches it');
  }
  return lines.join('');
}

/** Says why policies that match an object were not evaluated. */
function skipTexts({ findings }: CheckedObject): readonly string[] {
  return findings.map(({ policy, rule, message }) => {
    const skipped = rule === undefined ? 'skipped' : `rule ${rule} was skipped`;
    return `${policy}: ${message ?? skipped}`;
  });
}

/** A finding with all verdicts that say the same thing. */
interface MergedFinding extends Finding {
  readonly verdicts: readonly Verdict[];
}

const participles: Readonly<Record<Verdict, string>> = {
  allow: 'allowed',
  deny: 'denied',
  warn: 'warned',
  audit: 'audited',
  mutate: 'changed',
  generate: 'matched',
  delete: 'matched',
  error: 'failed',
  ignore: 'error ignored',
  skip: 'left alone',
};

function merge(findings: readonly Finding[]): readonly MergedFinding[] {
  const merged = new Map<string, MergedFinding>();
  for (const finding of findings) {
    const { policy, plugin, binding, params, rule, message } = finding;
    const key = JSON.stringify([policy, plugin, binding, params, rule, message]);
    const before = merged.get(key);
    const verdicts = [...(before?.verdicts ?? []), finding.verdict];
    merged.set(key, { ...finding, verdicts: [...new Set(verdicts)] });
  }
  return [...merged.values()];
}

function findingText(finding: MergedFinding, operation: string, style: Style): string {
  const { policy, plugin, binding, params, rule, message, verdicts } = finding;
  const from = [
    binding === undefined || binding === policy ? [] : [`binding ${binding}`],
    params === undefined ? [] : [`parameters ${params}`],
    rule === undefined ? [] : [`rule ${rule}`],
  ].flat();
  const origin = from.length === 0 ? '' : style.dim(` (${printableLine(from.join(', '))})`);
  const text = message === undefined ? '' : `: ${message}`;
  const said = verdicts.map((verdict) => participles[verdict]).join(' and ');
  const hint = message === undefined ? undefined : errorHint(message, operation);
  const advice = hint === undefined ? '' : paragraph(`hint: ${hint}`);
  const by = plugin === undefined ? policy : `the plugin ${plugin}`;
  return paragraph(`${said} by ${by}${text}`).replace(/\n$/, () => `${origin}\n`) + advice;
}

function patchText(op: string, path: string, value: unknown): string {
  const json = value === undefined ? '' : ` ${stringifyJson(value)}`;
  const short = json.length > 120 ? `${json.slice(0, 120)}…` : json;
  return paragraph(`${op} ${path}${short}`);
}

function paragraph(text: string): string {
  return `${indentLines(printable(text), '      ')}\n`;
}

/** How many objects came out in which way. */
export function countsText(
  { tally, policies, bindings, isSchemaCheck }: CheckSummary,
  style: Style,
): string {
  const order = Object.keys(looks) as Outcome[];
  const told = order
    .filter((outcome) => tally.outcomes[outcome] > 0)
    .map((outcome) => style[looks[outcome][1]](`${tally.outcomes[outcome]} ${outcome}`));
  if (isSchemaCheck === true) {
    return `${counted(tally.objects, 'object')} checked without policies: ${told.join(', ')}`;
  }
  const checked = `${counted(tally.objects, 'object')} checked by ${counted(policies, 'policy')}`;
  return `${checked} with ${counted(bindings, 'binding')}: ${told.join(', ')}`;
}

/** Remarks about invalid and skipped inputs, unused policies and missing namespaces. */
export function remarksOf(
  summary: Pick<CheckSummary, 'leftOut' | 'skipped' | 'coverage'>,
): readonly string[] {
  return [
    ...leftOutRemarks(summary),
    ...skippedRemarks(summary.skipped),
    ...idleRemarks(summary.coverage),
    ...pluginRemarks(summary.coverage),
  ];
}

/** Remarks about objects that manifests name and that admission plugins assumed. */
export function pluginRemarks({ assumedByPlugins }: CheckSummary['coverage']): readonly string[] {
  return [namedObjectsRemark(assumedByPlugins) ?? []].flat();
}

function leftOutRemarks({ leftOut }: Pick<CheckSummary, 'leftOut'>): readonly string[] {
  const problems = counted(leftOut.length, 'problem');
  return leftOut.length === 0 ? [] : [`${problems} with inputs (see standard error)`];
}

/** Names in a remark; the rest is counted. */
const mostNames = 10;

/** The number of manifests that were found and not read, with the names of the first ones. */
export function skippedRemarks(skipped: readonly InputProblem[]): readonly string[] {
  if (skipped.length === 0) return [];
  const files = [...new Set(skipped.map(({ file }) => file))];
  return [`${counted(files.length, 'file')} with manifests skipped: ${firstNames(files)}`];
}

function firstNames(names: readonly string[]): string {
  const more = names.length - mostNames;
  const rest = more > 0 ? ` and ${more} more (-o json lists them)` : '';
  return `${names.slice(0, mostNames).join(', ')}${rest}`;
}

/** Remarks about unused policies and bindings, failed policies, missing parameters and missing namespaces. */
export function idleRemarks(coverage: CheckSummary['coverage']): readonly string[] {
  const { unusedPolicies, unusedBindings, bindingsWithoutParameters, invalidObjects } = coverage;
  const judgedNoun = invalidObjects === undefined ? 'object' : 'valid object';
  const remark = (names: readonly string[], noun: string, what: string): readonly string[] =>
    names.length === 0 ? [] : [`${counted(names.length, noun)} ${what}: ${firstNames(names)}`];
  return [
    ...remark(unusedPolicies, 'policy', `matched no ${judgedNoun}`),
    ...remark(unusedBindings, 'binding', `matched no ${judgedNoun}`),
    ...remark(
      bindingsWithoutParameters,
      'binding',
      'found no parameters, so its policy was not evaluated',
    ),
    ...(coverage.failedPolicies ?? []),
    ...coverage.assumedNamespaces,
  ];
}
