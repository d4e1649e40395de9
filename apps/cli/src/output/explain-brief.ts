import type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedExpression,
  ExplainedPolicy,
  ExplainedResult,
  ExplainedStep,
  ExplainedTurn,
  Explanation,
} from '@kubeadmit/check';
import { errorHint } from './error-hint.ts';
import { explanationHead } from './explain-report.ts';
import { indentLines, printable, type Style } from './style.ts';

/**
 * Explanations for people in short: the verdict first, then what failed with what decided it, policy line and manifest
 * line beside each other; what passed and what does not match in a line each.
 */
export function explainBrief(explanations: readonly Explanation[], style: Style): string {
  return explanations
    .map((explanation) => {
      const { policies, file } = explanation;
      const texts = policies.map((policy) => policyText(policy, file, style));
      return `${explanationHead(explanation, style)}${texts.join('')}`;
    })
    .join('\n');
}

function policyText(policy: ExplainedPolicy, file: string, style: Style): string {
  const { kind, policy: name, matched, reason, message, bindings, rules = [] } = policy;
  const title = `${kind} ${style.bold(printable(name))}`;
  if (!matched) return `  ${style.dim('-')} ${title}: ${printable(reason)}\n`;
  if (message !== undefined)
    return `  ${style.red('✗')} ${title}: ${style.red(printable(message))}\n`;
  if (bindings.length === 0 && rules.length === 0)
    return `  ${style.dim('-')} ${title}: ${printable(reason)}\n`;
  const said = rules.map((rule) => ruleText(title, rule, style));
  return (
    said.join('') + bindings.map((each) => bindingText(title, each, policy, file, style)).join('')
  );
}

function ruleText(
  title: string,
  { rule, verdict, message }: NonNullable<ExplainedPolicy['rules']>[number],
  style: Style,
): string {
  const isBad = verdict === 'deny' || verdict === 'error';
  const mark = isBad ? style.red('✗') : verdict === 'warn' ? style.yellow('!') : style.green('✓');
  const about = rule === undefined ? title : `${title}, rule ${printable(rule)}`;
  const text = message === undefined ? '' : `: ${printable(message)}`;
  return `  ${mark} ${about}: ${verdict}${isBad ? style.red(text) : text}\n`;
}

function bindingText(
  title: string,
  binding: ExplainedBinding,
  policy: ExplainedPolicy,
  file: string,
  style: Style,
): string {
  const { binding: name, matched, reason, message, evaluations } = binding;
  const about = `${title}, binding ${style.bold(printable(name))}`;
  if (!matched) return `  ${style.dim('-')} ${about}: ${printable(reason ?? 'does not match')}\n`;
  if (message !== undefined)
    return `  ${style.red('✗')} ${about}: ${style.red(printable(message))}\n`;
  return evaluations
    .map((evaluation) => evaluationText(about, evaluation, policy, file, style))
    .join('');
}

function evaluationText(
  about: string,
  evaluation: ExplainedEvaluation,
  policy: ExplainedPolicy,
  file: string,
  style: Style,
): string {
  const { params, results } = evaluation;
  const title = params === undefined ? about : `${about}, parameters ${printable(params)}`;
  const open = results.filter(
    ({ outcome }) => !['holds', 'published', 'unchanged'].includes(outcome),
  );
  const isBad = open.some(({ outcome }) => outcome === 'denied' || outcome === 'error');
  const isOut = open.some(({ outcome }) => outcome === 'excluded');
  if (open.length === 0) return `  ${style.green('✓')} ${title}: ${passed(results)}\n`;
  const mark = isBad ? style.red('✗') : isOut ? style.dim('-') : style.cyan('~');
  const texts = open.map((result) => resultText(result, evaluation, policy, file, style));
  const others = results.length - open.length;
  const more =
    others === 0
      ? ''
      : `      ${style.dim(`${passed(results.filter((each) => !open.includes(each)))} (-v shows them)`)}\n`;
  return `  ${mark} ${title}\n${texts.join('')}${more}`;
}

function passed(results: readonly ExplainedResult[]): string {
  const count = (outcome: ExplainedResult['outcome'], noun: string, verb: string): string[] => {
    const number = results.filter((each) => each.outcome === outcome).length;
    if (number === 0) return [];
    return [
      `${number} ${noun}${number === 1 ? '' : 's'} ${number === 1 ? verb : verb.replace(/s$/, '')}`,
    ];
  };
  const texts = [
    ...count('holds', 'validation', 'holds'),
    ...count('unchanged', 'mutation', 'changes nothing').map((text) =>
      text.replace('change nothing', 'change nothing'),
    ),
    ...count('published', 'audit annotation', 'is there').map((text) =>
      text.replace(/ is there?$/, ' published'),
    ),
  ];
  return texts.length === 0 ? 'nothing to say' : texts.join(', ');
}

const words: Readonly<Record<ExplainedResult['outcome'], string>> = {
  holds: 'holds',
  denied: 'denied',
  ignored: 'failed and is ignored (failurePolicy)',
  error: 'failed',
  excluded: 'is not for this request',
  changed: 'changed the object',
  unchanged: 'changes nothing',
  published: 'published',
};

function resultText(
  result: ExplainedResult,
  { expressions }: ExplainedEvaluation,
  policy: ExplainedPolicy,
  file: string,
  style: Style,
): string {
  const { path, outcome, message, line } = result;
  const where = line === undefined ? '' : style.dim(` (${printable(policy.file ?? '')}:${line})`);
  const isBad = outcome === 'denied' || outcome === 'error';
  const said = message === undefined ? '' : `: ${printable(message)}`;
  const head = `      ${path}${where} ${isBad ? style.red(`${words[outcome]}${said}`) : `${words[outcome]}${said}`}\n`;
  const hint = message === undefined ? undefined : errorHint(message);
  const advice = hint === undefined ? '' : `        ${style.cyan(`hint: ${hint}`)}\n`;
  const own = expressions.find(
    (each) => each.path.startsWith(`${path}.`) && !each.path.endsWith('messageExpression'),
  );
  if (own === undefined) return `${head}${advice}`;
  return `${head}${expressionText(own, file, style)}${advice}`;
}

function expressionText(expression: ExplainedExpression, file: string, style: Style): string {
  const text = oneLine(expression.expression);
  const isLoop = expression.steps.some(({ turns }) => turns !== undefined);
  const lines = expression.steps
    // Of a list that is gone over, the elements are told.
    .filter(({ value }) => !isLoop || !value.endsWith('…'))
    .slice(0, mostSteps)
    .flatMap((step) => stepLines(step, file, style));
  return indentLines(`${style.dim(printable(text))}\n${lines.join('')}`, '        ');
}

const mostSteps = 20;

function stepLines(step: ExplainedStep, file: string, style: Style): readonly string[] {
  const { turns } = step;
  if (turns !== undefined) return loopLines(step, turns, file, style);
  return [`  ${valueLine(step, file, style)}\n`];
}

function valueLine({ expression, value, line }: ExplainedStep, file: string, style: Style): string {
  const where = line === undefined ? '' : style.dim(` (${printable(file)}:${line})`);
  return `${printable(oneLine(expression))} = ${printable(value)}${where}`;
}

/** Of a loop only the turns that decided: those that are false or an error, else how many there were. */
function loopLines(
  { expression }: ExplainedStep,
  turns: readonly ExplainedTurn[],
  file: string,
  style: Style,
): readonly string[] {
  const failing = turns.filter(({ value }) => value === 'false' || value.startsWith('error'));
  if (failing.length === 0) {
    return [`  ${printable(oneLine(expression))}: ${turns.length} of ${turns.length} turns\n`];
  }
  const shown = failing.slice(0, mostTurns).flatMap(({ element, value, steps }) => [
    `  ${style.bold(printable(element))}: ${printable(oneLine(expression))} = ${printable(value)}\n`,
    ...steps
      .filter((step) => step.expression !== expression)
      .map((step) =>
        step.turns === undefined
          ? `    ${valueLine(step, file, style)}\n`
          : loopLines(step, step.turns, file, style)
              .map((text) => `  ${text}`)
              .join(''),
      ),
  ]);
  const more = failing.length - mostTurns;
  return [...shown, ...(more > 0 ? [`  and ${more} more\n`] : [])];
}

const mostTurns = 5;
const longestExpression = 300;

function oneLine(expression: string): string {
  const text = expression.trim().replaceAll(/\s*\n\s*/g, ' ');
  return text.length > longestExpression ? `${text.slice(0, longestExpression)}…` : text;
}
