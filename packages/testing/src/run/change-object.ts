import { setKey } from '@kubeadmit/base';
import { isRecord } from '@kubeadmit/manifest';
import { applyJsonPatch, type Json, type PatchOperation } from '@kubeadmit/mutator';
import type { ObjectChange } from '../format/suite.ts';
import { FieldPathProblem, parsePath } from './field-path.ts';

type Step = string | number;

/**
 * Returns a changed copy of an object; the original is not modified.
 *
 * @throws FieldPathProblem if there is nothing to change
 */
export function changeObject(object: unknown, change: ObjectChange): unknown {
  switch (change.kind) {
    case 'set':
      return setAt(object, parsePath(change.field), change.value, change.field);
    case 'remove':
      return removeAt(object, parsePath(change.field), change.field);
    case 'merge':
      return mergePatch(object, change.value);
    case 'patch':
      return patched(object, change.operations);
    default:
      return change satisfies never;
  }
}

function setAt(
  target: unknown,
  [step, ...rest]: readonly Step[],
  value: unknown,
  all: string,
): unknown {
  if (step === undefined) return value;
  if (typeof step === 'number') {
    if (target !== undefined && !Array.isArray(target))
      throw new FieldPathProblem(notA('list', step, all));
    const list: readonly unknown[] = target ?? [];
    if (step > list.length) {
      throw new FieldPathProblem(`\`${all}\`: the list has only ${list.length} elements`);
    }
    const copy = [...list];
    copy[step] = setAt(list[step], rest, value, all);
    return copy;
  }
  if (target !== undefined && target !== null && !isRecord(target)) {
    throw new FieldPathProblem(notA('map', step, all));
  }
  const before = target ?? {};
  const inner = Object.hasOwn(before, step) ? before[step] : undefined;
  return withKey(before, step, setAt(inner ?? undefined, rest, value, all));
}

function removeAt(target: unknown, [step, ...rest]: readonly Step[], all: string): unknown {
  if (step === undefined) return target;
  const isThere =
    typeof step === 'number'
      ? Array.isArray(target) && step < target.length
      : isRecord(target) && Object.hasOwn(target, step);
  if (!isThere) throw new FieldPathProblem(`cannot remove \`${all}\`: it does not exist`);
  if (Array.isArray(target)) {
    return rest.length === 0
      ? target.filter((_, at) => at !== step)
      : target.map((item, at) => (at === step ? removeAt(item, rest, all) : item));
  }
  const record = target as Readonly<Record<string, unknown>>;
  return rest.length === 0
    ? withoutKey(record, String(step))
    : withKey(record, String(step), removeAt(record[step], rest, all));
}

/** A JSON merge patch applied (RFC 7386). */
function mergePatch(target: unknown, patch: unknown): unknown {
  if (!isRecord(patch)) return patch;
  let merged: Readonly<Record<string, unknown>> = isRecord(target) ? target : {};
  for (const [key, value] of Object.entries(patch)) {
    merged =
      value === null
        ? withoutKey(merged, key)
        : withKey(
            merged,
            key,
            mergePatch(Object.hasOwn(merged, key) ? merged[key] : undefined, value),
          );
  }
  return merged;
}

function patched(object: unknown, operations: readonly unknown[]): unknown {
  const result = applyJsonPatch(object as Json, operations as readonly PatchOperation[], {
    keepOrder: true,
  });
  if (result.outcome === 'patched') return result.document;
  throw new FieldPathProblem(
    result.outcome === 'error' ? result.message : 'a `test` operation of the patch failed',
  );
}

function withKey(
  record: Readonly<Record<string, unknown>>,
  key: string,
  value: unknown,
): Readonly<Record<string, unknown>> {
  const copy = { ...record };
  setKey(copy, key, value);
  return copy;
}

function withoutKey(
  record: Readonly<Record<string, unknown>>,
  key: string,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(record).filter(([name]) => name !== key));
}

function notA(what: string, step: Step, all: string): string {
  return `\`${all}\`: the parent of \`${step}\` is not a ${what}`;
}
