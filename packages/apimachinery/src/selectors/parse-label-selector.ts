import { requireValue } from '@kubeadmit/base';
import { compareText } from '@kubeadmit/go';
import { formatAggregate } from '../errors/aggregate.ts';
import type { ParseError } from '../errors/parse-error.ts';
import type { LabelOperator, LabelRequirement } from './label-selector.ts';
import { keyProblems, valueProblems } from './requirement-problems.ts';

type TokenKind =
  | 'end'
  | 'identifier'
  | '!'
  | '!='
  | '('
  | ')'
  | ','
  | '<'
  | '='
  | '=='
  | '>'
  | 'in'
  | 'notin';

interface Token {
  readonly kind: TokenKind;
  readonly text: string;
}

const keywords: ReadonlySet<string> = new Set(['in', 'notin']);

/**
 * Parses a label selector as `labels.ParseToRequirements`: `a=b,c in (d,e),!f`, sorted by key.
 *
 * @throws TypeError if `selector` is not a string (`compileLabelSelector` takes objects)
 */
export function parseLabelSelector(selector: string): readonly LabelRequirement[] | ParseError {
  requireValue('parseLabelSelector', selector, 'string', 'a string');
  const parser = new Parser(scan(selector));
  try {
    return parser.parse().sort((left, right) => compareText(left.key, right.key));
  } catch (problem) {
    if (problem instanceof Refusal) return { error: problem.message };
    throw problem;
  }
}

/** Carries the text of a failure out of the nested productions. */
class Refusal extends Error {}

function refuse(problems: readonly string[]): void {
  if (problems.length > 0) throw new Refusal(formatAggregate(problems));
}

function scan(selector: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const [text, word] of selector.matchAll(/[!=]=|[=!(),><]|([^=!(),>< \t\r\n]+)/g)) {
    const isIdentifier = word !== undefined && !keywords.has(word);
    tokens.push({ kind: isIdentifier ? 'identifier' : (text as TokenKind), text });
  }
  return tokens;
}

const binaryOperators = 'in, notin, =, ==, !=, gt, lt';

class Parser {
  readonly #tokens: readonly Token[];
  #position = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  /** selector = [requirement {"," requirement}] */
  parse(): LabelRequirement[] {
    const requirements: LabelRequirement[] = [];
    for (;;) {
      const token = this.#peek();
      if (token.kind === 'end') return requirements;
      if (token.kind !== 'identifier' && token.kind !== '!') {
        throw new Refusal(`found '${token.text}', expected: !, identifier, or 'end of string'`);
      }
      requirements.push(this.#requirementWithContext());
      const next = this.#take();
      if (next.kind === 'end') return requirements;
      if (next.kind !== ',') {
        throw new Refusal(`found '${next.text}', expected: ',' or 'end of string'`);
      }
      const after = this.#peek();
      if (after.kind !== 'identifier' && after.kind !== '!') {
        throw new Refusal(`found '${after.text}', expected: identifier after ','`);
      }
    }
  }

  #requirementWithContext(): LabelRequirement {
    try {
      return this.#requirement();
    } catch (problem) {
      throw problem instanceof Refusal
        ? new Refusal(`unable to parse requirement: ${problem.message}`)
        : problem;
    }
  }

  /** requirement = "!" key | key [operator values] */
  #requirement(): LabelRequirement {
    const isNegated = this.#peek().kind === '!';
    if (isNegated) this.#take();
    const token = this.#take();
    if (token.kind !== 'identifier') {
      throw new Refusal(`found '${token.text}', expected: identifier`);
    }
    const key = token.text;
    refuse(keyProblems(key, '<nil>'));
    const next = this.#peek().kind;
    if (isNegated || next === 'end' || next === ',') {
      return { key, operator: isNegated ? '!' : 'exists', values: [] };
    }
    const operator = this.#operator();
    const isSet = operator === 'in' || operator === 'notin';
    const found = isSet ? this.#valueSet() : this.#exactValue();
    const values = [...new Set(found)].sort(compareText);
    refuse(valueProblems(key, operator, values));
    return { key, operator, values };
  }

  #operator(): LabelOperator {
    this.#position++;
    const token = this.#tokens[this.#position - 1] ?? endToken;
    switch (token.kind) {
      case 'in':
      case 'notin':
      case '=':
      case '==':
      case '!=':
        return token.kind;
      case '>':
        return 'gt';
      case '<':
        return 'lt';
      default:
        throw new Refusal(`found '${token.text}', expected: ${binaryOperators}`);
    }
  }

  /** values = "(" [value] {"," [value]} ")" */
  #valueSet(): string[] {
    const open = this.#take();
    if (open.kind !== '(') throw new Refusal(`found '${open.text}' expected: '('`);
    const first = this.#peek();
    if (first.kind === ')') {
      this.#take();
      return [''];
    }
    if (first.kind !== 'identifier' && first.kind !== ',') {
      throw new Refusal(`found '${first.text}', expected: ',', ')' or identifier`);
    }
    const values = this.#valueList();
    if (this.#take().kind !== ')') throw new Refusal(`found '${first.text}', expected: ')'`);
    return values;
  }

  #valueList(): string[] {
    const values: string[] = [];
    for (;;) {
      const token = this.#take();
      const next = this.#peek();
      if (token.kind === 'identifier') {
        values.push(token.text);
        if (next.kind === ')') return values;
        if (next.kind !== ',') throw new Refusal(`found '${next.text}', expected: ',' or ')'`);
      } else if (token.kind === ',') {
        if (values.length === 0 || next.kind === ')' || next.kind === ',') values.push('');
        if (next.kind === ')') return values;
      } else {
        throw new Refusal(`found '${token.text}', expected: ',', or identifier`);
      }
    }
  }

  #exactValue(): string[] {
    const next = this.#peek().kind;
    if (next === 'end' || next === ',') return [''];
    const token = this.#take();
    if (token.kind !== 'identifier') {
      throw new Refusal(`found '${token.text}', expected: identifier`);
    }
    return [token.text];
  }

  /** The next token; `in` and `notin` are plain words everywhere but as operators. */
  #peek(): Token {
    const token = this.#tokens[this.#position] ?? endToken;
    return keywords.has(token.kind) ? { kind: 'identifier', text: token.text } : token;
  }

  #take(): Token {
    const token = this.#peek();
    this.#position++;
    return token;
  }
}

const endToken: Token = { kind: 'end', text: '' };
