import type { ExplainedRule, ExplainedRuleStep } from '@kubeadmit/check';
import { stringifyJson } from '@kubeadmit/go';
import { operationText } from './change-text.ts';
import { printable, printableAfter, printableLine, type Style } from './style.ts';

/** Formats the rules of a Kyverno policy. */
export class RuleTexts {
  readonly #policy: string;
  readonly #manifest: string;
  readonly #style: Style;

  /** @param policy the file of the policy; `manifest` is that of the manifest. */
  constructor(policy: string, manifest: string, style: Style) {
    this.#policy = policy;
    this.#manifest = manifest;
    this.#style = style;
  }

  /** Formats the rules in short: failed, changed and skipped ones with the reason, the others in one line each. */
  brief(title: string, rules: readonly ExplainedRule[]): string {
    // If Kyverno evaluated a rule for Pods as one for controllers, or the reverse, the evaluated rule is shown.
    const asked = new Set(
      rules.flatMap((each) => (each.matched ? (each.generatedFrom ?? []) : [])),
    );
    const told = rules.filter(
      ({ matched, rule = '', generatedFrom }) =>
        matched || (generatedFrom === undefined && !asked.has(rule)),
    );
    return told.map((rule) => this.#brief(title, rule)).join('');
  }

  #brief(title: string, rule: ExplainedRule): string {
    const style = this.#style;
    const { matched, reason, verdict, message, steps } = rule;
    const about = `${title}${ruleName(rule)}`;
    if (!matched) return `  ${style.dim('-')} ${about}: ${printableAfter(reason)}\n`;
    if (verdict === undefined) return `  ${style.dim('-')} ${about}: no result\n`;
    const isBad = verdict === 'deny' || verdict === 'error';
    const text = message === undefined ? '' : `: ${printableAfter(message)}`;
    const head = `  ${markOf(verdict, style)} ${about}: ${verdictText(verdict)}${isBad ? style.red(text) : text}\n`;
    return verdict === 'allow' ? head : head + this.#steps(decisive(steps), '      ');
  }

  /** Formats all steps of a rule. */
  whole(rule: ExplainedRule): string {
    const { matched, reason, verdict, message, steps, match, exclude } = rule;
    const about = rule.rule === undefined ? '' : `${ruleName(rule).slice(2)} `;
    const word = matched ? 'matches' : this.#style.dim('does not match');
    const head = `    ${about}${word}: ${printableAfter(reason)}\n`;
    const filters = [match, exclude].flatMap((each) => each?.filters ?? []);
    const fits = filters.map(({ path, line, matches, reasons }) => {
      const why = matches ? 'matches' : `does not match: ${reasons.join('; ')}`;
      return `      ${path}${this.#places([this.#policy, line])} ${printable(why)}\n`;
    });
    const outcome =
      verdict === undefined ? '' : `      ${printableAfter(outcomeText(verdict, message))}\n`;
    return head + fits.join('') + this.#steps(steps, '      ') + outcome;
  }

  #steps(steps: readonly ExplainedRuleStep[], margin: string): string {
    const told = new Set<string>();
    const texts = steps.map((step) => {
      const text = this.#step(step, margin);
      // A variable is shown once.
      if (step.kind !== 'variable') return text;
      if (told.has(text)) return '';
      told.add(text);
      return text;
    });
    return texts.join('');
  }

  #step(step: ExplainedRuleStep, margin: string): string {
    const style = this.#style;
    const place = this.#places([this.#policy, step.line], [this.#manifest, step.manifestLine]);
    const line = (text: string): string => `${margin}${text}\n`;
    const inner = this.#steps(step.steps ?? [], `${margin}  `);
    const { name = '', path = '', outcome, message, error } = step;
    const said = message === undefined ? '' : `: ${printableAfter(message)}`;
    const found =
      error === undefined ? valueText(step.value) : style.red(`error: ${printableAfter(error)}`);
    switch (step.kind) {
      case 'variable':
        return line(`{{ ${printableLine(name)} }} = ${found}${place}`);
      case 'entry':
        return line(`context ${printableLine(name)} = ${found}${place}`) + inner;
      case 'conditions': {
        const result =
          error === undefined ? (step.result === true ? 'are true' : 'are false') : found;
        const noun = name === 'deny' ? 'conditions of `deny`' : `conditions of ${name}`;
        return line(`${path === '' ? noun : path}${place} ${result}`) + inner;
      }
      case 'condition': {
        const asked = `${valueText(step.key)} ${step.operator} ${valueText(step.value)}`;
        if (error !== undefined) return line(`${path}${place}: ${found}`) + inner;
        return line(`${path}${place}: ${asked} = ${step.result}`) + inner;
      }
      case 'pattern': {
        if (step.at === undefined) return line(`${path}${place} ${outcome}${said}`);
        const there = step.value === undefined ? 'is missing' : `is ${valueText(step.value)}`;
        const wanted =
          step.wanted === undefined ? '' : `, the pattern requires ${valueText(step.wanted)}`;
        return line(`${path}${place} ${outcome} at ${printable(step.at)}: it ${there}${wanted}`);
      }
      case 'loop':
        return (
          line(
            `${path}${place} over ${printableLine(name)}: ${error === undefined ? `${step.count} elements` : found}`,
          ) + inner
        );
      case 'element':
        return (
          line(`${style.bold(printableLine(name))}${place}: ${outcome ?? 'not evaluated'}${said}`) +
          inner
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
        return line(`PolicyException ${printableLine(name)} ${outcome}${said}`) + inner;
      case 'oldObject':
        return line(`old object: ${outcome ?? 'the rule does not match it'}${said}`) + inner;
      case 'target':
        return line(`${printableLine(name)}: ${outcome}${said}`) + inner;
      case 'cel':
      case 'control':
        return line(`${path}${place} ${outcome}${said}`);
      default:
        return step.kind satisfies never;
    }
  }

  /** Formats the position in the policy and the origin of a value, if known. */
  #places(...places: readonly (readonly [file: string, line: number | undefined])[]): string {
    const known = places.filter(([, line]) => line !== undefined);
    const texts = known.map(([file, line]) => `${printableLine(file)}:${line}`);
    return known.length === 0 ? '' : this.#style.dim(` (${texts.join(' on ')})`);
  }
}

/** The verdict in words: an error that the failure policy ignores is named as one. */
function verdictText(verdict: string): string {
  return verdict === 'ignore' ? 'error ignored' : verdict;
}

function outcomeText(verdict: string, message: string | undefined): string {
  return message === undefined ? verdictText(verdict) : `${verdictText(verdict)}: ${message}`;
}

function markOf(verdict: string, style: Style): string {
  if (verdict === 'deny' || verdict === 'error') return style.red('✗');
  if (['warn', 'audit', 'ignore'].includes(verdict)) return style.yellow('!');
  if (verdict === 'mutate') return style.cyan('~');
  if (verdict === 'generate') return style.cyan('+');
  if (verdict === 'delete') return style.cyan('×');
  return verdict === 'skip' ? style.dim('-') : style.green('✓');
}

/** The name of a rule, and the rule from which it was generated. */
function ruleName({ rule, generatedFrom }: ExplainedRule): string {
  if (rule === undefined) return '';
  const origin =
    generatedFrom === undefined ? '' : ` (generated from ${printableLine(generatedFrom)})`;
  return `, rule ${printableLine(rule)}${origin}`;
}

/** The steps that decided the result of a rule. */
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

const longestValue = 200;

function valueText(value: unknown): string {
  const text = value === undefined ? 'nothing' : stringifyJson(value);
  return printable(text.length > longestValue ? `${text.slice(0, longestValue)}…` : text);
}
