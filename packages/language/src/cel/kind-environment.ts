import type { GroupVersionKind } from '@kubeadmit/apimachinery';
import type { StructProvider, Type } from '@kubeadmit/cel';
import { childrenOf, type Expression } from '@kubeadmit/cel/syntax';
import { dynType, intType } from '@kubeadmit/cel/types';
import type { CheckResult, ValueEnvironment } from '@kubeadmit/cel/unstable-internal';
import { joinStructs } from '@kubeadmit/engine/environment';
import type { FieldTypes } from '../fields/field-types.ts';
import { type Dialect, variablesTypeName } from './dialect.ts';

/** The names in a policy's expressions for objects of one kind. */
export interface EnvironmentOptions {
  readonly dialect: Dialect;
  readonly types: FieldTypes;
  /** The kind of the objects; none where nothing is known of them. */
  readonly kind: GroupVersionKind | undefined;
  /** The types of the names that depend on it: `object`, `params`, `self`. */
  readonly variables: Readonly<Record<string, Type>>;
}

/** The environment of a policy's expressions for objects of one kind, with the types that its variables have. */
export class KindEnvironment {
  readonly kind: GroupVersionKind | undefined;
  readonly environment: ValueEnvironment;
  readonly names: ReadonlyMap<string, Type>;
  readonly #variables: Map<string, Type> = new Map();

  constructor({ dialect, types, kind, variables: own }: EnvironmentOptions) {
    this.kind = kind;
    const declared: StructProvider = {
      has: (name) => name === variablesTypeName,
      fieldType: (_name, field) => this.#variables.get(field),
    };
    const variables = { ...own, ...dialect.variables, ...own };
    this.names = new Map(Object.entries(variables));
    this.environment = dialect.base.extend({
      structs: joinStructs(declared, types, ...dialect.structs),
      variables,
    });
  }

  /** Declares a variable of the policy. */
  declare(name: string, type: Type): void {
    this.#variables.set(name, type);
  }

  get variables(): ReadonlyMap<string, Type> {
    return this.#variables;
  }

  /** Reads a text and finds the types in it, also where some of it is wrong; `undefined` where it does not parse. */
  check(text: string): CheckResult | undefined {
    const { source, expression } = this.environment.parse(text);
    return expression === undefined ? undefined : this.environment.check(source, expression);
  }

  /** The type of a text; `dyn` where it has none. */
  typeOf(text: string): Type {
    const found = this.check(text);
    const type = found?.types[found.expression.id] ?? dynType;
    return type.kind === 'error' ? dynType : type;
  }
}

/** A variable of a loop or of `cel.bind`, with its value. */
export interface LocalVariable {
  readonly name: string;
  readonly type: Type;
}

/** The variables of the loops around a node, innermost first. */
export function localsAt(
  checked: CheckResult,
  isSought: (node: Expression) => boolean,
): readonly LocalVariable[] | undefined {
  const search = (
    node: Expression,
    locals: readonly LocalVariable[],
  ): readonly LocalVariable[] | undefined => {
    if (isSought(node)) return locals;
    for (const [child, inner] of childrenWithLocals(checked, node, locals)) {
      const found = search(child, inner);
      if (found !== undefined) return found;
    }
    return undefined;
  };
  return search(checked.expression, []);
}

/** The children of a node, each with the local variables that it can use. */
export function childrenWithLocals(
  checked: CheckResult,
  node: Expression,
  locals: readonly LocalVariable[],
): readonly (readonly [Expression, readonly LocalVariable[]])[] {
  if (node.kind !== 'comprehension') return childrenOf(node).map((child) => [child, locals]);
  const inner = [...loopVariables(checked, node), ...locals];
  const { range, initial, condition, step, result } = node;
  return [
    [range, locals],
    [initial, locals],
    [condition, inner],
    [step, inner],
    [result, inner],
  ];
}

function loopVariables(
  { types }: CheckResult,
  node: Extract<Expression, { kind: 'comprehension' }>,
): readonly LocalVariable[] {
  if (node.macro?.name === 'bind') {
    return [{ name: node.accumulator, type: types[node.initial.id] ?? dynType }];
  }
  const range = types[node.range.id] ?? dynType;
  const [first = dynType, second = dynType] = range.parameters;
  const isList = range.kind === 'list';
  const isMap = range.kind === 'map';
  if (node.secondVariable === undefined) {
    return [{ name: node.variable, type: isList || isMap ? first : dynType }];
  }
  const index = isList ? intType : first;
  return [
    { name: node.variable, type: isMap ? first : index },
    { name: node.secondVariable, type: isList ? first : isMap ? second : dynType },
  ];
}
