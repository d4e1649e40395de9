import type { Path } from '@kubeadmit/manifest';

type Members = Readonly<Record<string, unknown>> | readonly unknown[];

/**
 * Returns the path of the first value because of which an object is rejected; empty for the complete object.
 *
 * Members are removed from the end until the rest is accepted, level by level, so that a large list is tested only
 * a few times.
 *
 * @param fails whether the remaining object is still rejected.
 */
export function failedValue(object: Members, fails: (object: unknown) => boolean): Path {
  const path: (string | number)[] = [];
  let whole: unknown = object;
  for (let here: unknown = object; isMembers(here); ) {
    const names = Array.isArray(here) ? [...here.keys()] : Object.keys(here);
    const kept: Members = here;
    const withFirst = (count: number): unknown => replaced(whole, path, first(kept, count));
    if (fails(withFirst(0))) return path;
    // The least number of members that fails.
    let [taken, failing] = [0, names.length];
    while (failing - taken > 1) {
      const middle = (taken + failing) >> 1;
      if (fails(withFirst(middle))) failing = middle;
      else taken = middle;
    }
    const name = names[failing - 1];
    if (name === undefined) return path;
    whole = withFirst(failing);
    path.push(name);
    here = (here as Readonly<Record<string | number, unknown>>)[name];
  }
  return path;
}

function isMembers(value: unknown): value is Members {
  return typeof value === 'object' && value !== null;
}

function first(members: Members, count: number): Members {
  if (Array.isArray(members)) return members.slice(0, count);
  return Object.fromEntries(Object.entries(members).slice(0, count));
}

function replaced(value: unknown, [name, ...rest]: Path, by: unknown): unknown {
  if (name === undefined) return by;
  if (Array.isArray(value))
    return value.with(Number(name), replaced(value[Number(name)], rest, by));
  const record = value as Readonly<Record<string, unknown>>;
  return { ...record, [name]: replaced(record[name], rest, by) };
}
