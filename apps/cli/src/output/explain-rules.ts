import type { ExplainedPolicy, ExplainedRule, ExplainedRuleStep } from '@kubeadmit/check/internal';
import { stringifyJson } from '@kubeadmit/go/internal';
import { operationText } from './change-text.ts';
import { printable, type Style } from './style.ts';

/** Where rules and values stand. */
export interface RuleFiles {
  /** The file of the policy. */
  readonly policy: string;
  /** The file of the manifest. */
  readonly manifest: string;
}

/** The rules of a policy in short: what failed, changed or was skipped with why, what passed and does not match in a line each. */
export function rulesBrief(
  title: string,
  policy: ExplainedPolicy,
  manifest: string,
  style: Style,
): string {
  const { rules = [], file = '' } = policy;
  const files = { policy: file, manifest };
  // Of a rule for pods that Kyverno asked as one for controllers, or the other way round, what was asked is told.
  const asked = new Set(rules.flatMap((each) => (each.matched ? (each.generatedFrom ?? []) : [])));
  return rules
    .filter(
      ({ matched, rule = '', generatedFrom }) =>
        matched || (generatedFrom === undefined && !asked.has(rule)),
    )
    .map((rule) => ruleBrief(title, rule, files, style))
    .join('');
}

function ruleBrief(title: string, rule: ExplainedRule, files: RuleFiles, style: Style): string {
  const { matched, reason, verdict, message, steps } = rule;
  const about = `${title}${ruleName(rule)}`;
  if (!matched) return `  ${style.dim('-')} ${about}: ${printable(reason)}\n`;
  if (verdict === undefined) return `  ${style.dim('-')} ${about}: says nothing\n`;
  const isBad = verdict === 'deny' || verdict === 'error';
  const mark = markOf(verdict, style);
  const text = message === undefined ? '' : `: ${printable(message)}`;
  const head = `  ${mark} ${about}: ${verdict}${isBad ? style.red(text) : text}\n`;
  if (verdict === 'allow') return head;
  return head + stepLines(decisive(steps), files, style, '      ');
}

function markOf(verdict: string, style: Style): string {
  if (verdict === 'deny' || verdict === 'error') return style.red('✗');
  if (verdict === 'warn' || verdict === 'audit') return style.yellow('!');
  if (verdict === 'mutate') return style.cyan('~');
  return verdict === 'skip' ? style.dim('-') : style.green('✓');
}

/** The name of a rule, and the rule from which it was generated. */
function ruleName({ rule, generatedFrom }: ExplainedRule): string {
  if (rule === undefined) return '';
  const origin = generatedFrom === undefined ? '' : ` (generated from ${printable(generatedFrom)})`;
  return `, rule ${printable(rule)}${origin}`;
}

/** Everything that a rule was asked. */
export function ruleWhole(rule: ExplainedRule, files: RuleFiles, style: Style): string {
  const { matched, reason, verdict, message, steps, match, exclude } = rule;
  const said =
    verdict === undefined ? '' : `: ${verdict}${message === undefined ? '' : `: ${message}`}`;
  const about = rule.rule === undefined ? '' : `${ruleName(rule).slice(2)} `;
  const word = matched ? 'matches' : 'does not match';
  const head = `    ${about}${matched ? word : style.dim(word)}: ${printable(reason)}\n`;
  const filters = [...(match?.filters ?? []), ...(exclude?.filters ?? [])].map((filter) => {
    const why = filter.matches ? 'fits' : `does not fit: ${filter.reasons.join(', and ')}`;
    return `      ${filter.path}${style.dim(lineText(files.policy, filter.line))} ${printable(why)}\n`;
  });
  const outcome = said === '' ? '' : `      ${printable(said.slice(2))}\n`;
  return head + filters.join('') + stepLines(steps, files, style, '      ') + outcome;
}

/** The steps because of which a rule says what it says. */
function decisive(steps: readonly ExplainedRuleStep[]): readonly ExplainedRuleStep[] {
  return steps.flatMap((step): readonly ExplainedRuleStep[] => {
    const inner = decisive(step.steps ?? []);
    switch (step.kind) {
      case 'conditions': {
        // Preconditions that hold have decided nothing, nor has a denial that does not.
        const isPassed = step.error === undefined && step.result === (step.name !== 'deny');
        if (isPassed) return [];
        return inner.length > 0 ? inner : [step];
      }
      case 'condition':
        return step.isDecisive === true ? [step] : [];
      case 'loop':
        return step.error === undefined ? inner : [step];
      case 'element':
        return ['fail', 'error'].includes(step.outcome ?? '') ||
          inner.some(({ kind }) => kind === 'patch')
          ? [{ ...step, steps: inner }]
          : [];
      case 'pattern':
      case 'cel':
        return step.outcome === 'pass' || step.outcome === 'holds' ? [] : [step];
      case 'exception':
        return step.outcome === 'applies' ? [step] : [];
      case 'target':
        return [{ ...step, steps: inner }];
      case 'entry':
      case 'variable':
        return step.error === undefined ? [] : [step];
      case 'patch':
        return step.outcome === 'skip' ? [] : [step];
      case 'oldObject':
      case 'control':
        return [step];
      default:
        return step.kind satisfies never;
    }
  });
}

function stepLines(
  steps: readonly ExplainedRuleStep[],
  files: RuleFiles,
  style: Style,
  margin: string,
): string {
  const told = new Set<string>();
  return steps
    .map((step) => {
      const text = stepText(step, files, style, margin);
      // A variable is told of once.
      if (step.kind !== 'variable') return text;
      if (told.has(text)) return '';
      told.add(text);
      return text;
    })
    .join('');
}

function stepText(step: ExplainedRuleStep, files: RuleFiles, style: Style, margin: string): string {
  const place = style.dim(placeText(step, files));
  const line = (text: string): string => `${margin}${text}\n`;
  const inner = stepLines(step.steps ?? [], files, style, `${margin}  `);
  const { name = '', path = '', outcome, message, error } = step;
  const said = message === undefined ? '' : `: ${printable(message)}`;
  const found =
    error === undefined ? valueText(step.value) : style.red(`error: ${printable(error)}`);
  switch (step.kind) {
    case 'variable':
      return line(`{{ ${printable(name)} }} = ${found}${place}`);
    case 'entry':
      return line(`context ${printable(name)} = ${found}${place}`) + inner;
    case 'conditions': {
      const result = error === undefined ? (step.result === true ? 'hold' : 'do not hold') : found;
      const noun = name === 'deny' ? 'conditions of the denial' : `conditions of ${name}`;
      return line(`${path === '' ? noun : path}${place} ${result}`) + inner;
    }
    case 'condition': {
      const asked = `${valueText(step.key)} ${step.operator} ${valueText(step.value)}`;
      if (error !== undefined) return line(`${path}${place}: ${found}`) + inner;
      return line(`${path}${place}: ${asked} = ${step.result}`) + inner;
    }
    case 'pattern': {
      if (step.at === undefined) return line(`${path}${place} ${outcome}${said}`);
      const there = step.value === undefined ? 'is not there' : `is ${valueText(step.value)}`;
      const wanted =
        step.wanted === undefined ? '' : `, the pattern asks for ${valueText(step.wanted)}`;
      return line(`${path}${place} ${outcome} at ${printable(step.at)}: it ${there}${wanted}`);
    }
    case 'loop':
      return (
        line(
          `${path}${place} over ${printable(name)}: ${error === undefined ? `${step.count} elements` : found}`,
        ) + inner
      );
    case 'element':
      return (
        line(
          `${style.bold(printable(name))}${place}: ${outcome ?? 'nothing is asked of it'}${said}`,
        ) + inner
      );
    case 'patch': {
      const changes = step.changes ?? [];
      const lines = changes.map((each) => line(`  ${operationText(each, style)}`));
      return (
        line(
          `${path}${place} ${changes.length > 0 ? 'changed the object' : (message ?? outcome)}`,
        ) + lines.join('')
      );
    }
    case 'exception':
      return line(`PolicyException ${printable(name)} ${outcome}${said}`) + inner;
    case 'oldObject':
      return line(`the old object: ${outcome ?? 'the rule does not concern it'}${said}`) + inner;
    case 'target':
      return line(`${printable(name)}: ${outcome}${said}`) + inner;
    case 'cel':
    case 'control':
      return line(`${path}${place} ${outcome}${said}`);
    default:
      return step.kind satisfies never;
  }
}

/** The line of the policy, and that of the manifest. */
function placeText({ line, manifestLine }: ExplainedRuleStep, files: RuleFiles): string {
  const own = line === undefined ? '' : `${printable(files.policy)}:${line}`;
  const read = manifestLine === undefined ? '' : `${printable(files.manifest)}:${manifestLine}`;
  const parts = [own, read].filter((part) => part !== '');
  return parts.length === 0 ? '' : ` (${parts.join(' on ')})`;
}

function lineText(file: string, line: number | undefined): string {
  return line === undefined ? '' : ` (${printable(file)}:${line})`;
}

const longestValue = 200;

function valueText(value: unknown): string {
  const text = value === undefined ? 'nothing' : stringifyJson(value);
  return printable(text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);
}
