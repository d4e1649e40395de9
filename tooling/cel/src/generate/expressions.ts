import type { Type } from '@kubeadmit/cel';
import {
  boolType,
  bytesType,
  doubleType,
  durationType,
  dynType,
  intType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  optionalOf,
  stringType,
  structType,
  timestampType,
  typeType,
  uintType,
} from '@kubeadmit/cel/types';
import type { Random } from '@kubeadmit/random';
import { elementOf, leaf, texts, textsOf } from './leaves.ts';
import { type Local, writeMacro } from './macros.ts';
import { type Signature, signatures, signaturesFor, substitute, unify } from './signatures.ts';
import type { World } from './world.ts';

const simpleTypes: readonly Type[] = [
  ...[boolType, intType, uintType, doubleType, stringType, bytesType, timestampType, durationType],
  ...[nullType, typeType, opaqueType('net.IP'), opaqueType('net.CIDR')],
  ...['Quantity', 'URL', 'Semver'].map((name) => structType(`kubernetes.${name}`)),
];

const frequentTypes: readonly Type[] = [
  ...[boolType, boolType, boolType, intType, intType, stringType, stringType, doubleType],
  ...[listOf(intType), listOf(stringType), mapOf(stringType, intType), listOf(dynType)],
];

/** Writes random expressions of wanted types over the variables of a world. */
export class ExpressionWriter {
  readonly random: Random;
  readonly #world: World;
  readonly #locals: Local[] = [];
  #left: number;

  constructor(random: Random, world: World, most: number) {
    this.random = random;
    this.#world = world;
    this.#left = most;
  }

  /** Any type, frequent ones more often. */
  anyType(): Type {
    const { random } = this;
    const choice = random.below(20);
    if (choice < 8) return random.pick(frequentTypes);
    if (choice < 16) return random.pick(simpleTypes);
    if (choice === 16) return listOf(random.pick(simpleTypes));
    if (choice === 17) {
      return mapOf(random.pick([stringType, intType, boolType, uintType]), this.anyType());
    }
    return choice === 18 ? optionalOf(this.anyType()) : listOf(this.anyType());
  }

  /** An expression that is likely to be of the type. */
  write(wanted: Type, depth: number): string {
    const { random } = this;
    const type = wanted.kind === 'dyn' || wanted.kind === 'param' ? this.anyType() : wanted;
    this.#left--;
    if (random.chance(0.012)) return this.write(this.anyType(), depth - 1);
    if (this.#locals.length > 0 && random.chance(0.3)) return this.#local(type);
    if (random.chance(0.12)) return this.#path(type);
    if (depth <= 0 || this.#left <= 0) return this.#end(type);
    const choice = random.below(100);
    if (choice < 5) {
      return `${this.operand(boolType, depth)} ? ${this.operand(type, depth)} : ${this.write(type, depth - 1)}`;
    }
    if (choice < 8) return `dyn(${this.write(type, depth - 1)})`;
    if (choice < 12) return this.#unwrapped(type, depth);
    if (choice < 15) {
      const key = random.chance(0.9) ? intType : this.anyType();
      return `${this.operand(listOf(type), depth)}[${this.write(key, depth - 1)}]`;
    }
    if (choice < 17) {
      const key = random.chance(0.9) ? random.pick([stringType, intType]) : this.anyType();
      return `${this.operand(mapOf(key, type), depth)}[${this.write(key, depth - 1)}]`;
    }
    if (choice < 45) {
      const macro = writeMacro(this, type, depth);
      if (macro !== undefined) return macro;
    }
    if (type.kind === 'list' && random.chance(0.5)) return this.#list(elementOf(type), depth);
    if (type.kind === 'map' && random.chance(0.8)) return this.#map(type, depth);
    if (type.name === 'optional_type' && random.chance(0.5)) return this.#optional(type, depth);
    return random.chance(0.12) ? this.#end(type) : this.#call(type, depth);
  }

  /** An expression that binds as tightly as a member expression. */
  operand(type: Type, depth: number): string {
    const text = this.write(type, depth - 1);
    return /^(?:[\w."'`]+|[\w.]*\([^()]*\)|\[[^[\]]*\])$/.test(text) || this.random.chance(0.02)
      ? text
      : `(${text})`;
  }

  /** A body in which the names stand for values of the types. */
  within(locals: readonly Local[], body: () => string): string {
    this.#locals.push(...locals);
    const text = body();
    this.#locals.length -= locals.length;
    return text;
  }

  #local(type: Type): string {
    const fitting = this.#locals.filter(
      (local) => local.type.kind === type.kind || local.type.kind === 'dyn',
    );
    const from = fitting.length > 0 && this.random.chance(0.8) ? fitting : this.#locals;
    const { name } = this.random.pick(from);
    return this.random.chance(0.02) ? `.${name}` : name;
  }

  #path(type: Type): string {
    const { random } = this;
    const world = this.#world;
    const fitting = world.paths.filter(({ kind }) => kind === type.kind);
    return random.pick(fitting.length > 0 && random.chance(0.85) ? fitting : world.paths).text;
  }

  #end(type: Type): string {
    return this.random.chance(0.3) ? this.#path(type) : leaf(this.random, type);
  }

  #unwrapped(type: Type, depth: number): string {
    const optional = this.operand(optionalOf(type), depth);
    return this.random.chance(0.7)
      ? `${optional}.orValue(${this.write(type, depth - 1)})`
      : `${optional}.value()`;
  }

  #list(element: Type, depth: number): string {
    const { random } = this;
    const isSame = random.chance(0.96);
    const own = element.kind === 'dyn' ? this.anyType() : element;
    const elements = Array.from({ length: random.below(4) }, () => {
      const type = isSame ? own : this.anyType();
      return random.chance(0.06)
        ? `?${this.write(random.chance(0.9) ? optionalOf(type) : type, depth - 1)}`
        : this.write(type, depth - 1);
    });
    return `[${elements.join(', ')}${random.chance(0.01) ? ',' : ''}]`;
  }

  #map(type: Type, depth: number): string {
    const { random } = this;
    const entries = Array.from({ length: random.below(4) }, () => {
      const key = this.write(elementOf(type), depth - 2);
      const value = elementOf(type, 1);
      return random.chance(0.06)
        ? `?${key}: ${this.write(optionalOf(value), depth - 1)}`
        : `${key}: ${this.write(value, depth - 1)}`;
    });
    return `{${entries.join(', ')}${random.chance(0.01) ? ',' : ''}}`;
  }

  #optional(type: Type, depth: number): string {
    const { random } = this;
    const inner = elementOf(type);
    switch (random.below(4)) {
      case 0:
        return `${this.operand(mapOf(stringType, inner), depth)}.${random.pick(['?a', '?zz', '?k1', '?a.b'])}`;
      case 1:
        return `${this.operand(mapOf(stringType, inner), depth)}[?${this.write(stringType, depth - 1)}]`;
      case 2:
        return `${this.operand(listOf(inner), depth)}[?${this.write(intType, depth - 1)}]`;
      default:
        return `optional.ofNonZeroValue(${this.write(inner, depth - 1)})`;
    }
  }

  /** A call of a function that can have a result of the type, or now and then of any. */
  #call(type: Type, depth: number): string {
    const { random } = this;
    const fitting = random.chance(0.95) ? signaturesFor(type) : signatures;
    if (fitting.length === 0) return this.#end(type);
    const signature = random.pick(fitting);
    const bound = new Map<string, Type>();
    unify(signature.result, type, bound);
    const variable = (name: string): Type => {
      const known = bound.get(name) ?? this.anyType();
      bound.set(name, known);
      return known;
    };
    const parameters = signature.parameters.map((parameter) => {
      const isOther = parameter.kind === 'param' && random.chance(0.1);
      return isOther || random.chance(0.012) ? this.anyType() : substitute(parameter, variable);
    });
    return this.#callText(signature, parameters, depth);
  }

  #callText({ name, member }: Signature, parameters: readonly Type[], depth: number): string {
    const operator = operators[name];
    if (operator !== undefined) {
      return operator(parameters.map((parameter) => this.operand(parameter, depth)));
    }
    const [first, ...rest] = parameters;
    const values = (member ? rest : parameters).map((parameter) =>
      this.#argument(name, parameter, depth),
    );
    if (this.random.chance(0.004)) values.push(this.write(dynType, 0));
    if (!member || first === undefined) {
      return `${this.random.chance(0.01) ? '.' : ''}${name}(${values.join(', ')})`;
    }
    const hint = name === 'format' ? this.#argument(name, first, depth) : undefined;
    return `${hint ?? this.operand(first, depth)}.${name}(${values.join(', ')})`;
  }

  #argument(name: string, type: Type, depth: number): string {
    const { random } = this;
    const kind = Object.hasOwn(textsOf, name)
      ? textsOf[name]
      : name.startsWith('get')
        ? 'zone'
        : '';
    const hints = texts[kind ?? ''];
    if (hints !== undefined && type.kind === 'string' && random.chance(0.75)) {
      const text = random.pick(hints);
      return random.chance(0.1) ? `(${text} + ${this.write(stringType, 0)})` : text;
    }
    if (name === 'format' && type.kind === 'list') {
      const count = random.pick([1, 1, 1, 2, 3]);
      return `[${Array.from({ length: count }, () => this.write(dynType, depth - 1)).join(', ')}]`;
    }
    if (name === 'lists.range') return random.pick(['0', '1', '3', '5', '-1', 'object.i', '11']);
    return this.write(type, depth - 1);
  }
}

const infix = (name: string) => (values: readonly string[]) => values.join(` ${name} `);

const operators: Readonly<Record<string, (values: readonly string[]) => string>> = {
  ...Object.fromEntries(
    ['+', '-', '*', '/', '%', '==', '!=', '<', '<=', '>', '>=', '&&', '||'].map((name) => [
      `_${name}_`,
      infix(name),
    ]),
  ),
  '@in': infix('in'),
  '!_': ([value = '']) => `!${value}`,
  '-_': ([value = '']) => `-${value}`,
  '_?_:_': ([condition = '', whenTrue = '', whenFalse = '']) =>
    `${condition} ? ${whenTrue} : ${whenFalse}`,
  '_[_]': ([value = '', index = '']) => `${value}[${index}]`,
  '_[?_]': ([value = '', index = '']) => `${value}[?${index}]`,
  '_?._': ([value = '']) => `${value}.?a`,
};
