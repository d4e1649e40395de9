import { childrenOf, type Expression, parseExpression } from '@kubeadmit/cel/syntax';
import { startOf } from '@kubeadmit/lint/unstable-internal';

/** A change of an expression. */
export interface ExpressionMutant {
  /** Where it is made, in UTF-16 units. */
  readonly offset: number;
  /** The text after it. */
  readonly text: string;
  /** A description of the change: `` has `<=` replaced by `<` ``. */
  readonly change: string;
}

const operators: Readonly<Record<string, readonly [string, string]>> = {
  '_==_': ['==', '!='],
  '_!=_': ['!=', '=='],
  '_<_': ['<', '<='],
  '_<=_': ['<=', '<'],
  '_>_': ['>', '>='],
  '_>=_': ['>=', '>'],
  '_&&_': ['&&', '||'],
  '_||_': ['||', '&&'],
  '_+_': ['+', '-'],
  '_-_': ['-', '+'],
  '_*_': ['*', '/'],
  '_/_': ['/', '*'],
};

const functions: ReadonlyMap<string, string> = new Map([
  ['all', 'exists'],
  ['exists', 'all'],
  ['startsWith', 'endsWith'],
  ['endsWith', 'startsWith'],
  ['contains', 'startsWith'],
  ['isGreaterThan', 'isLessThan'],
  ['isLessThan', 'isGreaterThan'],
]);

/**
 * The changes of an expression that its tests should notice, one at a time: operators, limits, names and guards.
 * Some may not compile, and have to be left out.
 */
export function expressionMutants(text: string): readonly ExpressionMutant[] {
  const { expression } = parseExpression(text);
  if (expression === undefined) return [];
  const mutants: ExpressionMutant[] = [];
  const replace = (start: number, end: number, by: string): void => {
    const before = text.slice(start, end);
    const change =
      by === '' ? `has \`${before}\` removed` : `has \`${before}\` replaced by \`${by}\``;
    const changed = `${text.slice(0, start)}${by}${text.slice(end)}`;
    if (changed !== text) mutants.push({ offset: start, text: changed, change });
  };
  const visit = (node: Expression): void => {
    changesOf(node, text, replace);
    // A guarded expression changes together with its guard, and the choice of a fallback string makes no
    // difference.
    if (!isGuard(node) && !isFallbackText(node)) childrenOf(node).forEach(visit);
    else if (node.kind === 'call' && node.target !== undefined) visit(node.target);
  };
  visit(expression);
  return mutants;
}

type Replace = (start: number, end: number, by: string) => void;

function isGuard(node: Expression): boolean {
  return node.kind === 'call' && node.function === 'has' && node.target === undefined;
}

function isFallbackText(node: Expression): boolean {
  const [given] = node.kind === 'call' && node.function === 'orValue' ? node.arguments : [];
  return given?.kind === 'literal' && given.value === '';
}

function changesOf(node: Expression, text: string, replace: Replace): void {
  const { position } = node;
  if (node.kind === 'literal') changeLiteral(position, text, replace);
  if (node.kind !== 'call') return;
  const { function: name, arguments: given, target } = node;
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  if (operator !== undefined) {
    const [from, to] = operator;
    if (text.startsWith(from, position)) replace(position, position + from.length, to);
  } else if (name === '!_') {
    replace(position, position + 1, '');
  } else if (name === '@in') {
    const [element] = given;
    const end = closingOf(text, text.length, position + 2);
    const start = element === undefined ? position : startOf(element, text);
    replace(start, end, `!(${text.slice(start, end).trimEnd()})`);
  } else if (isGuard(node)) {
    replace(position - name.length, closingOf(text, text.length, position + 1) + 1, 'true');
  } else if (target !== undefined && functions.has(name) && text[position] === '(') {
    replace(position - name.length, position, functions.get(name) ?? name);
  }
}

/**
 * Returns the position of the bracket that closes the group open at `from`, or of an operator that binds less than
 * `in`.
 */
function closingOf(text: string, end: number, from: number): number {
  let depth = 0;
  for (let at = from; at < end; at++) {
    const character = text[at] ?? '';
    if (character === '"' || character === "'") {
      at = stringEnd(text, at);
      continue;
    }
    if ('([{'.includes(character)) depth++;
    else if (')]}'.includes(character)) {
      if (depth === 0) return at;
      depth--;
    } else if (depth === 0 && /^(?:&&|\|\||\?(?!\.)|:|,)/.test(text.slice(at, at + 2))) return at;
  }
  return end;
}

/** The index of the quote that ends a string. */
function stringEnd(text: string, start: number): number {
  const quote = text[start] ?? '';
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === quote) return at;
  }
  return text.length;
}

function changeLiteral(position: number, text: string, replace: Replace): void {
  const rest = text.slice(position);
  const number = /^\d+(\.\d+)?/.exec(rest);
  if (number !== null) {
    const changed = number[1] === undefined ? BigInt(number[0]) + 1n : Number(number[0]) + 1;
    replace(position, position + number[0].length, String(changed));
    return;
  }
  const word = /^(?:true|false)\b/.exec(rest)?.[0];
  if (word !== undefined) {
    replace(position, position + word.length, word === 'true' ? 'false' : 'true');
    return;
  }
  const string = /^[rR]?(?=["'])/.exec(rest);
  if (string !== null) {
    const start = position + string[0].length;
    const end = stringEnd(text, start) + 1;
    const quote = text[start] ?? '';
    // No name contains a tilde, and a tilde has no special meaning in a regular expression.
    replace(start, end, `${text.slice(start, end - 1)}~${quote}`);
    return;
  }
  // The field behind `.?`.
  const field = /^[A-Za-z_]\w*/.exec(rest)?.[0];
  if (field !== undefined && text[position - 1] === '?') {
    replace(position, position + field.length, `${field}0`);
  }
}
