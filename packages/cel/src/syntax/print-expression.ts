import { describeValue } from '@kubeadmit/base';
import { byteLength, formatFloat64, quote } from '@kubeadmit/go';
import { formatLiteral } from '../values/format-literal.ts';
import { doubleValue, isInt } from '../values/kind.ts';
import { Optional, type Value } from '../values/value.ts';
import type { CallExpression, Expression, MapEntry, StructField } from './expression.ts';

/** How {@link printExpression} breaks lines and sets parentheses. */
export interface PrintOptions {
  /** How many bytes a line has before it is broken at the next operator; 80 unless said otherwise. */
  readonly width?: number;
  /** The operators at which lines are broken, such as `+` or `?`; `&&` and `||` unless said otherwise. */
  readonly wrapOn?: readonly string[];
  /** Whether a line is broken before the operator and not after it. */
  readonly wrapBefore?: boolean;
  /**
   * Whether calls of functions and macros never stand in parentheses. cel-go puts some around those that hold two
   * arguments or more, or whose expansion is an operator: `(a.optMap(b, c)).orValue(d)`, `!(f(a, b))`.
   */
  readonly bareCalls?: boolean;
}

/**
 * Formats a tree as an expression, as cel-go's `parser.Unparse`: macros as they were called, strings in double
 * quotes, parentheses where necessary.
 *
 * Parsing the result gives the same tree, except that `a && (b && c)` and the like are balanced again. Where
 * cel-go's text would be parsed as another tree (`-(-a)`, `(!a).b`), there are more parentheses.
 *
 * @throws TypeError for a comprehension that no macro produced, and for anything but a tree
 */
export function printExpression(expression: Expression, options: PrintOptions = {}): string {
  const printer = new Printer(options);
  printer.print(expression);
  return printer.text;
}

interface Operator {
  readonly symbol: string;
  readonly precedence: number;
}

// The higher the number, the weaker the operator binds.
const conditional = 8;

const binary: ReadonlyMap<string, Operator> = new Map([
  ['_||_', { symbol: '||', precedence: 7 }],
  ['_&&_', { symbol: '&&', precedence: 6 }],
  ['_==_', { symbol: '==', precedence: 5 }],
  ['_!=_', { symbol: '!=', precedence: 5 }],
  ['_<_', { symbol: '<', precedence: 5 }],
  ['_<=_', { symbol: '<=', precedence: 5 }],
  ['_>_', { symbol: '>', precedence: 5 }],
  ['_>=_', { symbol: '>=', precedence: 5 }],
  ['@in', { symbol: 'in', precedence: 5 }],
  ['_+_', { symbol: '+', precedence: 4 }],
  ['_-_', { symbol: '-', precedence: 4 }],
  ['_*_', { symbol: '*', precedence: 3 }],
  ['_/_', { symbol: '/', precedence: 3 }],
  ['_%_', { symbol: '%', precedence: 3 }],
]);

const unary: ReadonlyMap<string, string> = new Map([
  ['!_', '!'],
  ['-_', '-'],
]);

/** Functions written as `a[b]` and `a.?b`. */
const accessors: ReadonlySet<string> = new Set(['_[_]', '_[?_]', '_?._']);

/** Returns the precedence of the operator at the root, or 0. */
function precedence(expression: Expression): number {
  if (expression.kind !== 'call') return 0;
  return expression.function === '_?_:_'
    ? conditional
    : (binary.get(expression.function)?.precedence ?? 0);
}

function isUnary(expression: Expression): boolean {
  return expression.kind === 'call' && unary.has(expression.function);
}

/** Whether the node is a call of two arguments or more, of whatever form. */
function isComplex(expression: Expression): boolean {
  return expression.kind === 'call' && expression.arguments.length >= 2;
}

/** Whether a following `.field` or `[index]` would be read as a part of the node. */
function isLoose(expression: Expression): boolean {
  return precedence(expression) > 0 || (isUnary(expression) && expression.macro === undefined);
}

/** Whether a sign before the node would become part of it: `-1` is a literal. */
function beginsWithNumberOrSign(expression: Expression): boolean {
  if (expression.macro !== undefined) {
    const { target } = expression.macro;
    return target !== undefined && !isLoose(target) && beginsWithNumberOrSign(target);
  }
  switch (expression.kind) {
    case 'literal':
      return isInt(expression.value) || doubleValue(expression.value) !== undefined;
    case 'select':
      return (
        !expression.test &&
        !isLoose(expression.operand) &&
        beginsWithNumberOrSign(expression.operand)
      );
    case 'call': {
      const first = isUnary(expression) ? expression : firstOperand(expression);
      return (
        first === expression ||
        (first !== undefined && !isLoose(first) && beginsWithNumberOrSign(first))
      );
    }
    default:
      return false;
  }
}

function firstOperand(expression: CallExpression): Expression | undefined {
  return accessors.has(expression.function) ? expression.arguments[0] : expression.target;
}

const plainField = /^[A-Za-z_][0-9A-Za-z_]*$/;
const keywords: ReadonlySet<string> = new Set(['in', 'true', 'false', 'null']);

function fieldText(name: string): string {
  return plainField.test(name) && !keywords.has(name) ? name : `\`${name}\``;
}

class Printer {
  text = '';
  readonly #width: number;
  readonly #wrapOn: ReadonlySet<string>;
  readonly #wrapBefore: boolean;
  readonly #bareCalls: boolean;
  // Bytes of the line so far.
  #lineLength = 0;

  constructor({
    width = 80,
    wrapOn = ['&&', '||'],
    wrapBefore = false,
    bareCalls = false,
  }: PrintOptions) {
    this.#width = width;
    this.#wrapOn = new Set(wrapOn);
    this.#wrapBefore = wrapBefore;
    this.#bareCalls = bareCalls;
  }

  print(expression: Expression): void {
    const { macro } = expression;
    if (macro !== undefined) {
      this.#functionCall(macro.name, macro.target, macro.arguments);
      return;
    }
    switch (expression.kind) {
      case 'literal':
        this.#write(literal(expression.value));
        break;
      case 'identifier':
        this.#write(expression.name);
        break;
      case 'select':
        this.#select(expression.operand, '.', expression.field, expression.test);
        break;
      case 'call':
        this.#call(expression);
        break;
      case 'list':
        this.#separated('[', expression.elements, ']', (element, index) => {
          this.#write(expression.optional.includes(index) ? '?' : '');
          this.print(element);
        });
        break;
      case 'map':
        this.#separated('{', expression.entries, '}', (entry) => this.#entry(entry));
        break;
      case 'struct':
        this.#write(expression.name);
        this.#separated('{', expression.fields, '}', (field) => this.#field(field));
        break;
      case 'comprehension':
        throw new TypeError('cannot print a comprehension that no macro created');
      default:
        throw new TypeError(
          `printExpression: expected the \`expression\` of a result of \`parseExpression\`, got ${describeValue(expression satisfies never)}`,
        );
    }
  }

  #call(expression: CallExpression): void {
    const { function: name, arguments: values } = expression;
    const [first, second, third] = values;
    const operator = binary.get(name);
    if (first === undefined) {
      this.#functionCall(name, expression.target, values);
    } else if (second === undefined) {
      this.#unaryOrFunction(expression, first);
    } else if (operator !== undefined) {
      this.#binary(name, operator, first, second);
    } else if (name === '_?_:_' && third !== undefined) {
      this.#nested(first, this.#isOperation(first) && isComplex(first));
      this.#operator('?', name.length);
      this.#nested(second, this.#isOperation(second) && isComplex(second));
      this.#write(' : ');
      this.#nested(third, this.#isOperation(third) && isComplex(third));
    } else if (name === '_[_]' || name === '_[?_]') {
      this.#nested(first, !this.#isTarget(first));
      this.#write(name === '_[_]' ? '[' : '[?');
      this.print(second);
      this.#write(']');
    } else if (name === '_?._' && second.kind === 'literal') {
      this.#select(first, '.?', String(second.value), false);
    } else {
      this.#functionCall(name, expression.target, values);
    }
  }

  #unaryOrFunction(expression: CallExpression, operand: Expression): void {
    const symbol = unary.get(expression.function);
    if (symbol === undefined) {
      this.#functionCall(expression.function, expression.target, expression.arguments);
      return;
    }
    this.#write(symbol);
    const isSigned = symbol === '-' ? beginsWithNumberOrSign(operand) : isUnary(operand);
    this.#nested(operand, (this.#isOperation(operand) && isComplex(operand)) || isSigned);
  }

  #binary(
    name: string,
    { symbol, precedence: own }: Operator,
    left: Expression,
    right: Expression,
  ): void {
    const isAssociative = name === '_&&_' || name === '_||_';
    const other = this.#isOperation(right) ? precedence(right) : 0;
    this.#nested(left, this.#isOperation(left) && precedence(left) > own);
    this.#operator(symbol, name.length);
    this.#nested(right, other > own || (!isAssociative && other === own));
  }

  #functionCall(name: string, target: Expression | undefined, values: readonly Expression[]): void {
    if (target !== undefined) {
      this.#nested(target, !this.#isTarget(target));
      this.#write('.');
    }
    this.#write(name);
    this.#separated('(', values, ')', (value) => this.print(value));
  }

  #select(operand: Expression, dot: string, field: string, test: boolean): void {
    this.#write(test ? 'has(' : '');
    this.#nested(operand, !this.#isTarget(operand));
    this.#write(`${dot}${fieldText(field)}${test ? ')' : ''}`);
  }

  #entry({ key, value, optional }: MapEntry): void {
    this.#write(optional ? '?' : '');
    this.print(key);
    this.#write(': ');
    this.print(value);
  }

  #field({ name, value, optional }: StructField): void {
    this.#write(`${optional ? '?' : ''}${fieldText(name)}: `);
    this.print(value);
  }

  #separated<T>(
    open: string,
    parts: readonly T[],
    close: string,
    print: (part: T, index: number) => void,
  ): void {
    this.#write(open);
    parts.forEach((part, index) => {
      this.#write(index === 0 ? '' : ', ');
      print(part, index);
    });
    this.#write(close);
  }

  /** Whether the node is written as an operation, or cel-go takes it for one. */
  #isOperation(expression: Expression): boolean {
    const isCall = expression.macro !== undefined || precedence(expression) === 0;
    return !(this.#bareCalls && isCall);
  }

  /** Whether `.field` and `[index]` can follow the node without parentheses. */
  #isTarget(expression: Expression): boolean {
    return !isLoose(expression) || (this.#bareCalls && expression.macro !== undefined);
  }

  #nested(expression: Expression, isNested: boolean): void {
    this.#write(isNested ? '(' : '');
    this.print(expression);
    this.#write(isNested ? ')' : '');
  }

  /** An operator with blanks, or a line end in place of one where the line is full. */
  #operator(symbol: string, nameLength: number): void {
    if (!this.#wrapOn.has(symbol) || this.#lineLength + nameLength < this.#width) {
      this.#write(` ${symbol} `);
      return;
    }
    // cel-go counts a line from the end of the one before, operator included.
    this.#lineLength = 0;
    this.#write(this.#wrapBefore ? `\n${symbol} ` : ` ${symbol}\n`);
  }

  #write(text: string): void {
    this.text += text;
    this.#lineLength += byteLength(text);
  }
}

function literal(value: Value): string {
  const double = doubleValue(value);
  if (double !== undefined) {
    const text = formatFloat64(double);
    return /[.e]/.test(text) ? text : `${text}.0`;
  }
  if (typeof value === 'string') return quote(value);
  if (value instanceof Uint8Array) {
    const octets = [...value].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`);
    return `b"${octets.join('')}"`;
  }
  if (value instanceof Optional && value.value !== undefined) {
    return `optional.of(${literal(value.value)})`;
  }
  return formatLiteral(value);
}
