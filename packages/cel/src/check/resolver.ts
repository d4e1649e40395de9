import {
  type CheckedExpression,
  qualifiedName,
  type Reference,
} from '../declarations/checked-expression.ts';
import type { FunctionDeclaration, Overload } from '../declarations/function-declaration.ts';
import { type CallExpression, childrenOf, type Expression } from '../syntax/expression.ts';
import type { Source } from '../syntax/source.ts';
import { dynType } from '../values/types.ts';
import { CelError } from '../values/value.ts';
import {
  candidateNames,
  type Declarations,
  findFunction,
  findGlobal,
  findLocal,
  type Scope,
} from './scope.ts';

/**
 * Resolves the names of a tree without its types, as cel-go does for a tree that is evaluated
 * unchecked: overloads are then chosen by the values of the arguments, and undeclared names
 * fail only when they are evaluated.
 */
export function resolve(
  source: Source,
  expression: Expression,
  declarations: Declarations,
): CheckedExpression {
  const resolver = new Resolver(declarations);
  resolver.visit(expression);
  return { source, expression, types: [], references: resolver.references };
}

class Resolver {
  readonly references: (Reference | undefined)[] = [];
  readonly #declarations: Declarations;
  #scope: Scope | undefined;

  constructor(declarations: Declarations) {
    this.#declarations = declarations;
  }

  visit(expression: Expression): void {
    switch (expression.kind) {
      case 'identifier':
        this.references[expression.id] =
          this.#name(expression.name) ?? unknownVariable(expression.name);
        return;
      case 'select': {
        const name = qualifiedName(expression);
        const found = name === undefined ? undefined : this.#name(name);
        if (found !== undefined) {
          this.references[expression.id] = found;
          return;
        }
        break;
      }
      case 'call':
        if (this.#call(expression)) {
          this.#visitAll(expression.arguments);
          return;
        }
        break;
      case 'struct':
        this.references[expression.id] = {
          kind: 'struct',
          name: this.#structName(expression.name),
        };
        break;
      case 'comprehension': {
        this.visit(expression.range);
        this.visit(expression.initial);
        const outer = this.#scope;
        const { accumulator, variable, secondVariable = variable } = expression;
        const withAccumulator = { outer, name: accumulator, type: dynType };
        const first = { outer: withAccumulator, name: variable, type: dynType };
        this.#scope = { outer: first, name: secondVariable, type: dynType };
        this.visit(expression.condition);
        this.visit(expression.step);
        this.#scope = withAccumulator;
        this.visit(expression.result);
        this.#scope = outer;
        return;
      }
      default:
        break;
    }
    this.#visitAll(childrenOf(expression));
  }

  #visitAll(expressions: readonly Expression[]): void {
    for (const expression of expressions) this.visit(expression);
  }

  #name(name: string): Reference | undefined {
    const rooted = name.startsWith('.');
    const [first = ''] = (rooted ? name.slice(1) : name).split('.', 1);
    const local = findLocal(this.#scope, first) !== undefined;
    if (local && !rooted) {
      return name === first ? { kind: 'variable', name, root: false } : undefined;
    }
    return findGlobal(this.#declarations, name, local)?.reference;
  }

  /** Whether the receiver of the call is part of the function's name. */
  #call(expression: CallExpression): boolean {
    const { target } = expression;
    const prefix = target && qualifiedName(target);
    const qualified =
      prefix === undefined
        ? undefined
        : findFunction(this.#declarations, `${prefix}.${expression.function}`);
    const declaration =
      qualified ??
      findFunction(this.#declarations, expression.function) ??
      unknownFunction(expression.function);
    const member = target !== undefined && qualified === undefined;
    const count = expression.arguments.length + (member ? 1 : 0);
    this.references[expression.id] = {
      kind: 'function',
      declaration,
      overloads: declaration.overloads.filter(
        (overload: Overload) =>
          (overload.member ?? false) === member && overload.parameters.length === count,
      ),
      qualified: qualified !== undefined,
    };
    return qualified !== undefined;
  }

  #structName(name: string): string {
    const candidates = candidateNames(this.#declarations.container, name);
    return candidates.find((candidate) => this.#declarations.hasStruct(candidate)) ?? name;
  }
}

function unknownVariable(name: string): Reference {
  return { kind: 'variable', name: name.replace(/^\./, ''), root: name.startsWith('.') };
}

function unknownFunction(name: string): FunctionDeclaration {
  return {
    name,
    overloads: [],
    singleton: () => new CelError(`no such overload: ${name}`),
  };
}
