import { withDoubles } from '../context/numbers.ts';
import { type Anchor, parseAnchor } from '../patterns/anchor.ts';
import { matchPattern } from '../validate/pattern.ts';
import {
  clearField,
  copyNode,
  fieldOf,
  fromNode,
  isNull,
  type ListNode,
  type MapNode,
  type Node,
  setField,
} from './node.ts';
import { wrongKindText } from './wrong-kind.ts';

/** An anchor that the object does not satisfy. Never leaves this folder. */
class ConditionError extends Error {
  readonly isGlobal: boolean;

  constructor(isGlobal: boolean, message: string) {
    super(message);
    this.isGlobal = isGlobal;
  }
}

/** A patch that cannot be made ready. Never leaves this folder. */
export class PreprocessError extends Error {}

/**
 * Resolves the anchors of a strategic merge patch against the object, in place (Kyverno's preprocessing); the
 * patch that comes back is empty where a condition of the whole patch does not hold. Throws `PreprocessError`.
 */
export function preprocessPatch(patch: Node, object: Node): Node {
  try {
    preprocess(patch, object);
    if (patch.kind !== 'map') throw wrongKind('map', patch);
    deleteConditions(patch);
    return patch;
  } catch (problem) {
    if (problem instanceof ConditionError) return { kind: 'map', entries: [] };
    throw problem;
  }
}

function wrongKind(expected: Node['kind'], node: Node): PreprocessError {
  return new PreprocessError(`failed to preProcess rule: ${wrongKindText(expected, node)}`);
}

type IsAnchor = (anchor: Anchor) => boolean;

const isGlobal: IsAnchor = ({ modifier }) => modifier === '<';
const isCondition: IsAnchor = ({ modifier }) => modifier === '';
const isAddition: IsAnchor = ({ modifier }) => modifier === '+';
const isEitherCondition: IsAnchor = (anchor) => isGlobal(anchor) || isCondition(anchor);
const isAnyAnchor: IsAnchor = (anchor) => isEitherCondition(anchor) || isAddition(anchor);

interface AnchoredKey {
  readonly written: string;
  readonly key: string;
}

function anchoredKeys(node: Node, isWanted: IsAnchor): readonly AnchoredKey[] {
  if (node.kind !== 'map') return [];
  const found: AnchoredKey[] = [];
  for (const { key } of node.entries) {
    const anchor = parseAnchor(key);
    if (anchor !== undefined && isWanted(anchor)) {
      found.push({ written: `${anchor.modifier}(${anchor.key})`, key: anchor.key });
    }
  }
  return found;
}

function hasAnchors(node: Node, isWanted: IsAnchor): boolean {
  if (node.kind === 'list') return node.items.some((item) => hasAnchors(item, isWanted));
  if (node.kind === 'scalar') {
    const anchor = parseAnchor(node.text);
    return anchor !== undefined && isEitherCondition(anchor);
  }
  return node.entries.some(({ key, value }) => {
    const anchor = parseAnchor(key);
    return (anchor !== undefined && isWanted(anchor)) || hasAnchors(value, isWanted);
  });
}

function rename(node: MapNode, written: string, key: string): void {
  const entry = node.entries.find((candidate) => candidate.key === written);
  if (entry !== undefined) entry.key = key;
}

function preprocess(patch: Node, object: Node | undefined): void {
  if (patch.kind === 'map') preprocessMap(patch, object);
  else if (patch.kind === 'list' && patch.items[0]?.kind === 'map') preprocessList(patch, object);
}

function preprocessMap(patch: MapNode, object: Node | undefined): void {
  resolveAdditions(patch, object);
  checkConditions(patch, object, isGlobal, true);
  checkConditions(patch, object, isCondition, false);
  const plainKeys = patch.entries
    .map(({ key }) => key)
    .filter((key) => {
      const anchor = parseAnchor(key);
      return anchor === undefined || !isAnyAnchor(anchor);
    });
  for (const key of plainKeys) {
    const value = fieldOf(patch, key);
    if (value !== undefined) preprocess(value, fieldOf(object, key));
  }
}

/** `+(key)` stays only where the object has no such key; how many there were. */
function resolveAdditions(patch: Node, object: Node | undefined): number {
  const additions = anchoredKeys(patch, isAddition);
  if (patch.kind !== 'map') return 0;
  for (const { written, key } of additions) {
    if (fieldOf(object, key) === undefined) rename(patch, written, key);
    else clearField(patch, written);
  }
  return additions.length;
}

function checkConditions(
  patch: MapNode,
  object: Node | undefined,
  isWanted: IsAnchor,
  isForAll: boolean,
): void {
  for (const { written, key } of anchoredKeys(patch, isWanted)) {
    const value = fieldOf(object, key);
    if (value === undefined) {
      throw new ConditionError(isForAll, `could not found "${key}" key in the resource`);
    }
    const pattern = fieldOf(patch, written);
    if (pattern === undefined || resolveAdditions(pattern, value) > 0) continue;
    const mismatch = matchPattern(comparable(value), comparable(pattern));
    if (mismatch !== undefined) throw new ConditionError(isForAll, mismatch.message);
  }
}

/** Scalars are compared as text, and numbers elsewhere as doubles. */
function comparable(node: Node): unknown {
  return node.kind === 'scalar' ? node.text : withDoubles(fromNode(node));
}

function preprocessList(patch: ListNode, object: Node | undefined): void {
  if (object !== undefined && object.kind !== 'list' && !isNull(object)) {
    throw wrongKind('list', object);
  }
  for (const item of [...patch.items]) {
    if (hasAnchors(item, isAnyAnchor)) preprocessItem(patch, item, object);
  }
}

/** Adds a separate item for every item of the object that an anchored item of the patch selects. */
function preprocessItem(patch: ListNode, item: Node, object: Node | undefined): void {
  const hasGlobals = hasAnchors(item, isGlobal);
  const copy = copyNode(item);
  let isGlobalPassed = false;
  let globalProblem: ConditionError | undefined;
  for (const candidate of object?.kind === 'list' ? object.items : []) {
    try {
      preprocess(copy, candidate);
    } catch (problem) {
      if (!(problem instanceof ConditionError)) throw problem;
      if (problem.isGlobal) globalProblem = problem;
      continue;
    }
    if (hasGlobals) isGlobalPassed = true;
    else addNamedItem(patch, copy, candidate);
  }
  if (object === undefined) {
    try {
      preprocess(copy, undefined);
    } catch (problem) {
      if (problem instanceof ConditionError && !problem.isGlobal) return;
      throw problem;
    }
    if (hasGlobals) isGlobalPassed = true;
  }
  if (!isGlobalPassed && globalProblem !== undefined) throw globalProblem;
}

function addNamedItem(patch: ListNode, item: Node, candidate: Node): void {
  const name = fieldOf(candidate, 'name');
  if (name === undefined || isEmptyNode(name)) return;
  const made = copyNode(item);
  if (deleteAnchors(made, true) || made.kind !== 'map') return;
  setField(made, 'name', copyNode(name));
  patch.items.push(made);
}

function isEmptyNode(node: Node): boolean {
  if (node.kind === 'map') return node.entries.length === 0;
  return node.kind === 'list' ? node.items.length === 0 : isNull(node);
}

function deleteConditions(patch: MapNode): void {
  for (const key of patch.entries.map((entry) => entry.key)) {
    const value = fieldOf(patch, key);
    const anchor = parseAnchor(key);
    if (value === undefined) continue;
    if (deleteAnchors(value, anchor !== undefined && isEitherCondition(anchor)))
      clearField(patch, key);
  }
}

/** Takes conditions out; whether nothing is left that is worth keeping. */
function deleteAnchors(node: Node, deletesScalar: boolean): boolean {
  if (node.kind === 'scalar') return deletesScalar;
  return node.kind === 'map' ? deleteAnchorsInMap(node) : deleteAnchorsInList(node);
}

function deleteAnchorsInMap(node: MapNode): boolean {
  const conditions = anchoredKeys(node, isEitherCondition);
  let staysAnchored = false;
  for (const { written } of conditions) {
    const value = fieldOf(node, written);
    if (value === undefined) continue;
    if (deleteAnchors(value, true)) clearField(node, written);
    else staysAnchored = true;
  }
  if (staysAnchored) {
    for (const { written, key } of anchoredKeys(node, isEitherCondition))
      rename(node, written, key);
  }
  let isEmpty = true;
  for (const key of node.entries.map((entry) => entry.key)) {
    const value = fieldOf(node, key);
    if (value === undefined) continue;
    if (deleteAnchors(value, false)) clearField(node, key);
    else isEmpty = false;
  }
  return isEmpty;
}

/** Anchored items go by the places that they had before any of them went. */
function deleteAnchorsInList(node: ListNode): boolean {
  const items = [...node.items];
  for (const [at, item] of items.entries()) {
    if (!hasAnchors(item, isAnyAnchor) && !deleteAnchors(item, false)) continue;
    if (at >= node.items.length) {
      throw new PreprocessError(
        'failed to preProcess rule: an anchored item of a list cannot be removed',
      );
    }
    node.items.splice(at, 1);
  }
  return node.items.length === 0 && items.length > 0;
}
