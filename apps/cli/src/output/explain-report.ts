import type { ExplainedExpression } from '@kubeadmit/chain/expressions';
import type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedPlugin,
  ExplainedPolicy,
  Explanation,
} from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/go';
import type { InputProblem } from '@kubeadmit/manifest';
import { version } from '../process/version.ts';
import { operationText, originText } from './change-text.ts';
import { RuleTexts } from './explain-rules.ts';
import { leftOutRow } from './left-out.ts';
import { oneLine } from './one-line.ts';
import { indentLines, printable, printableAfter, printableLine, type Style } from './style.ts';

/** An explanation, and whether some policies could not be evaluated because inputs were unusable. */
export type ToldExplanation = Explanation & { readonly isPartial?: boolean };

/** Explanations for programs: one document. */
export function explainJson(
  explanations: readonly Explanation[],
  leftOut: readonly InputProblem[],
): string {
  const results = explanations.map(({ title: _title, ...rest }) => rest);
  const told = leftOut.length === 0 ? {} : { leftOut: leftOut.map(leftOutRow) };
  return `${stringifyJson({ version, results, ...told }, { indent: 2 })}\n`;
}

/** Returns the text about skipped inputs after the explanations, which are incomplete without them. */
export function leftOutText(leftOut: readonly InputProblem[], style: Style): string {
  if (leftOut.length === 0) return '';
  const lines = leftOut.map(({ file, place, message }) => {
    const where = [printableLine(file), place?.line, place?.column].filter(
      (part) => part !== undefined,
    );
    const text = indentLines(printable(message), '    ').trimStart();
    return `  ${file === '' ? '' : `${where.join(':')}: `}${text}\n`;
  });
  return `${style.red('problems with inputs; the results above may be incomplete:')}\n${lines.join('')}`;
}

/** Explanations for people, with everything that was evaluated. */
export function explainText(explanations: readonly ToldExplanation[], style: Style): string {
  return explanations.map((each) => objectText(each, style)).join('\n');
}

function objectText(explanation: ToldExplanation, style: Style): string {
  const texts = explanation.policies.map((policy) => policyText(policy, explanation.file, style));
  const plugins = (explanation.plugins ?? []).map((each) => pluginText(each, style));
  const changes = explanation.changes.map((change) => {
    const lines = change.patch.map((each) => `    ${operationText(each, style)}\n`);
    return `  changed by ${printableLine(originText(change))}\n${lines.join('')}`;
  });
  return `${explanationHead(explanation, style)}${plugins.join('')}${texts.join('')}${changes.join('')}`;
}

/** An admission plugin with its changes, refusal or warnings, and the objects that caused it. */
function pluginText(explained: ExplainedPlugin, style: Style): string {
  const { patch = [] } = explained;
  const changes = patch.map((each) => `      ${operationText(each, style)}\n`);
  return `${pluginTitle(explained, style)}\n${pluginMessages(explained, style)}${changes.join('')}`;
}

/** An admission plugin in short: of its changes, the fields without their values. */
export function pluginBrief(explained: ExplainedPlugin, style: Style): string {
  const { patch = [] } = explained;
  const fields = patch.map(({ path }) => printableLine(path)).join(', ');
  const changed = fields === '' ? '' : `: ${fields}`;
  return `${pluginTitle(explained, style)}${changed}\n${pluginMessages(explained, style)}`;
}

function pluginTitle({ plugin, pass, outcome, causes }: ExplainedPlugin, style: Style): string {
  const [mark, dress] = pluginMarks[outcome];
  const again = pass === undefined ? '' : ' (reinvoked)';
  const why = causes.length === 0 ? '' : style.dim(` (${printableLine(causes.join(', '))})`);
  return `  ${style[dress](mark)} plugin ${style.bold(plugin)}${again}${why}`;
}

function pluginMessages({ message, warnings = [] }: ExplainedPlugin, style: Style): string {
  const denial = message === undefined ? [] : [style.red(`denied: ${printableAfter(message)}`)];
  const lines = [...warnings.map((text) => `warned: ${printableAfter(text)}`), ...denial];
  return lines.map((line) => `      ${line}\n`).join('');
}

const pluginMarks = {
  denied: ['✗', 'red'],
  changed: ['~', 'cyan'],
  reported: ['!', 'yellow'],
} as const;

/** The verdict on an object, with the sentence that the user would see. */
export function explanationHead(explanation: ToldExplanation, style: Style): string {
  const { title, file, line, operation, allowed, message, isPartial = false } = explanation;
  const verdict = !allowed
    ? style.red('denied')
    : isPartial
      ? style.red('not denied, but some policies could not be evaluated')
      : style.green('allowed');
  const where = style.dim(`(${printableLine(file)}, line ${line}, ${printableLine(operation)})`);
  const why = message === undefined ? '' : `${indentLines(printable(message), '  ')}\n`;
  return `${style.bold(printableLine(title))} ${where}: ${verdict}\n${why}`;
}

function policyText(policy: ExplainedPolicy, manifest: string, style: Style): string {
  const { kind, policy: name, pass, matched, reason, message, bindings, rules = [] } = policy;
  const again = pass === undefined ? '' : ' (reinvoked)';
  const word =
    policy.asked === false
      ? style.red('was not evaluated')
      : matched
        ? 'matches'
        : style.dim('does not match');
  // Rules have their own explanations.
  const why = rules.length > 0 ? '' : `: ${printableAfter(reason)}`;
  const head = `  ${kind} ${style.bold(printableLine(name))}${again} ${word}${why}\n`;
  const problem = message === undefined ? '' : `    ${errorText(policy, style)}\n`;
  const ruleTexts = new RuleTexts(policy.file ?? '', manifest, style);
  const said = rules.map((rule) => {
    const told = rule.expressions?.map((each) =>
      indentLines(expressionText(each, style), '      '),
    );
    return ruleTexts.whole(rule) + (told?.join('') ?? '');
  });
  const texts = bindings.map((each) => bindingText(each, style));
  return `${head}${problem}${said.join('')}${texts.join('')}`;
}

/** The error of the configuration of a policy or binding. */
function errorText(
  { message = '', errorIgnored }: Pick<ExplainedBinding, 'message' | 'errorIgnored'>,
  style: Style,
): string {
  const text = printableAfter(message);
  return errorIgnored === true
    ? style.yellow(`failed and is ignored (failurePolicy): ${text}`)
    : style.red(text);
}

function bindingText(binding: ExplainedBinding, style: Style): string {
  const { binding: name, matched, reason, message, evaluations } = binding;
  const word = matched ? 'matches' : style.dim('does not match');
  const why = reason === undefined ? '' : `: ${printableAfter(reason)}`;
  const head = `    binding ${style.bold(printableLine(name))} ${word}${why}\n`;
  const problem = message === undefined ? '' : `      ${errorText(binding, style)}\n`;
  return `${head}${problem}${evaluations.map((each) => evaluationText(each, style)).join('')}`;
}

function evaluationText(evaluation: ExplainedEvaluation, style: Style): string {
  const { params, outcomes, expressions, cost, budget } = evaluation;
  const head =
    params === undefined ? '' : `      parameters ${style.bold(printableLine(params))}\n`;
  const margin = params === undefined ? '      ' : '        ';
  const results = outcomes.map((outcome) => `${margin}${outcomeText(outcome, style)}\n`);
  const texts = expressions.map((each) => indentLines(expressionText(each, style), margin));
  const spent = `${margin}${style.dim(`cost ${cost} of ${budget}`)}\n`;
  return `${head}${texts.join('')}${results.join('')}${spent}`;
}

function outcomeText(outcome: string, style: Style): string {
  const isBad = /: (?:denied|error)|^error/.test(outcome);
  return isBad ? style.red(printableAfter(outcome)) : printableAfter(outcome);
}

function expressionText(expression: ExplainedExpression, style: Style): string {
  const { path, value, error, cost, steps, parts = [] } = expression;
  const result =
    error === undefined ? printable(value ?? '') : style.red(`error: ${printableAfter(error)}`);
  const lines = [
    `${style.dim(path)} = ${result} ${style.dim(`(cost ${cost})`)}`,
    `  ${style.dim(printable(oneLine(expression.expression)))}`,
    ...parts.flatMap((part) =>
      part.isDecisive ? [`  decided: ${printable(oneLine(part.expression))}`] : [],
    ),
    ...steps.map((step) => `  ${printable(step.expression)} = ${printable(step.value)}`),
  ];
  return `${lines.join('\n')}\n`;
}
