import { setKey } from '@kubeadmit/base';
import { reasonOf } from '../values/host-limit.ts';
import { CelError, type Value } from '../values/value.ts';
import { isInherited } from './inherited.ts';

/** The values of variables by name: an object, or a function that is called for each variable that is read. */
export type Bindings = PlainBindings | ((name: string) => Value | undefined);

/** An object of values by name. */
export type PlainBindings = Readonly<Record<string, Value | undefined>>;

/** Reads the value bound to a name: an own member, or one that the object's class computes. */
export function readBinding(bindings: Bindings, name: string): Value | undefined {
  try {
    if (typeof bindings === 'function') return bindings(name);
    return !isInherited(name) || Object.hasOwn(bindings, name) ? bindings[name] : undefined;
  } catch (failure) {
    return new CelError(`reading \`${name}\` failed: ${reasonOf(failure)}`);
  }
}

/** Tells most plain objects at once. */
export function looksPlain(value: unknown): value is PlainBindings {
  try {
    return (value as object | undefined)?.constructor === Object;
  } catch {
    return false;
  }
}

/** Collects the values bound to these names in a new object. */
export function gather(bindings: Bindings, names: readonly string[]): PlainBindings {
  const gathered: Record<string, Value> = {};
  for (const name of names) {
    const value = readBinding(bindings, name);
    if (value !== undefined) setKey(gathered, name, value);
  }
  return gathered;
}
