import type { Explanation } from '@kubeadmit/check';
import type {
  ExplainedBinding,
  ExplainedChange,
  ExplainedEvaluation,
  ExplainedExpression,
  ExplainedPart,
  ExplainedPolicy,
  ExplainedResult,
  ExplainedRule,
  ExplainedStep,
  ExplainedTurn,
} from '@kubeadmit/check/internal';
import { operationText, originText } from './change-text.ts';
import { counted } from './counts.ts';
import { errorHint } from './error-hint.ts';
import { explanationHead, type ToldExplanation } from './explain-report.ts';
import { rulesBrief } from './explain-rules.ts';
import { oneLine } from './one-line.ts';
import { indentLines, printable, type Style } from './style.ts';

/**
 * Explanations for people in short: the verdict first, then what failed with what decided it, policy line and manifest
 * line beside each other; what passed and what does not match in a line each.
 */
export function explainBrief(explanations: readonly ToldExplanation[], style: Style): string {
  return explanations
    .map((explanation) => {
      const texts = explanation.policies.map((policy) => policyText(policy, explanation, style));
      const isTold = explanation.policies.some(({ rules = [] }) => rules.some(tellsChanges));
      const kyvernos = isTold
        ? []
        : explanation.changes.filter(({ binding }) => binding === undefined);
      const changed = kyvernos.map((change) => webhookText(change, style));
      return `${explanationHead(explanation, style)}${texts.join('')}${changed.join('')}`;
    })
    .join('\n');
}

/** Whether steps of a rule tell of what it changed. */
function tellsChanges({ steps }: { readonly steps: ExplainedRule['steps'] }): boolean {
  return steps.some((step) => step.kind === 'patch' || tellsChanges({ steps: step.steps ?? [] }));
}

/** What Kyverno's webhook changed; native mutations are told of where they stand. */
function webhookText(change: ExplainedChange, style: Style): string {
  return `  ${style.cyan('~')} ${printable(originText(change))}\n${operationLines(change, style, '      ')}`;
}

function operationLines({ patch }: ExplainedChange, style: Style, margin: string): string {
  return patch.map((each) => `${margin}${operationText(each, style)}\n`).join('');
}

function policyText(policy: ExplainedPolicy, explained: Explanation, style: Style): string {
  const { kind, policy: name, pass, matched, reason, message, bindings, rules = [] } = policy;
  const again = pass === undefined ? '' : ' (run once more)';
  const title = `${kind} ${style.bold(printable(name))}${again}`;
  if (policy.asked === false) {
    return `  ${style.red('!')} ${title}: ${style.red(`not asked: ${printable(reason)}`)}\n`;
  }
  if (!matched && rules.length < 2) {
    const conditions = (rules[0]?.expressions ?? []).filter(isUnmet);
    const files = { policy, file: explained.file };
    const texts = conditions.map(
      (each) => `      ${each.path}\n${expressionText(each, files, style)}`,
    );
    return `  ${style.dim('-')} ${title}: ${printable(reason)}\n${texts.join('')}`;
  }
  if (message !== undefined)
    return `  ${style.red('✗')} ${title}: ${style.red(printable(message))}\n`;
  if (bindings.length === 0 && rules.length === 0)
    return `  ${style.dim('-')} ${title}: ${printable(reason)}\n`;
  const { file } = explained;
  const evaluated = rules.map((rule) => failingExpression(rule, { policy, file }, style));
  return (
    rulesBrief(title, policy, file, style) +
    evaluated.join('') +
    bindings.map((each) => bindingText(title, each, { policy, explained }, style)).join('')
  );
}

/** Of a policy of Kyverno in CEL, the expression because of which it is not passed. */
function failingExpression(
  { verdict, expressions = [] }: ExplainedRule,
  files: Files,
  style: Style,
): string {
  if (verdict === undefined || verdict === 'allow' || verdict === 'mutate') return '';
  const failing = expressions.findLast(
    (each) => !each.path.startsWith('spec.variables') && isUnmet(each),
  );
  if (failing === undefined) return '';
  const head = `      ${failing.path}\n`;
  return `${head}${expressionText(failing, files, style)}`;
}

function isUnmet({ value, error }: ExplainedExpression): boolean {
  return error !== undefined || value === 'false';
}

/** What a part of an explanation is about. */
interface About {
  readonly policy: ExplainedPolicy;
  readonly explained: Explanation;
  readonly binding?: string;
}

function bindingText(title: string, binding: ExplainedBinding, about: About, style: Style): string {
  const { binding: name, matched, reason, message, evaluations } = binding;
  const own = `${title}, binding ${style.bold(printable(name))}`;
  if (!matched) return `  ${style.dim('-')} ${own}: ${printable(reason ?? 'does not match')}\n`;
  if (message !== undefined)
    return `  ${style.red('✗')} ${own}: ${style.red(printable(message))}\n`;
  return evaluations
    .map((evaluation) => evaluationText(own, evaluation, { ...about, binding: name }, style))
    .join('');
}

function evaluationText(
  own: string,
  evaluation: ExplainedEvaluation,
  about: About,
  style: Style,
): string {
  const { params, results } = evaluation;
  const title = params === undefined ? own : `${own}, parameters ${printable(params)}`;
  const open = results.filter(
    ({ outcome }) => !['holds', 'published', 'unchanged'].includes(outcome),
  );
  const isBad = open.some(({ outcome }) => outcome === 'denied' || outcome === 'error');
  const isOut = open.some(({ outcome }) => outcome === 'excluded');
  if (open.length === 0) return `  ${style.green('✓')} ${title}: ${passed(results)}\n`;
  const mark = isBad ? style.red('✗') : isOut ? style.dim('-') : style.cyan('~');
  const texts = open.map((result) => resultText(result, evaluation, about, style));
  const others = results.length - open.length;
  const more =
    others === 0
      ? ''
      : `      ${style.dim(`${passed(results.filter((each) => !open.includes(each)))} (-v shows them)`)}\n`;
  return `  ${mark} ${title}\n${texts.join('')}${more}`;
}

function passed(results: readonly ExplainedResult[]): string {
  const texts = passing.flatMap(([outcome, noun, one, several]) => {
    const number = results.filter((each) => each.outcome === outcome).length;
    return number === 0 ? [] : [`${counted(number, noun)} ${number === 1 ? one : several}`];
  });
  return texts.length === 0 ? 'nothing to say' : texts.join(', ');
}

/** What is said of one, and of several, that came out well. */
const passing = [
  ['holds', 'validation', 'holds', 'hold'],
  ['unchanged', 'mutation', 'changes nothing', 'change nothing'],
  ['published', 'audit annotation', 'published', 'published'],
] as const;

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
  { expressions, params }: ExplainedEvaluation,
  { policy, explained, binding }: About,
  style: Style,
): string {
  const { path, outcome, message, line } = result;
  const own = expressions.find(
    (each) => each.path.startsWith(`${path}.`) && !each.path.endsWith('messageExpression'),
  );
  const isBad = outcome === 'denied' || outcome === 'error';
  const said = `${words[outcome]}${message === undefined ? '' : `: ${printable(message)}`}`;
  const place = placeText({ file: policy.file, line }, own, explained);
  const head = `      ${path}${style.dim(place)} ${isBad ? style.red(said) : said}\n`;
  const hint = message === undefined ? undefined : errorHint(message);
  const advice = hint === undefined ? '' : `        ${style.cyan(`hint: ${hint}`)}\n`;
  const change = explained.changes.find(
    (each) =>
      each.policy === policy.policy &&
      each.binding === binding &&
      each.params === params &&
      each.pass === (policy.pass ?? 1) &&
      path === `spec.mutations[${each.mutation}]`,
  );
  const changed = change === undefined ? '' : operationLines(change, style, '        ');
  const why = own === undefined ? '' : expressionText(own, { policy, file: explained.file }, style);
  return `${head}${changed}${why}${advice}`;
}

/** The line of the policy, and that of the manifest whose value decided. */
function placeText(
  { file = '', line }: { readonly file: string | undefined; readonly line: number | undefined },
  expression: ExplainedExpression | undefined,
  explained: Explanation,
): string {
  if (line === undefined) return '';
  const decided = expression === undefined ? undefined : decisiveLine(expression);
  const on = decided === undefined ? '' : ` on ${printable(explained.file)}:${decided}`;
  return ` (${printable(file)}:${line}${on})`;
}

/** The line of the first value in a manifest because of which an expression is what it is. */
function decisiveLine({ steps, parts }: Choice): number | undefined {
  for (const step of decisive(steps, parts)) {
    const turn = step.turns?.find(isFailing);
    const own = step.file === undefined ? step.line : undefined;
    const line = own ?? (turn && decisiveLine(turn));
    // Of a list that is gone over, the element is the place.
    if (line !== undefined && !steps.some((each) => each.turns?.some(isFailing) && each !== step)) {
      return line;
    }
  }
  return undefined;
}

/** What was seen of an expression or of a turn of a loop. */
interface Choice {
  readonly steps: readonly ExplainedStep[];
  readonly parts?: readonly ExplainedPart[] | undefined;
}

/** The steps that belong to the parts which decided. */
function decisive(
  steps: readonly ExplainedStep[],
  parts: readonly ExplainedPart[] | undefined,
): readonly ExplainedStep[] {
  return steps.filter(
    ({ part }) => parts === undefined || part === undefined || parts[part]?.isDecisive === true,
  );
}

/** Where values and expressions stand. */
interface Files {
  readonly policy: ExplainedPolicy;
  readonly file: string;
}

function expressionText(expression: ExplainedExpression, files: Files, style: Style): string {
  const text = oneLine(expression.expression);
  const lines = choiceLines(expression, files, style);
  return indentLines(`${style.dim(printable(text))}\n${lines.join('')}`, '        ');
}

/** The parts of a choice, with the values in those that decided; else all values. */
function choiceLines({ steps, parts }: Choice, files: Files, style: Style): readonly string[] {
  if (parts === undefined) return stepsLines(steps, files, style);
  return parts.flatMap((part, index) => {
    const { expression, value, isDecisive, policyLine } = part;
    const result = value === undefined ? 'not evaluated' : printable(value);
    const where =
      policyLine === undefined ? '' : ` (${printable(files.policy.file ?? '')}:${policyLine})`;
    const text = `${printable(oneLine(expression))} = ${result}`;
    if (!isDecisive) return [`  ${style.dim(`  ${text}`)}\n`];
    const own = steps.filter((step) => step.part === index && step.expression !== expression);
    return [
      `  ${style.bold('▸')} ${text}${style.dim(where)}\n`,
      ...stepsLines(own, files, style).map((line) => `  ${line}`),
    ];
  });
}

const mostSteps = 20;

function stepsLines(
  steps: readonly ExplainedStep[],
  files: Files,
  style: Style,
): readonly string[] {
  const isLoop = steps.some(({ turns }) => turns !== undefined);
  return (
    steps
      // Of a list that is gone over, the elements are told.
      .filter(({ value }) => !isLoop || !value.endsWith('…'))
      .slice(0, mostSteps)
      .flatMap((step) =>
        step.turns === undefined
          ? [`  ${valueLine(step, files, style)}\n`]
          : loopLines(step, step.turns, files, style),
      )
  );
}

function valueLine(
  { expression, value, line, file: other }: ExplainedStep,
  { file }: Files,
  style: Style,
): string {
  const where = line === undefined ? '' : style.dim(` (${printable(other ?? file)}:${line})`);
  return `${printable(oneLine(expression))} = ${printable(value)}${where}`;
}

function isFailing({ value }: ExplainedTurn): boolean {
  return value === 'false' || value.startsWith('error');
}

/** Of a loop only the turns that decided: those that are false or an error, else how many there were. */
function loopLines(
  { expression }: ExplainedStep,
  turns: readonly ExplainedTurn[],
  files: Files,
  style: Style,
): readonly string[] {
  const failing = turns.filter(isFailing);
  if (failing.length === 0) {
    return [`  ${printable(oneLine(expression))}: ${turns.length} of ${turns.length} turns\n`];
  }
  const shown = failing
    .slice(0, mostTurns)
    .flatMap(({ element, value, steps, parts }) => [
      `  ${style.bold(printable(element))}: ${printable(oneLine(expression))} = ${printable(value)}\n`,
      ...choiceLines(
        { steps: steps.filter((step) => step.expression !== expression), parts },
        files,
        style,
      ).map((line) => `  ${line}`),
    ]);
  const more = failing.length - mostTurns;
  return [...shown, ...(more > 0 ? [`  and ${more} more\n`] : [])];
}

const mostTurns = 5;
