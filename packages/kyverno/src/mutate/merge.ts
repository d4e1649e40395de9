import { interruptedText, isInterrupted } from '@kubeadmit/cel/unstable-internal';
import { compareText } from '@kubeadmit/go';
import { setListItem } from './list-item.ts';
import { type MergeSchema, schemaOfField, schemaOfKind } from './merge-schema.ts';
import {
  clearField,
  fieldOf,
  isNothing,
  isNull,
  type ListNode,
  type Node,
  plainScalar,
  setField,
  textOfNode,
} from './node.ts';
import { wrongKindText } from './wrong-kind.ts';

/** Documents that cannot be merged; the message is kustomize's. Never leaves this folder. */
export class MergeError extends Error {}

// Merging takes quadratic time for long lists, so that it ends where evaluation is interrupted.
function checkTime(): void {
  if (isInterrupted()) throw new MergeError(interruptedText);
}

/** The object and the patch at one path. Merging replaces the first one step by step. */
type Sources = [dest: Node | undefined, origin: Node | undefined];

/**
 * Merges a patch into an object in place (kustomize's strategic merge, items of patches first); undefined when
 * nothing is left. Throws `MergeError`.
 */
export function mergePatch(object: Node, patch: Node): Node | undefined {
  return walk(undefined, [object, patch]);
}

function walk(given: MergeSchema | undefined, sources: Sources): Node | undefined {
  const schema = given ?? schemaOfSources(sources);
  const first = sources.find((source) => !isNothing(source));
  for (const source of sources) {
    if (first !== undefined && !isNothing(source) && (source as Node).kind !== first.kind) {
      throw new MergeError(wrongKindText(first.kind, source));
    }
  }
  switch (first?.kind) {
    case 'list':
      return schema?.keys === undefined ? (sources[1] ?? sources[0]) : mergeLists(schema, sources);
    case 'scalar':
      return sources[1] ?? sources[0];
    default:
      return mergeMaps(schema, sources);
  }
}

function schemaOfSources(sources: Sources): MergeSchema | undefined {
  for (const source of sources) {
    if (source?.kind !== 'map') continue;
    const kind = fieldOf(source, 'kind');
    const apiVersion = fieldOf(source, 'apiVersion');
    if (kind?.kind !== 'scalar' || apiVersion?.kind !== 'scalar') continue;
    const schema = schemaOfKind(apiVersion.text, kind.text);
    if (schema !== undefined) return schema;
  }
  return undefined;
}

type Directive = 'merge' | 'replace' | 'delete';

function readDirective(text: string): Directive {
  if (text === 'merge' || text === 'replace' || text === 'delete') return text;
  throw new MergeError(`unknown patch strategy '${text}'`);
}

/** The `$patch` member of a map of the patch, which is taken out. */
function mapDirective(node: Node | undefined): Directive {
  if (node?.kind !== 'map') return 'merge';
  const value = fieldOf(node, '$patch');
  if (value === undefined) return 'merge';
  const directive = readDirective(textOfNode(value));
  clearField(node, '$patch');
  return directive;
}

/** The item of a list of the patch that has nothing but `$patch`, which is taken out. */
function listDirective(node: Node | undefined): Directive {
  if (node?.kind !== 'list') return 'merge';
  const item = node.items.find((candidate) => fieldOf(candidate, '$patch') !== undefined);
  if (item?.kind !== 'map' || item.entries.length > 1) return 'merge';
  const directive = readDirective(textOfNode(item.entries[0]?.value ?? item));
  setListItem(node, undefined, ['$patch'], [directive]);
  return directive;
}

/** Returns the value at the object's position before its members are merged; `undefined` clears it. */
function startOfMap([dest, origin]: Sources): Node | undefined {
  if (isNothing(dest)) {
    if (origin !== undefined && origin.kind === 'map' && mapDirectiveOrMerge(origin) === 'delete') {
      return undefined;
    }
    if (origin === undefined && dest !== undefined) {
      return { kind: 'scalar', text: 'null', type: 'null', isQuoted: false, keepsNull: true };
    }
    return origin;
  }
  if (isNull(origin)) return undefined;
  const directive = mapDirective(origin);
  if (directive === 'delete') return undefined;
  return directive === 'replace' ? origin : dest;
}

function mapDirectiveOrMerge(node: Node): Directive {
  try {
    return mapDirective(node);
  } catch (problem) {
    if (problem instanceof MergeError) return 'merge';
    throw problem;
  }
}

function mergeMaps(schema: MergeSchema | undefined, sources: Sources): Node | undefined {
  const dest = startOfMap(sources);
  if (dest === undefined) return undefined;
  sources[0] = dest;
  if (dest.kind !== 'map') return dest;
  for (const key of memberNames(sources)) {
    // kustomize finds no member under the empty key, but takes the map itself for a scalar.
    if (key === '') throw new MergeError(wrongKindText('scalar', dest));
    const field = schema && schemaOfField(schema, key);
    setField(dest, key, walk(field, [fieldOf(dest, key), fieldOf(sources[1], key)]));
  }
  return dest;
}

function memberNames(sources: Sources): readonly string[] {
  const [dest, origin] = sources;
  const names = dest?.kind === 'map' ? dest.entries.map(({ key }) => key) : [];
  if (origin?.kind === 'map') for (const { key } of origin.entries) names.push(key);
  for (let at = 1; at < names.length; at++) {
    if (compareText(names[at - 1] ?? '', names[at] ?? '') >= 0) {
      return [...new Set(names)].sort(compareText);
    }
  }
  return names;
}

function startOfList([dest, origin]: Sources): Node | undefined {
  if (isNothing(dest)) return origin;
  if (isNull(origin)) return undefined;
  const directive = listDirective(origin);
  if (directive === 'delete') return undefined;
  return directive === 'replace' ? origin : dest;
}

function mergeLists(schema: MergeSchema, sources: Sources): Node | undefined {
  const dest = startOfList(sources);
  if (dest === undefined) return undefined;
  sources[0] = dest;
  if (dest.kind !== 'list') return dest;
  const keys = schema.keys ?? [];
  return keys.length === 0
    ? mergeItems(schema, primitiveIdentities(sources), [''], sources, dest)
    : mergeItems(schema, identities(sources, keys), keys, sources, dest);
}

/** The texts of an item's merge keys; empty ones are missing. */
type Identity = readonly string[];

/** Returns the distinct identities of the items, those of the patch first. */
function identities([dest, origin]: Sources, keys: readonly string[]): Identity[] {
  const found = new Map<string, Identity>();
  for (const item of [...itemsOf(origin), ...itemsOf(dest)]) {
    const identity = keys.map((key) => identifyingText(fieldOf(item, key)));
    const text = JSON.stringify(identity);
    if (!found.has(text)) found.set(text, identity);
  }
  return [...found.values()];
}

function identifyingText(node: Node | undefined): string {
  if (isNothing(node)) return '';
  return textOfNode(node as Node);
}

function primitiveIdentities([dest, origin]: Sources): Identity[] {
  const texts = new Set([...itemsOf(origin), ...itemsOf(dest)].map(textOfNode));
  return [...texts].map((text) => [text]);
}

function itemsOf(node: Node | undefined): readonly Node[] {
  return node?.kind === 'list' ? node.items : [];
}

function mergeItems(
  schema: MergeSchema,
  given: readonly Identity[],
  keys: readonly string[],
  sources: Sources,
  dest: ListNode,
): Node | undefined {
  const added: ListNode = { kind: 'list', items: [] };
  const all = keys.length > 1 ? unified(given) : [...given];
  let validKeys: readonly string[] = [];
  for (const identity of all) {
    checkTime();
    const valid = validParts(all, identity, keys);
    validKeys = valid.keys;
    mergeItem(schema, valid, sources, dest, added);
  }
  if (all.length === 0) return dest;
  appendItems(added, dest, validKeys);
  return added;
}

interface ValidParts {
  readonly keys: readonly string[];
  readonly values: readonly string[];
}

function mergeItem(
  schema: MergeSchema,
  valid: ValidParts,
  [destList, originList]: Sources,
  dest: ListNode,
  added: ListNode,
): void {
  const { keys, values } = valid;
  const own = validParts([values], values, keys);
  const merged = walk({ definition: schema.definition }, [
    findItem(destList, own),
    findItem(originList, own),
  ]);
  if (
    merged === undefined ||
    isNull(merged) ||
    (merged.kind === 'map' && merged.entries.length === 0)
  ) {
    setListItem(dest, undefined, keys, values);
    return;
  }
  const item: Node = merged;
  for (const [at, key] of keys.entries()) {
    const value = values[at] ?? '';
    if (item.kind === 'map' && value !== '' && fieldOf(item, key) === undefined) {
      setField(item, key, plainScalar(value));
    }
  }
  setListItem(added, item, keys, values);
}

/** Identities that agree where both say something, and somewhere do, become one. */
function unified(given: readonly Identity[]): Identity[] {
  const all = [...given];
  for (let left = 0; left < all.length; left++) {
    checkTime();
    for (let right = 0; right < all.length; right++) {
      const joined = join(all[left] ?? [], all[right] ?? []);
      if (joined === undefined) continue;
      all[left] = joined;
      all[right] = joined;
    }
  }
  return all;
}

function join(left: Identity, right: Identity): Identity | undefined {
  if (left.length !== right.length) return undefined;
  let agrees = false;
  const joined: string[] = [];
  for (const [at, text] of left.entries()) {
    const other = right[at] ?? '';
    if (text === other) agrees = true;
    else if (text !== '' && other !== '') return undefined;
    joined.push(text !== '' ? text : other);
  }
  return agrees ? joined : undefined;
}

/** The keys that any identity says something of, with an identity's texts for them. */
function validParts(
  all: readonly Identity[],
  identity: Identity,
  keys: readonly string[],
): ValidParts {
  const isValid = keys.map((_key, at) => all.some((other) => (other[at] ?? '') !== ''));
  if (!isValid.includes(true)) return { keys, values: identity };
  return {
    keys: keys.filter((_key, at) => isValid[at]),
    values: identity.filter((text, at) => text !== '' || isValid[at]),
  };
}

function findItem(list: Node | undefined, { keys, values }: ValidParts): Node | undefined {
  if (list?.kind !== 'list') return undefined;
  if ((keys[0] ?? '') === '')
    return list.items.find((item) => textOfNode(item) === (values[0] ?? ''));
  if (keys.length !== values.length) return undefined;
  return list.items.find(
    (item) =>
      item.kind === 'map' &&
      keys.every((key, at) => {
        const value = fieldOf(item, key);
        return value !== undefined && textOfNode(value) === values[at];
      }),
  );
}

/** Appends the items of a list to another, in which items of the same identity are replaced. */
function appendItems(target: ListNode, source: ListNode, keys: readonly string[]): void {
  for (const item of source.items) {
    checkTime();
    if ((keys[0] ?? '') === '') {
      setListItem(target, item, [''], [textOfNode(item)]);
      continue;
    }
    const values: string[] = [];
    for (const key of keys) {
      if (item.kind !== 'map' && !isNothing(item)) throw new MergeError(wrongKindText('map', item));
      const value = fieldOf(item, key);
      if (value === undefined) target.items.push(item);
      else values.push(textOfNode(value));
    }
    if (keys.length > 1) setListItem(target, undefined, keys, values);
    setListItem(target, item, keys, values);
  }
}
