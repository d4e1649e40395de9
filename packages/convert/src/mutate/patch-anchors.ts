import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { type Anchor, parseAnchor } from '@kubeadmit/kyverno/patterns';
import type { Path } from '../cel/path.ts';
import { all, any, binding, call, member, type Term } from '../cel/term.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { elementOf } from '../pattern/loop.ts';

/** How a condition is read whose texts may hold variables. */
export type PatternReader = (place: Path, pattern: unknown) => Term;

/** A key of a patch without its anchor. */
export interface PatchKey {
  readonly key: string;
  readonly modifier: Anchor['modifier'] | undefined;
}

/**
 * Reads a key of a strategic merge patch.
 *
 * @throws Unsupported for anchors that patches do not have.
 */
export function patchKey(written: string): PatchKey {
  const anchor = parseAnchor(written);
  if (anchor === undefined) return { key: written, modifier: undefined };
  if (!['', '<', '+'].includes(anchor.modifier)) {
    throw new Unsupported(`the anchor \`${written}\` in a patch`);
  }
  return anchor;
}

/** Whether a key is a condition, of its element or of the whole patch. */
export function isCondition({ modifier }: PatchKey): boolean {
  return modifier === '' || modifier === '<';
}

/** Whether a key has an anchor. */
export function isAnchored({ modifier }: PatchKey): boolean {
  return modifier !== undefined;
}

/** Whether any key of a value, at any depth, has an anchor that the predicate accepts. */
export function hasAnchor(value: unknown, isWanted: (key: PatchKey) => boolean): boolean {
  if (Array.isArray(value)) return value.some((item) => hasAnchor(item, isWanted));
  if (!isObject(value)) return false;
  return Object.entries(value).some(
    ([written, item]) => isWanted(patchKey(written)) || hasAnchor(item, isWanted),
  );
}

/**
 * Whether anything is left of a part of a patch without its conditions. Kyverno merges such an element into the one
 * that it selects, which puts that one first in its list, even if nothing in it changes.
 */
export function isLeftOf(part: unknown, isConditional = false): boolean {
  if (Array.isArray(part))
    return part.some((item) => !hasAnchor(item, () => true) && isLeftOf(item));
  if (!isObject(part)) return !isConditional;
  return Object.entries(part).some(([written, value]) =>
    isLeftOf(value, isCondition(patchKey(written))),
  );
}

/** @throws Unsupported for a map with one key with different anchors. */
export function refuseRepeatedKeys(patch: JsonObject): void {
  const keys = Object.keys(patch).map((written) => patchKey(written).key);
  if (new Set(keys).size < keys.length) {
    throw new Unsupported('one key with different anchors');
  }
}

/** @throws Unsupported for anchors of elements within the list of a condition, which Kyverno handles one by one. */
export function refuseAnchorsInLists(value: unknown): void {
  if (Array.isArray(value) && hasAnchor(value, isAnchored)) {
    throw new Unsupported('anchors of elements within a conditional list');
  }
  if (isObject(value)) for (const item of Object.values(value)) refuseAnchorsInLists(item);
}

/** @throws Unsupported for a list with several elements that have anchors. */
export function refuseSeveralAnchored(items: readonly unknown[], list: string): void {
  const anchored = items.filter((item) => hasAnchor(item, isAnchored));
  if (anchored.length < 2) return;
  throw new Unsupported(
    `several elements with anchors in \`${list}\`: Kyverno overwrites or loses elements of the object`,
    'write a rule for each of them',
  );
}

/**
 * Returns the conditions under which a map of a patch is applied, as in Kyverno's preprocessing.
 *
 * These are its own conditions, those of nested maps, and the conditions of the complete patch that are inside
 * lists.
 */
export function conditionsOf(patch: JsonObject, place: Path, read: PatternReader): readonly Term[] {
  refuseRepeatedKeys(patch);
  return Object.entries(patch).flatMap(([written, value]): readonly Term[] => {
    const key = patchKey(written);
    const inside = place.select(key.key);
    if (isCondition(key)) {
      refuseAnchorsInLists(value);
      if (key.modifier === '<' && typeof value === 'object' && value !== null) {
        // Kyverno also applies the content.
        if (Object.keys(value).length > 0)
          throw new Unsupported('a list or map in a global anchor');
      }
      if (hasAnchor(value, ({ modifier }) => modifier === '+')) {
        throw new Unsupported('an addition anchor within a condition');
      }
      return [inside.presence, read(place, { [key.key]: requiredPattern(value) })];
    }
    if (key.modifier === '+') {
      if (hasAnchor(value, isCondition)) throw new Unsupported('a condition within an addition');
      return [];
    }
    if (isObject(value)) return conditionsOf(value, inside, read);
    if (!Array.isArray(value)) return [];
    return value.filter(isObject).flatMap((item) => listConditions(item, inside, read));
  });
}

/**
 * Returns the pattern that a condition of a patch requires of its field: conditions within have to hold, a global one
 * only where its field is present.
 *
 * @throws Unsupported for a field without an anchor whose value is a pattern: Kyverno writes the pattern into the field.
 */
export function requiredPattern(value: unknown): unknown {
  if (Array.isArray(value) && value.some(isObject)) {
    throw new Unsupported(
      'a list of objects in a condition of a patch, which Kyverno merges into the object',
    );
  }
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([written, item]) => {
      const { key, modifier } = patchKey(written);
      if (modifier === '+') throw new Unsupported('an addition anchor within a condition');
      if (modifier === undefined && !isObject(item) && !isConstantPattern(item)) {
        throw new Unsupported(
          `\`${key}\` without an anchor within a condition of a patch, which Kyverno writes into the object`,
          `write \`(${key})\``,
        );
      }
      return [modifier === '<' ? `=(${key})` : key, requiredPattern(item)];
    }),
  );
}

// Only the value itself satisfies it.
function isConstantPattern(value: unknown): boolean {
  return typeof value === 'string' ? /^[A-Za-z][\w./:-]*$/.test(value) : typeof value !== 'object';
}

// Some element has to fit, unless there is an empty list.
function listConditions(item: JsonObject, list: Path, read: PatternReader): readonly Term[] {
  if (!hasAnchor(item, ({ modifier }) => modifier === '<')) return [];
  if (hasAnchor(item, ({ modifier }) => modifier === '')) {
    throw new Unsupported('a global anchor among other anchors of an element');
  }
  const element = elementOf(list, 'element');
  const fits = all(conditionsOf(item, element, read));
  const name = member(element.term.text);
  const isEmpty = { text: `size(${list.term.text}) == 0`, binds: binding.relation };
  return [list.presence, any([isEmpty, call(list.term, 'exists', name, fits)])];
}
