import { tooLong } from './concat-list.ts';
import { equal, listContains } from './equal.ts';
import { isList, isPlainObject } from './kind.ts';
import { Lister } from './lister.ts';
import { CelMap } from './map.ts';
import { isEmptyObject } from './maps.ts';
import { noOverload } from './no-overload.ts';
import type { CelError, Value } from './value.ts';

// In cel-go, a loop that begins with an empty list or map, and a variable that contains one, use a growing one: all
// readers see added elements (interpreter/interpretable.go, `folder`).

const mostElements = 2 ** 22;

/** A list to which `+` adds. */
class MutableList extends Lister {
  // Not a property that those who see an array would find.
  readonly #owner: number;

  /** @param owner the slot of the variable that it is the first value of */
  constructor(owner: number) {
    super();
    this.#owner = owner;
  }

  /** Whether it was the first value of the variable with the slot. */
  belongsTo(owner: number): boolean {
    return this.#owner === owner;
  }

  override get goType(): string {
    return '*types.mutableList';
  }

  equals(other: Value): boolean | CelError {
    return equal(Array.from(this), other);
  }

  contains(value: Value): boolean | CelError {
    return listContains(Array.from(this), value);
  }

  add(other: Value): Value {
    if (!isList(other)) return noOverload();
    const length = this.length + other.length;
    if (length > mostElements) {
      // A list that doubles in each round of a loop costs almost nothing to build.
      throw tooLong(length);
    }
    const added = other === this ? Array.from(other) : other;
    for (let index = 0; index < added.length; index++) this.push(added[index] as Value);
    return this;
  }
}

/** A map that grows while the loop that builds it runs. */
export class MutableMap extends CelMap {
  isGrowing = true;
  readonly #owner: number;

  /** @param owner the slot of the variable that it is the first value of */
  constructor(owner: number) {
    super();
    this.#owner = owner;
  }

  /** Whether it was the first value of the variable with the slot. */
  belongsTo(owner: number): boolean {
    return this.#owner === owner;
  }

  override get goType(): string {
    return this.isGrowing ? '*types.mutableMap' : super.goType;
  }
}

/** Returns the initial value of an accumulator: a growable copy of an empty list or map. */
export function mutableIfEmpty(value: Value, owner: number): Value {
  if (typeof value !== 'object' || value === null) return value;
  if (isList(value)) return value.length === 0 ? new MutableList(owner) : value;
  const isEmpty =
    value instanceof CelMap ? value.size === 0 : isPlainObject(value) && isEmptyObject(value);
  return isEmpty ? new MutableMap(owner) : value;
}

/**
 * The result of a loop, or of an expression with a variable: it stops growing if the first value of the variable did.
 */
export function settled(value: Value, variable: Value | undefined, owner: number): Value {
  if (!isMutable(value) || !isMutable(variable) || !variable.belongsTo(owner)) return value;
  if (value instanceof MutableList) return Array.from(value);
  value.isGrowing = false;
  return value;
}

function isMutable(value: Value | undefined): value is MutableList | MutableMap {
  return typeof value === 'object' && (value instanceof MutableMap || value instanceof MutableList);
}
