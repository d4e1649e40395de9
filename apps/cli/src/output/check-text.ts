import type { CheckedObject, Finding, Report, Verdict } from '@kubeadmit/check';
import { type Outcome, outcomeOf } from '@kubeadmit/check/internal';
import { stringifyJson } from '@kubeadmit/go/internal';
import { indentLines, printable, type Style } from './style.ts';

/** The report of `check` for people: by file, one line for each object, then what was said of it. */
export function checkText(
  report: Report,
  style: Style,
  { quiet = false }: { readonly quiet?: boolean } = {},
): string {
  const parts: string[] = [];
  let file: string | undefined;
  const shown = quiet ? report.objects.filter(isWorthALook) : report.objects;
  if (quiet && shown.length === 0) return '';
  for (const object of shown) {
    if (object.file !== file) {
      parts.push(`${file === undefined ? '' : '\n'}${style.bold(printable(object.file))}\n`);
      file = object.file;
    }
    parts.push(objectText(object, style));
  }
  parts.push(`\n${summaryText(report, style)}\n`);
  for (const line of remarksOf(report)) parts.push(`${style.yellow(printable(line))}\n`);
  return parts.join('');
}

function isWorthALook(object: CheckedObject): boolean {
  return !['allowed', 'changed', 'not concerned'].includes(outcomeOf(object));
}

const symbols: Readonly<Record<Outcome, string>> = {
  denied: '✗',
  invalid: '✗',
  failed: '✗',
  warned: '!',
  changed: '~',
  allowed: '✓',
  'not concerned': '-',
};

function objectText(object: CheckedObject, style: Style): string {
  const outcome = outcomeOf(object);
  const dress = dressOf(outcome, style);
  const name = object.namespace === '' ? object.name : `${object.namespace}/${object.name}`;
  const operation = object.operation === 'CREATE' ? '' : `${object.operation} `;
  const title = printable(`${operation}${object.kind} ${name}`);
  const head = `  ${dress(symbols[outcome])} ${title}${style.dim(`, line ${object.line}:`)} ${dress(outcome)}\n`;
  return head + details(object, outcome, style);
}

function dressOf(outcome: Outcome, style: Style): (text: string) => string {
  if (outcome === 'denied' || outcome === 'invalid' || outcome === 'failed') return style.red;
  if (outcome === 'warned') return style.yellow;
  if (outcome === 'changed') return style.cyan;
  return outcome === 'allowed' ? style.green : style.dim;
}

const failureKey = 'validation.policy.admission.k8s.io/validation_failure';

function details(object: CheckedObject, outcome: Outcome, style: Style): string {
  if (object.failure !== undefined) {
    const { file, place, failure } = object;
    const where = place === undefined ? '' : ` (${file}:${place.line}:${place.column})`;
    return paragraph(`${failure}${where}`);
  }
  const shown = object.findings.filter(({ verdict }) => verdict !== 'allow' && verdict !== 'skip');
  const lines = merge(shown).map((finding) => findingText(finding, style));
  if (object.patch.length > 0) {
    lines.push(...object.patch.map(({ op, path, value }) => patchText(op, path, value)));
  }
  for (const [key, value] of Object.entries(object.auditAnnotations)) {
    // Failures of the action Audit are told of already.
    if (key !== failureKey) lines.push(paragraph(`audit annotation ${key}: ${value}`));
  }
  if (lines.length === 0 && outcome === 'not concerned') {
    const reasons = object.findings.flatMap(({ policy, message }) =>
      message === undefined ? [] : [paragraph(`${policy}: ${message}`)],
    );
    return reasons.length > 0 ? reasons.join('') : paragraph('no policy concerns it');
  }
  return lines.join('');
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
  error: 'failed',
  skip: 'left alone',
};

function merge(findings: readonly Finding[]): readonly MergedFinding[] {
  const merged = new Map<string, MergedFinding>();
  for (const finding of findings) {
    const { policy, binding, params, rule, message } = finding;
    const key = JSON.stringify([policy, binding, params, rule, message]);
    const before = merged.get(key);
    const verdicts = [...(before?.verdicts ?? []), finding.verdict];
    merged.set(key, { ...finding, verdicts: [...new Set(verdicts)] });
  }
  return [...merged.values()];
}

function findingText(finding: MergedFinding, style: Style): string {
  const { policy, binding, params, rule, message, verdicts } = finding;
  const from = [
    binding === undefined || binding === policy ? [] : [`binding ${binding}`],
    params === undefined ? [] : [`parameters ${params}`],
    rule === undefined ? [] : [`rule ${rule}`],
  ].flat();
  const origin = from.length === 0 ? '' : style.dim(` (${printable(from.join(', '))})`);
  const text = message === undefined ? '' : `: ${message}`;
  const said = verdicts.map((verdict) => participles[verdict]).join(' and ');
  return paragraph(`${said} by ${policy}${text}`).replace(/\n$/, () => `${origin}\n`);
}

function patchText(op: string, path: string, value: unknown): string {
  const json = value === undefined ? '' : ` ${stringifyJson(value)}`;
  const short = json.length > 120 ? `${json.slice(0, 120)}…` : json;
  return paragraph(`${op} ${path}${short}`);
}

function paragraph(text: string): string {
  return `${indentLines(printable(text), '      ')}\n`;
}

function summaryText(report: Report, style: Style): string {
  const { objects, policies, bindings } = report;
  const counts = new Map<Outcome, number>();
  for (const object of objects) {
    const outcome = outcomeOf(object);
    counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  }
  const order: readonly Outcome[] = Object.keys(symbols) as Outcome[];
  const told = order
    .filter((outcome) => counts.has(outcome))
    .map((outcome) => dressOf(outcome, style)(`${counts.get(outcome)} ${outcome}`));
  const checked = `${plural(objects.length, 'object')} checked by ${plural(policies, 'policy')}`;
  return `${checked} with ${plural(bindings, 'binding')}: ${told.join(', ')}`;
}

/** What was left out, what did nothing, and what was assumed. */
export function remarksOf({ leftOut, coverage }: Report): readonly string[] {
  const { unusedPolicies, unusedBindings, assumedNamespaces } = coverage;
  return [
    ...(leftOut.length === 0
      ? []
      : [`${plural(leftOut.length, 'problem')} with inputs: what these are about was left out`]),
    ...(unusedPolicies.length === 0
      ? []
      : [
          `${plural(unusedPolicies.length, 'policy')} concerned no object: ${unusedPolicies.join(', ')}`,
        ]),
    ...(unusedBindings.length === 0
      ? []
      : [
          `${plural(unusedBindings.length, 'binding')} matched no object: ${unusedBindings.join(', ')}`,
        ]),
    ...assumedNamespaces,
  ];
}

function plural(count: number, noun: string): string {
  if (count === 1) return `1 ${noun}`;
  return `${count} ${noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;
}
