import { isObject, type KubernetesObject, member } from '@kubeadmit/apimachinery';

/**
 * Returns a value without the field at a path; the same value if it has none. A path has names separated by dots, with
 * `[]` after the name of a list and `{}` after the name of a map: `containers[].env[].valueFrom`.
 */
export function withoutField(value: unknown, path: string): unknown {
  return without(value, stepsOf(path), 0);
}

/** Returns an object with the object at a path of names changed; the same object if it has none or nothing changes. */
export function changedAt(
  object: KubernetesObject,
  path: readonly string[],
  change: (inner: KubernetesObject) => KubernetesObject,
): KubernetesObject {
  const [name, ...rest] = path;
  if (name === undefined) return change(object);
  const own = member(object, name);
  if (!isObject(own)) return object;
  const changed = changedAt(own, rest, change);
  return changed === own ? object : { ...object, [name]: changed };
}

/** Whether a value has a field at a path that is neither null nor empty. */
export function hasField(value: unknown, path: string): boolean {
  return has(value, stepsOf(path), 0);
}

interface Step {
  readonly name: string;
  readonly each: 'element' | 'value' | undefined;
}

const parsed = new Map<string, readonly Step[]>();

function stepsOf(path: string): readonly Step[] {
  let steps = parsed.get(path);
  if (steps === undefined) {
    steps = path.split('.').map((part) => {
      const each = part.endsWith('[]') ? 'element' : part.endsWith('{}') ? 'value' : undefined;
      return { name: each === undefined ? part : part.slice(0, -2), each };
    });
    parsed.set(path, steps);
  }
  return steps;
}

function without(value: unknown, steps: readonly Step[], at: number): unknown {
  const { name, each } = steps[at] as Step;
  const own = member(value, name);
  if (own === undefined || own === null) return value;
  const owner = value as KubernetesObject;
  if (at === steps.length - 1) {
    const { [name]: _, ...rest } = owner;
    return rest;
  }
  const change = (inner: unknown): unknown => without(inner, steps, at + 1);
  const changed = each === undefined ? change(own) : changedAll(own, change);
  return changed === own ? value : { ...owner, [name]: changed };
}

/** Changes the elements of a list, or the values of a map. */
function changedAll(owner: unknown, change: (inner: unknown) => unknown): unknown {
  if (Array.isArray(owner)) {
    const changed = owner.map(change);
    return changed.some((inner, place) => inner !== owner[place]) ? changed : owner;
  }
  if (!isObject(owner)) return owner;
  const entries = Object.entries(owner).map(([key, inner]) => [key, change(inner)] as const);
  const isSame = entries.every(([key, inner]) => inner === owner[key]);
  return isSame ? owner : Object.fromEntries(entries);
}

function has(value: unknown, steps: readonly Step[], at: number): boolean {
  const { name, each } = steps[at] as Step;
  const own = member(value, name);
  if (own === undefined || own === null) return false;
  if (at === steps.length - 1) return !Array.isArray(own) || own.length > 0;
  if (each === undefined) return has(own, steps, at + 1);
  return Object.values(own).some((inner) => has(inner, steps, at + 1));
}
