import { accepts } from '../values/accepts.ts';
import { noOverload } from '../values/no-overload.ts';
import { isEquivalentType, type Type } from '../values/types.ts';
import { CelError, type Value } from '../values/value.ts';
import type {
  FunctionDeclaration,
  FunctionImplementation,
  Overload,
} from './function-declaration.ts';

/** A function with the overloads of two declarations; one with a known id takes its place. */
export function mergeFunctions(
  first: FunctionDeclaration,
  second: FunctionDeclaration,
): FunctionDeclaration {
  if (unchangeable.has(first.name) && second.overloads.some(({ evaluate }) => evaluate)) {
    throw new TypeError(
      `\`${first.name}\` has the same meaning for all types and cannot be overloaded`,
    );
  }
  const overloads = new Map<string, Overload>();
  for (const overload of first.overloads) overloads.set(overload.id, overload);
  for (const overload of second.overloads) {
    const same = first.overloads.find((other) => isSameCall(overload, other));
    if (same !== undefined && same.id !== overload.id) {
      throw new TypeError(
        `\`${first.name}\` has an overload for (${overload.parameters.join(', ')}) already: \`${same.id}\``,
      );
    }
    overloads.set(overload.id, overload);
  }
  const merged = { ...first, ...second, overloads: [...overloads.values()] };
  if (first.singleton === undefined || second.singleton !== undefined) return merged;
  return { ...merged, ...withOverloads(first, second.overloads) };
}

/** Whether two overloads take the same calls. */
export function isSameCall(one: Overload, other: Overload): boolean {
  return (
    (one.member ?? false) === (other.member ?? false) &&
    one.parameters.length === other.parameters.length &&
    one.parameters.every((type, index) => isEquivalentType(type, other.parameters[index] as Type))
  );
}

/** A function with one implementation for all overloads, where further ones have their own. */
function withOverloads(
  { name, singleton, accepts: takes, specialize }: FunctionDeclaration,
  overloads: readonly Overload[],
): Partial<FunctionDeclaration> {
  // Overloads without an implementation are only for checking.
  const added = overloads.flatMap(({ parameters, evaluate }) =>
    evaluate === undefined ? [] : [{ tests: parameters.map(accepts), evaluate }],
  );
  const choose = (values: readonly Value[]): FunctionImplementation | undefined =>
    added.find(
      ({ tests }) =>
        tests.length === values.length &&
        tests.every((test, index) => test(values[index] as Value)),
    )?.evaluate;
  const rest: FunctionImplementation = (...values: Value[]) => {
    const [value = null] = values;
    if (takes?.(value) === false) return new CelError(`no such overload: ${name}`);
    return singleton?.(...values) ?? noOverload();
  };
  return {
    singleton: (...values) => (choose(values) ?? rest)(...values),
    accepts: () => true,
    ...(specialize === undefined
      ? {}
      : {
          specialize: (constants) => {
            const special = specialize(constants);
            return typeof special === 'function'
              ? (...values: Value[]) => (choose(values) ?? special)(...values)
              : special;
          },
        }),
  };
}

/** Functions that the planner implements itself. */
const unchangeable: ReadonlySet<string> = new Set([
  '_?_:_',
  '_&&_',
  '_||_',
  '!_',
  '_==_',
  '_!=_',
  '_[_]',
  '@not_strictly_false',
]);
