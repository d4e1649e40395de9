import type {
  ExplainedExpression,
  ExplainedStep,
  ExplainedTurn,
} from '@kubeadmit/chain/expressions';
import type { ExplainedChange } from '@kubeadmit/chain/findings';
import type {
  ExplainedBinding,
  ExplainedEvaluation,
  ExplainedPolicy,
  ExplainedResult,
  ExplainedRule,
  Explanation,
} from '@kubeadmit/check';
import { type ResultWords, resultWord } from '@kubeadmit/check/unstable-internal';
import { operationText, originText } from './change-text.ts';
import { counted } from './counts.ts';
import { decisiveLine, isFailingTurn, type SeenValues } from './decisive-line.ts';
import { errorHint } from './error-hint.ts';
import { explanationHead, pluginBrief, type ToldExplanation } from './explain-report.ts';
import { RuleTexts } from './explain-rules.ts';
import { oneLine } from './one-line.ts';
import { indentLines, printable, printableAfter, printableLine, type Style } from './style.ts';

/**
 * Short explanations for people: the verdict first, then each failure with its deciding values and the lines of policy
 * and manifest. Passing policies and those that do not match take one line each.
 */
export function explainBrief(explanations: readonly ToldExplanation[], style: Style): string {
  return explanations
    .map((explanation) => {
      const { policies, changes, plugins = [] } = explanation;
      const texts = policies.map((policy) => new PolicyBrief(policy, explanation, style).text());
      const isTold = policies.some(({ rules = [] }) => rules.some(tellsChanges));
      // The changes of Kyverno's webhook; native mutations are shown with their policies.
      const kyvernos = isTold
        ? []
        : changes.filter(({ binding, plugin }) => binding === undefined && plugin === undefined);
      const changed = kyvernos.map((change) => {
        const lines = operationLines(change, style, '      ');
        return `  ${style.cyan('~')} ${printableLine(originText(change))}\n${lines}`;
      });
      const ofPlugins = plugins.map((each) => pluginBrief(each, style));
      return `${explanationHead(explanation, style)}${ofPlugins.join('')}${texts.join('')}${changed.join('')}`;
    })
    .join('\n');
}

/** Whether the steps of a rule show its changes. */
function tellsChanges({ steps }: { readonly steps: ExplainedRule['steps'] }): boolean {
  return steps.some((step) => step.kind === 'patch' || tellsChanges({ steps: step.steps ?? [] }));
}

function operationLines({ patch }: ExplainedChange, style: Style, margin: string): string {
  return patch.map((each) => `${margin}${operationText(each, style)}\n`).join('');
}

/** An error of the configuration of a policy or binding. */
interface ConfigurationError {
  readonly message: string;
  readonly errorIgnored: true | undefined;
}

/** Formats one policy. */
class PolicyBrief {
  readonly #policy: ExplainedPolicy;
  readonly #explained: Explanation;
  readonly #style: Style;

  constructor(policy: ExplainedPolicy, explained: Explanation, style: Style) {
    this.#policy = policy;
    this.#explained = explained;
    this.#style = style;
  }

  text(): string {
    const { kind, policy: name, pass, matched, message, bindings, rules = [] } = this.#policy;
    const { asked, reason, errorIgnored, file = '' } = this.#policy;
    const style = this.#style;
    const again = pass === undefined ? '' : ' (reinvoked)';
    const title = `${kind} ${style.bold(printableLine(name))}${again}`;
    if (asked === false) {
      return `  ${style.red('!')} ${title}: ${style.red(`not evaluated: ${printableAfter(reason)}`)}\n`;
    }
    if (!matched && rules.length < 2) {
      const unmet = (rules[0]?.expressions ?? []).filter(isUnmet);
      return this.#left(title, reason) + unmet.map((each) => this.#condition(each)).join('');
    }
    if (message !== undefined) return this.#failed(title, { message, errorIgnored });
    if (bindings.length === 0 && rules.length === 0) return this.#left(title, reason);
    return (
      new RuleTexts(file, this.#explained.file, style).brief(title, rules) +
      rules.map((rule) => this.#failingExpression(rule)).join('') +
      bindings.map((each) => this.#binding(title, each)).join('')
    );
  }

  #left(title: string, reason: string): string {
    return `  ${this.#style.dim('-')} ${title}: ${printableAfter(reason)}\n`;
  }

  #failed(title: string, { message, errorIgnored }: ConfigurationError): string {
    const { red, yellow, cyan } = this.#style;
    const hint = errorHint(message, this.#explained.operation);
    const advice = hint === undefined ? '' : `      ${cyan(`hint: ${hint}`)}\n`;
    const text = printableAfter(message);
    const head =
      errorIgnored === true
        ? `  ${yellow('!')} ${title}: ${yellow(`${words.ignored}: ${text}`)}\n`
        : `  ${red('✗')} ${title}: ${red(text)}\n`;
    return head + advice;
  }

  /** Of a policy of Kyverno in CEL, the expression because of which it is not passed. */
  #failingExpression({ verdict, expressions = [] }: ExplainedRule): string {
    if (verdict === undefined || ['allow', 'mutate', 'generate', 'delete'].includes(verdict))
      return '';
    const failing = expressions.findLast(
      (each) => !each.path.startsWith('spec.variables') && isUnmet(each),
    );
    return failing === undefined ? '' : this.#condition(failing);
  }

  #condition(expression: ExplainedExpression): string {
    return `      ${expression.path}\n${this.#expression(expression)}`;
  }

  #binding(title: string, binding: ExplainedBinding): string {
    const { binding: name, matched, reason, message, errorIgnored, evaluations } = binding;
    const own = `${title}, binding ${this.#style.bold(printableLine(name))}`;
    if (!matched) return this.#left(own, reason ?? 'does not match');
    if (message !== undefined) return this.#failed(own, { message, errorIgnored });
    return evaluations.map((evaluation) => this.#evaluation(own, evaluation, name)).join('');
  }

  #evaluation(own: string, evaluation: ExplainedEvaluation, binding: string): string {
    const style = this.#style;
    const { params, results } = evaluation;
    const title = params === undefined ? own : `${own}, parameters ${printableLine(params)}`;
    const fine = results.filter(({ outcome }) => passing.some(([each]) => each === outcome));
    if (fine.length === results.length) {
      return `  ${style.green('✓')} ${title}: ${passed(results)}\n`;
    }
    const open = results.filter((each) => !fine.includes(each));
    const isOut = open.some(({ outcome }) => outcome === 'excluded');
    const mark = open.some(isBad)
      ? style.red('✗')
      : open.some(isNoticed)
        ? style.yellow('!')
        : isOut
          ? style.dim('-')
          : style.cyan('~');
    const texts = open.map((result) => this.#result(result, evaluation, binding));
    const more = fine.length === 0 ? '' : `      ${style.dim(`${passed(fine)} (-v shows more)`)}\n`;
    return `  ${mark} ${title}\n${texts.join('')}${more}`;
  }

  #result(
    result: ExplainedResult,
    { expressions, params }: ExplainedEvaluation,
    binding: string,
  ): string {
    const style = this.#style;
    const { path, message, line } = result;
    const own = expressions.find(
      (each) => each.path.startsWith(`${path}.`) && !each.path.endsWith('messageExpression'),
    );
    const said = `${resultWord(result, words)}${message === undefined ? '' : `: ${printableAfter(message)}`}`;
    const place = style.dim(this.#places(line, own && decisiveLine(own)));
    const head = `      ${path}${place} ${colourOf(result, style)(said)}\n`;
    const hint = message === undefined ? undefined : errorHint(message, this.#explained.operation);
    const advice = hint === undefined ? '' : `        ${style.cyan(`hint: ${hint}`)}\n`;
    const change = this.#explained.changes.find(
      (each) =>
        each.policy === this.#policy.policy &&
        each.binding === binding &&
        each.params === params &&
        each.pass === (this.#policy.pass ?? 1) &&
        path === `spec.mutations[${each.mutation}]`,
    );
    const changed = change === undefined ? '' : operationLines(change, style, '        ');
    return `${head}${changed}${own === undefined ? '' : this.#expression(own)}${advice}`;
  }

  /** The line of the policy, and that of the manifest whose value decided. */
  #places(line: number | undefined, decided: number | undefined): string {
    if (line === undefined) return '';
    const on = decided === undefined ? '' : ` on ${printableLine(this.#explained.file)}:${decided}`;
    return ` (${printableLine(this.#policy.file ?? '')}:${line}${on})`;
  }

  #expression(expression: ExplainedExpression): string {
    const text = this.#style.dim(printable(oneLine(expression.expression)));
    return indentLines(`${text}\n${this.#choice(expression).join('')}`, '        ');
  }

  /** The parts of a choice, with the values in those that decided; else all values. */
  #choice({ steps, parts }: SeenValues): readonly string[] {
    const style = this.#style;
    if (parts === undefined) return this.#steps(steps);
    return parts.flatMap((part, index) => {
      const { expression, value, isDecisive, policyLine } = part;
      const result = value === undefined ? 'not evaluated' : printable(value);
      const text = `${printable(oneLine(expression))} = ${result}`;
      if (!isDecisive) return [`  ${style.dim(`  ${text}`)}\n`];
      const own = steps.filter((step) => step.part === index && step.expression !== expression);
      return [
        `  ${style.bold('▸')} ${text}${style.dim(this.#places(policyLine, undefined))}\n`,
        ...this.#steps(own).map((line) => `  ${line}`),
      ];
    });
  }

  #steps(steps: readonly ExplainedStep[]): readonly string[] {
    const isLoop = steps.some(({ turns }) => turns !== undefined);
    // For a loop, the elements are shown.
    const shown = steps.filter(({ value }) => !isLoop || !value.endsWith('…')).slice(0, mostSteps);
    return shown.flatMap((step) => {
      const { expression, value, line, file = this.#explained.file, turns } = step;
      if (turns !== undefined) return this.#loop(step, turns);
      const where = line === undefined ? '' : this.#style.dim(` (${printableLine(file)}:${line})`);
      return [`  ${printable(oneLine(expression))} = ${printable(value)}${where}\n`];
    });
  }

  /** The elements for which the body of a loop is false or an error; without any, the number of elements. */
  #loop({ expression }: ExplainedStep, turns: readonly ExplainedTurn[]): readonly string[] {
    const asked = printable(oneLine(expression));
    const failing = turns.filter(isFailingTurn);
    if (failing.length === 0) return [`  ${asked}: ${passingText(turns)}\n`];
    const shown = failing.slice(0, mostTurns).flatMap(({ element, value, steps, parts }) => {
      const own = steps.filter((step) => step.expression !== expression);
      return [
        `  ${this.#style.bold(printableLine(element))}: ${asked} = ${printable(value)}\n`,
        ...this.#choice({ steps: own, parts }).map((line) => `  ${line}`),
      ];
    });
    const more = failing.length - mostTurns;
    return more > 0 ? [...shown, `  and ${more} more\n`] : shown;
  }
}

/** The outcome of a loop without an element that is false or an error. */
function passingText(turns: readonly ExplainedTurn[]): string {
  const elements = counted(turns.length, 'element');
  const isTrue = turns.every(({ value }) => value === 'true');
  return isTrue ? `true for ${elements}` : `${elements} evaluated`;
}

const mostSteps = 20;
const mostTurns = 5;

function isUnmet({ value, error }: ExplainedExpression): boolean {
  return error !== undefined || value === 'false';
}

function isBad({ outcome, effects }: ExplainedResult): boolean {
  return outcome === 'denied' || (outcome === 'error' && effects?.includes('denied') !== false);
}

/** Whether a part failed though the request is allowed. */
function isNoticed({ outcome }: ExplainedResult): boolean {
  return ['warned', 'audited', 'ignored', 'error'].includes(outcome);
}

function colourOf(result: ExplainedResult, style: Style): (text: string) => string {
  if (isBad(result)) return style.red;
  return isNoticed(result) ? style.yellow : (text) => text;
}

function passed(results: readonly ExplainedResult[]): string {
  const texts = passing.flatMap(([outcome, noun, one, several]) => {
    const number = results.filter((each) => each.outcome === outcome).length;
    return number === 0 ? [] : [`${counted(number, noun)} ${number === 1 ? one : several}`];
  });
  return texts.length === 0 ? 'nothing to report' : texts.join(', ');
}

/** The words for one and for several positive results. */
const passing = [
  ['holds', 'validation', 'passes', 'pass'],
  ['unchanged', 'mutation', 'changes nothing', 'change nothing'],
  ['published', 'audit annotation', 'published', 'published'],
] as const;

const words: ResultWords = {
  holds: 'passes',
  denied: 'denied',
  warned: 'warned',
  audited: 'audited',
  ignored: 'failed and is ignored (failurePolicy)',
  error: 'failed',
  excluded: 'does not apply to this request',
  changed: 'changed the object',
  unchanged: 'changes nothing',
  published: 'published',
};
