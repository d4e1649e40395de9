import { isReservedWord } from '../syntax/reserved-words.ts';
import { beforeStart, type IssuePosition, nowhere } from './issue.ts';
import { LimitExceeded, parserLimits } from './limits.ts';
import { literalProblem } from './literals.ts';
import { macros } from './macro.ts';
import type { ExpressionForm, ParsedExpression } from './parsed-expression.ts';
import type { TreeNode } from './syntax-tree.ts';
import { tokenKind as kind, type Token } from './token.ts';

/** Which extensions of the syntax are switched on. */
export interface SyntaxExtensions {
  readonly optionalSyntax: boolean;
  readonly escapedIdentifiers: boolean;
  readonly hasMacro: (signature: string) => boolean;
}

/** Skips nodes that only pass on their single part, as cel-go's `unnest` does. */
function innermost(outer: TreeNode | undefined): TreeNode | undefined {
  let node = outer;
  while (node !== undefined) {
    const part = onlyPart(node);
    if (part === 'none') return node;
    node = part;
  }
  return node;
}

function onlyPart(node: TreeNode): TreeNode | undefined | 'none' {
  switch (node.rule) {
    case 'expression':
      return node.tokens(kind.questionMark).length > 0 ? 'none' : node.nodes('or')[0];
    case 'or':
      return node.tokens(kind.or).length > 0 ? 'none' : node.nodes('and')[0];
    case 'and':
      return node.tokens(kind.and).length > 0 ? 'none' : node.nodes('relation')[0];
    case 'relation':
      return node.leaves().length > 0 ? 'none' : node.nodes('calculation')[0];
    case 'calculation':
      return node.leaves().length > 0 ? 'none' : node.nodes('unary')[0];
    case 'unary':
      return node.alternative === 1 ? node.nodes('member')[0] : 'none';
    case 'member':
      return node.alternative === 0 ? node.nodes('primary')[0] : 'none';
    case 'primary':
      if (node.alternative === 3) return node.nodes('expression')[0];
      return node.alternative === 7 ? node.nodes('literal')[0] : 'none';
    default:
      return 'none';
  }
}

/**
 * Reads a parsed tree, complete or not, for errors outside of the grammar: values of
 * literals, reserved names, arguments of macros, depth (cel-go parser/parser.go, in its order).
 */
export class TreeReader {
  readonly #extensions: SyntaxExtensions;
  readonly #report: (message: string, position: IssuePosition) => void;
  #depth = 0;

  constructor(
    extensions: SyntaxExtensions,
    report: (message: string, position: IssuePosition) => void,
  ) {
    this.#extensions = extensions;
    this.#report = report;
  }

  /** Reads an expression; throws LimitExceeded where it is nested too deeply. */
  read(outer: TreeNode | undefined): ParsedExpression {
    const node = innermost(outer);
    if (node === undefined) return unspecified(beforeStart);
    switch (node.rule) {
      case 'expression':
        return this.#deeper(() => this.#conditional(node));
      case 'or':
        return this.#logical(node, 'and', '||');
      case 'and':
        return this.#logical(node, 'relation', '&&');
      case 'relation':
      case 'calculation':
        return this.#deeper(() => this.#binary(node));
      case 'unary':
        return this.#unary(node);
      case 'member':
        return this.#deeper(() => this.#member(node));
      case 'primary':
        return this.#primary(node);
      case 'literal':
        return this.#literal(node);
      default:
        return unspecified(beforeStart);
    }
  }

  #deeper(read: () => ParsedExpression): ParsedExpression {
    this.#depth += 1;
    if (this.#depth > parserLimits.expressionDepth) {
      throw new LimitExceeded('max recursion depth exceeded');
    }
    const result = read();
    this.#depth -= 1;
    return result;
  }

  #error(message: string, position: IssuePosition): ParsedExpression {
    this.#report(message, position);
    return unspecified(position);
  }

  #conditional(node: TreeNode): ParsedExpression {
    const [condition, then] = node.nodes('or');
    this.read(condition);
    this.read(then);
    this.read(node.nodes('expression')[0]);
    return expression('call', node.tokens(kind.questionMark)[0]);
  }

  #logical(node: TreeNode, operand: 'and' | 'relation', operator: string): ParsedExpression {
    const [first, ...rest] = node.nodes(operand);
    const operators = node.leaves();
    this.read(first);
    for (const index of operators.keys()) {
      const next = rest[index];
      if (next === undefined) {
        return this.#error(`unexpected character, wanted '${operator}'`, node.start);
      }
      this.read(next);
    }
    return expression('call', operators[Math.floor(operators.length / 2)]);
  }

  #binary(node: TreeNode): ParsedExpression {
    const [left, right] = node.nodes(node.rule);
    this.read(left);
    this.read(right);
    return expression('call', node.leaves()[0]);
  }

  #unary(node: TreeNode): ParsedExpression {
    if (node.alternative === 0) return expression('other', node.start);
    const operators = node.leaves();
    const operand = this.read(node.nodes('member')[0]);
    return operators.length % 2 === 0 ? operand : expression('call', operators[0]);
  }

  #member(node: TreeNode): ParsedExpression {
    const operand = this.read(node.nodes('member')[0]);
    const [dot] = node.tokens(kind.dot);
    if (node.alternative === 2) return this.#select(node, dot);
    if (node.alternative === 3) {
      const [name] = node.tokens(kind.identifier);
      if (name === undefined) return unspecified(node.start);
      const values = this.#arguments(node);
      const [opening] = node.tokens(kind.leftParenthesis);
      return this.#call(name.text, opening, values, operand);
    }
    const [opening] = node.tokens(kind.leftBracket);
    if (opening === undefined) return unspecified(node.start);
    this.read(node.nodes('expression')[0]);
    if (node.tokens(kind.questionMark).length > 0 && !this.#extensions.optionalSyntax) {
      return this.#error("unsupported syntax '[?'", opening);
    }
    return expression('call', opening);
  }

  #select(node: TreeNode, dot: Token | undefined): ParsedExpression {
    const [name] = node.nodes('name');
    if (name === undefined || dot === undefined) return unspecified(node.start);
    const problem = this.#nameProblem(name);
    if (problem !== undefined) this.#report(problem, name.start);
    if (node.tokens(kind.questionMark).length === 0) return expression('select', dot);
    return this.#extensions.optionalSyntax
      ? expression('call', dot)
      : this.#error("unsupported syntax '.?'", dot);
  }

  #nameProblem(name: TreeNode | undefined): string | undefined {
    if (name?.alternative === 1) return undefined;
    if (name?.alternative !== 2) return 'unsupported ident kind';
    return this.#extensions.escapedIdentifiers ? undefined : "unsupported syntax: '`'";
  }

  #primary(node: TreeNode): ParsedExpression {
    switch (node.alternative) {
      case 1:
      case 2:
        return this.#named(node);
      case 4:
        return this.#list(node);
      case 5:
        this.#map(node.nodes('mapItems')[0]);
        return expression('other', node.tokens(kind.leftBrace)[0]);
      case 6:
        this.#message(node.nodes('fieldItems')[0]);
        return expression('other', node.tokens(kind.leftBrace)[0]);
      default:
        return unspecified(beforeStart);
    }
  }

  #named(node: TreeNode): ParsedExpression {
    const [name] = node.tokens(kind.identifier);
    if (name === undefined) return unspecified(node.start);
    if (isReservedWord(name.text)) {
      return this.#error(`reserved identifier: ${name.text}`, node.start);
    }
    const fullName = node.tokens(kind.dot).length > 0 ? `.${name.text}` : name.text;
    if (node.alternative === 1) return { form: 'identifier', name: fullName, position: name };
    const values = this.#arguments(node);
    return this.#call(fullName, node.tokens(kind.leftParenthesis)[0], values);
  }

  #arguments(node: TreeNode): readonly ParsedExpression[] {
    const [list] = node.nodes('arguments');
    return list?.nodes('expression').map((value) => this.read(value)) ?? [];
  }

  #call(
    name: string,
    opening: Token | undefined,
    values: readonly ParsedExpression[],
    target?: ParsedExpression,
  ): ParsedExpression {
    const signature = `${target === undefined ? '' : '.'}${name}(${values.length})`;
    const macro = Object.hasOwn(macros, signature) ? macros[signature] : undefined;
    // A leading dot names a function outside of macros: `.has(a.b)` calls a function.
    const rooted = target === undefined && name.startsWith('.');
    if (rooted || macro === undefined || !this.#extensions.hasMacro(signature)) {
      return expression('call', opening);
    }
    const result = macro({ target, arguments: values });
    return 'message' in result
      ? this.#error(result.message, result.position)
      : expression(result.form, opening);
  }

  #list(node: TreeNode): ParsedExpression {
    for (const item of node.nodes('listItems')[0]?.nodes('item') ?? []) {
      this.read(item.nodes('expression')[0]);
      const [mark] = item.tokens(kind.questionMark);
      if (mark !== undefined && !this.#extensions.optionalSyntax) {
        this.#report("unsupported syntax '?'", mark);
      }
    }
    return expression('list', node.tokens(kind.leftBracket)[0]);
  }

  #map(entries: TreeNode | undefined): void {
    const keys = entries?.nodes('item') ?? [];
    const values = entries?.nodes('expression') ?? [];
    const colons = entries?.tokens(kind.colon) ?? [];
    for (const index of colons.keys()) {
      const key = keys[index];
      const value = values[index];
      if (key === undefined || value === undefined) return;
      if (this.#isUnsupportedOptional(key)) continue;
      this.read(key.nodes('expression')[0]);
      this.read(value);
    }
  }

  #message(entries: TreeNode | undefined): void {
    if (entries === undefined) return;
    const values = entries.nodes('expression');
    const colons = entries.tokens(kind.colon);
    for (const [index, field] of entries.nodes('fieldName').entries()) {
      const value = values[index];
      if (colons[index] === undefined || value === undefined) return;
      if (this.#isUnsupportedOptional(field)) continue;
      const problem = this.#nameProblem(field.nodes('name')[0]);
      if (problem !== undefined) {
        this.#report(problem, entries.start);
        continue;
      }
      this.read(value);
    }
  }

  #isUnsupportedOptional(entry: TreeNode): boolean {
    const unsupported =
      entry.tokens(kind.questionMark).length > 0 && !this.#extensions.optionalSyntax;
    if (unsupported) this.#report("unsupported syntax '?'", entry.start);
    return unsupported;
  }

  #literal(node: TreeNode): ParsedExpression {
    if (node.alternative === 0) return unspecified(beforeStart);
    const negative = node.tokens(kind.minus).length > 0;
    const token = node.leaves().at(-1);
    const problem = token === undefined ? undefined : literalProblem(token, negative);
    return problem === undefined
      ? expression('other', node.start)
      : this.#error(problem, node.start);
  }
}

function expression(form: ExpressionForm, position: IssuePosition | undefined): ParsedExpression {
  return { form, position: position ?? nowhere };
}

function unspecified(position: IssuePosition): ParsedExpression {
  return { form: 'unspecified', position: position.line < 1 ? beforeStart : position };
}
