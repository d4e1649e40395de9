import {
  dynType,
  isDynamic,
  isSameType,
  listOf,
  mapOf,
  nullType,
  opaqueType,
  Type,
  typeOfType,
} from '../values/types.ts';

/**
 * The known bindings of an expression's type variables; grows while checking.
 *
 * A failed attempt leaves no trace. Follows cel-go's `checker/types.go`.
 */
export class Substitution {
  readonly #bound = new Map<string, Type>();
  readonly #undo: { readonly name: string; readonly before: Type | undefined }[] = [];
  #variables = 0;

  /** A type variable that stands for nothing yet. */
  fresh(): Type {
    const number = this.#variables++;
    if (number >= mostCommonVariables) return typeVariable(number);
    commonVariables[number] ??= typeVariable(number);
    return commonVariables[number];
  }

  /** Whether `from` is assignable to `to`. If so, the substitutions that this required are kept. */
  assign(to: Type, from: Type): boolean {
    return this.#isAssignable(to, from) ? this.#keep() : this.#takeBack();
  }

  /** The same for lists of types, pair by pair. */
  assignAll(to: readonly Type[], from: readonly Type[]): boolean {
    return this.#areAssignable(to, from) ? this.#keep() : this.#takeBack();
  }

  /** A type with all that is known put in for its variables; with `dyn` for the rest if `close`. */
  apply(type: Type, close: boolean): Type {
    if (type.kind === 'param') {
      const found = this.#bound.get(type.name);
      if (found !== undefined) return this.apply(found, close);
      return close ? dynType : type;
    }
    return type.parameters.length === 0
      ? type
      : rebuild(type, (parameter) => this.apply(parameter, close));
  }

  #keep(): true {
    if (this.#undo.length > 0) this.#undo.length = 0;
    return true;
  }

  #takeBack(): false {
    for (let last = this.#undo.pop(); last !== undefined; last = this.#undo.pop()) {
      if (last.before === undefined) {
        this.#bound.delete(last.name);
      } else {
        this.#bound.set(last.name, last.before);
      }
    }
    return false;
  }

  #bind(variable: Type, type: Type): void {
    this.#undo.push({ name: variable.name, before: this.#bound.get(variable.name) });
    this.#bound.set(variable.name, type);
  }

  #areAssignable(left: readonly Type[], right: readonly Type[]): boolean {
    if (left.length !== right.length) return false;
    for (let index = 0; index < left.length; index++) {
      if (!this.#isAssignable(left[index] as Type, right[index] as Type)) return false;
    }
    return true;
  }

  #isAssignable(left: Type, right: Type): boolean {
    if (right.kind === 'param') {
      const isValid = this.#substitute(left, right);
      if (isValid !== undefined) return isValid;
    }
    if (left.kind === 'param') return this.#substitute(right, left) === true;
    if (isWildcard(left) || isWildcard(right)) return true;
    if (left.kind === 'null') return isNullable(right);
    if (right.kind === 'null') return isNullable(left);
    switch (left.kind) {
      case 'type':
        return right.kind === 'type';
      case 'opaque':
      case 'list':
      case 'map':
        return (
          left.kind === right.kind &&
          left.name === right.name &&
          this.#areAssignable(left.parameters, right.parameters)
        );
      default:
        return left.kind === right.kind && left.name === right.name;
    }
  }

  /** Whether `type` may stand for `variable`; `undefined` where it may not though nothing stood for it before. */
  #substitute(type: Type, variable: Type): boolean | undefined {
    if (type.kind === 'param' && type.name === variable.name) return true;
    const current = this.#bound.get(variable.name);
    if (current !== undefined) {
      if (isSameType(type, current)) return true;
      if (!this.#isAssignable(type, current)) return false;
      const general = mostGeneral(type, current);
      if (!this.#occursIn(variable, general)) this.#bind(variable, general);
      return true;
    }
    if (this.#occursIn(variable, type)) return undefined;
    this.#bind(variable, type);
    return true;
  }

  #occursIn(variable: Type, type: Type): boolean {
    if (type.kind === 'param') {
      if (type.name === variable.name) return true;
      const current = this.#bound.get(type.name);
      return current !== undefined && this.#occursIn(variable, current);
    }
    return type.parameters.some((parameter) => this.#occursIn(variable, parameter));
  }
}

function typeVariable(number: number): Type {
  return new Type('param', `_var${number}`);
}

// The first variables of all expressions, made once.
const commonVariables: Type[] = [];
const mostCommonVariables = 100;

/** Replaces the parameters of a type. */
export function rebuild(type: Type, replace: (parameter: Type) => Type): Type {
  const parameters = type.parameters.map(replace);
  if (parameters.every((parameter, index) => parameter === type.parameters[index])) return type;
  const [first = dynType, second = dynType] = parameters;
  switch (type.kind) {
    case 'list':
      return listOf(first);
    case 'map':
      return mapOf(first, second);
    case 'type':
      return typeOfType(first);
    default:
      return opaqueType(type.name, parameters);
  }
}

/** The one of two types, known to unify, that says less. */
export function mostGeneral(left: Type, right: Type): Type {
  return isNoMoreSpecific(left, right) ? left : right;
}

function isNoMoreSpecific(left: Type, right: Type): boolean {
  if (isDynamic(left) || left.kind === 'param') return true;
  if (isDynamic(right) || right.kind === 'param' || left.kind !== right.kind) return false;
  switch (left.kind) {
    case 'opaque':
    case 'list':
    case 'map':
      return (
        left.name === right.name &&
        left.parameters.length === right.parameters.length &&
        left.parameters.every((parameter, index) =>
          isNoMoreSpecific(parameter, right.parameters[index] ?? dynType),
        )
      );
    case 'type':
      return true;
    default:
      return isSameType(left, right);
  }
}

function isWildcard(type: Type): boolean {
  return isDynamic(type) || type.kind === 'error';
}

function isNullable(type: Type): boolean {
  switch (type.kind) {
    case 'opaque':
    case 'struct':
    case 'duration':
    case 'timestamp':
      return true;
    default:
      return type.nullable || type.kind === nullType.kind;
  }
}
