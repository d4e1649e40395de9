import { compareText, deepEqual, escapePointerSegment } from '@kubeadmit/go';
import { withinStack } from '@kubeadmit/go/unstable-internal';
import type { Json } from './operation.ts';

/** One operation of a difference: no tests, moves or copies. */
export type DiffOperation =
  /** Puts the value at the JSON pointer (RFC 6901) `path`. */
  | { readonly op: 'add' | 'replace'; readonly path: string; readonly value: Json }
  /** Removes the value at the JSON pointer `path`. */
  | { readonly op: 'remove'; readonly path: string };

type JsonObject = { readonly [key: string]: Json };

/** Pairs of elements that a comparison of two lists may look at; beyond it they go by position. */
const comparedPairs = 250_000;

/**
 * The operations of RFC 6902 that turn one value into another, few and small, in a stable order:
 * members by name, and elements of lists from the last to the first, so that every path is valid
 * when its turn comes. An object or a list below the root is replaced as a whole where that is shorter.
 *
 * @throws TypeError for values that are nested too deeply, contain themselves, or are `undefined`
 */
export function diffJson(from: Json, to: Json): DiffOperation[] {
  if (from === undefined || to === undefined) {
    throw new TypeError(
      `diffJson takes two JSON values; the ${to === undefined ? 'second' : 'first'} is undefined`,
    );
  }
  const operations: DiffOperation[] = [];
  withinStack(() => diffValues(from, to, '', operations));
  return operations;
}

/** Adds the operations between two values to those there are, and gives their size. */
function diffValues(from: Json, to: Json, path: string, operations: DiffOperation[]): number {
  if (from === to) return 0;
  const start = operations.length;
  let size = 0;
  if (Array.isArray(from) && Array.isArray(to)) size = diffLists(from, to, path, operations);
  else if (isJsonObject(from) && isJsonObject(to)) size = diffObjects(from, to, path, operations);
  else if (!deepEqual(from, to)) size = add(operations, { op: 'replace', path, value: to });
  if (operations.length - start < 2 || path === '') return size;
  const wholeSize = operationSize(path) + jsonSize(to, size);
  if (wholeSize >= size) return size;
  operations.length = start;
  operations.push({ op: 'replace', path, value: to });
  return wholeSize;
}

function add(operations: DiffOperation[], operation: DiffOperation): number {
  operations.push(operation);
  const size = operationSize(operation.path);
  return 'value' in operation ? size + jsonSize(operation.value) : size;
}

function operationSize(path: string): number {
  return path.length + 30;
}

/** About how long a value is in JSON; of one that is longer than `most` only that it is. */
function jsonSize(value: Json, most: number = Number.POSITIVE_INFINITY): number {
  if (typeof value === 'string') return value.length + 2;
  if (typeof value !== 'object' || value === null) return 5;
  let size = 2;
  if (isJsonObject(value)) {
    for (const key of Object.keys(value)) {
      if (size > most) return size;
      size += key.length + 4;
      size += jsonSize(value[key] ?? null, most - size);
    }
  } else {
    for (const item of value) {
      if (size > most) return size;
      size += jsonSize(item, most - size) + 1;
    }
  }
  return size;
}

function diffObjects(
  from: JsonObject,
  to: JsonObject,
  path: string,
  operations: DiffOperation[],
): number {
  const keys: string[] = [];
  for (const key of Object.keys(from)) if (from[key] !== to[key]) keys.push(key);
  for (const key of Object.keys(to)) if (!Object.hasOwn(from, key)) keys.push(key);
  let size = 0;
  for (const key of inOrder(keys)) {
    const at = `${path}/${escapePointerSegment(key)}`;
    const before = Object.hasOwn(from, key) ? from[key] : undefined;
    const after = Object.hasOwn(to, key) ? to[key] : undefined;
    if (after === undefined) size += add(operations, { op: 'remove', path: at });
    else if (before === undefined) size += add(operations, { op: 'add', path: at, value: after });
    else size += diffValues(before, after, at, operations);
  }
  return size;
}

/** Few keys are sorted by insertion, which is faster than the built-in sort. */
function inOrder(keys: string[]): readonly string[] {
  if (keys.length > fewKeys) return keys.sort(compareText);
  for (let end = 1; end < keys.length; end++) {
    const key = keys[end] as string;
    let place = end;
    for (; place > 0 && compareText(keys[place - 1] as string, key) > 0; place--) {
      keys[place] = keys[place - 1] as string;
    }
    keys[place] = key;
  }
  return keys;
}

const fewKeys = 20;

function diffLists(
  from: readonly Json[],
  to: readonly Json[],
  path: string,
  operations: DiffOperation[],
): number {
  let head = 0;
  while (head < from.length && head < to.length && deepEqual(from[head], to[head])) head++;
  let fromEnd = from.length;
  let toEnd = to.length;
  while (fromEnd > head && toEnd > head && deepEqual(from[fromEnd - 1], to[toEnd - 1])) {
    fromEnd--;
    toEnd--;
  }
  const kept = keptPairs(from.slice(head, fromEnd), to.slice(head, toEnd));
  // From the end to the start, so that the indexes before a change stay those of the old list.
  let i = fromEnd;
  let j = toEnd;
  let size = 0;
  for (const [keptFrom, keptTo] of kept.reverse()) {
    const at = head + keptFrom;
    const atTo = head + keptTo;
    size += diffRun({ from, to, path, operations }, [at + 1, i], [atTo + 1, j]);
    size += diffValues(from[at] as Json, to[atTo] as Json, `${path}/${at}`, operations);
    i = at;
    j = atTo;
  }
  return size + diffRun({ from, to, path, operations }, [head, i], [head, j]);
}

interface ListDiff {
  readonly from: readonly Json[];
  readonly to: readonly Json[];
  readonly path: string;
  readonly operations: DiffOperation[];
}

// Replaces a run of elements by another one: as many as both have change in place. Returns the size of the operations.
function diffRun(
  { from, to, path, operations }: ListDiff,
  [start, end]: readonly [number, number],
  [startTo, endTo]: readonly [number, number],
): number {
  let size = 0;
  const inPlace = Math.min(end - start, endTo - startTo);
  for (let i = end - 1; i >= start + inPlace; i--) {
    size += add(operations, { op: 'remove', path: `${path}/${i}` });
  }
  for (let j = endTo - 1; j >= startTo + inPlace; j--) {
    const value = to[j] as Json;
    size += add(operations, { op: 'add', path: `${path}/${start + inPlace}`, value });
  }
  for (let i = inPlace - 1; i >= 0; i--) {
    size += diffValues(
      from[start + i] as Json,
      to[startTo + i] as Json,
      `${path}/${start + i}`,
      operations,
    );
  }
  return size;
}

// The positions of elements that stay, in order: as many equal ones as possible, then elements that have
// the same key, such as containers of one name.
function keptPairs(from: readonly Json[], to: readonly Json[]): (readonly [number, number])[] {
  if (from.length * to.length > comparedPairs) return [];
  const columns = to.length + 1;
  const likenesses = from.map((element) => to.map((other) => likeness(element, other)));
  const weights = new Uint32Array((from.length + 1) * columns);
  const weight = (i: number, j: number): number => weights[i * columns + j] ?? 0;
  const weightOfPair = (i: number, j: number): number => {
    const like = likenesses[i]?.[j] ?? 0;
    return like === 0 ? 0 : weight(i + 1, j + 1) + like;
  };
  for (let i = from.length - 1; i >= 0; i--) {
    for (let j = to.length - 1; j >= 0; j--) {
      const skipped = Math.max(weight(i + 1, j), weight(i, j + 1));
      weights[i * columns + j] = Math.max(skipped, weightOfPair(i, j));
    }
  }
  const pairs: (readonly [number, number])[] = [];
  let i = 0;
  let j = 0;
  while (i < from.length && j < to.length) {
    const paired = weightOfPair(i, j);
    if (paired > 0 && paired === weight(i, j)) pairs.push([i++, j++]);
    else if (weight(i + 1, j) >= weight(i, j + 1)) i++;
    else j++;
  }
  return pairs;
}

/** The keys of lists in Kubernetes' own kinds. */
const elementKeys: readonly string[] = [
  'name',
  'key',
  'type',
  'containerPort',
  'port',
  'mountPath',
  'devicePath',
  'ip',
  'uid',
];

// 2 for equal elements, 1 for elements with the same key, 0 for others.
function likeness(a: Json, b: Json): number {
  if (deepEqual(a, b)) return 2;
  if (!isJsonObject(a) || !isJsonObject(b)) return 0;
  const key = elementKeys.find((name) => Object.hasOwn(a, name) && Object.hasOwn(b, name));
  return key !== undefined && a[key] === b[key] ? 1 : 0;
}

function isJsonObject(value: Json): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
