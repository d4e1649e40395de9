import { compareText } from '@kubeadmit/go';
import {
  type Identity,
  identities,
  primitiveIdentities,
  textsAt,
  unified,
  validPlaces,
} from './identities.ts';
import { type ItemTexts, isEmptyItem } from './item-texts.ts';
import { KeyedItems } from './keyed-items.ts';
import { KeyedMembers } from './keyed-members.ts';
import { checkTime, MergeError } from './merge-error.ts';
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
  const items = new KeyedItems(node);
  items.set(undefined, { keys: ['$patch'], values: [directive] });
  items.finish();
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
  const [, origin] = sources;
  const own = new KeyedMembers(dest);
  const patch =
    origin === dest ? own : origin?.kind === 'map' ? new KeyedMembers(origin) : undefined;
  for (const key of memberNames(sources)) {
    // kustomize finds no member under the empty key, but takes the map itself for a scalar.
    if (key === '') throw new MergeError(wrongKindText('scalar', dest));
    const field = schema && schemaOfField(schema, key);
    own.set(key, walk(field, [own.get(key), patch?.get(key)]));
  }
  own.finish();
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
  const items = [...itemsOf(sources[1]), ...itemsOf(dest)];
  return keys.length === 0
    ? mergeItems(schema, primitiveIdentities(items), [''], sources, dest)
    : mergeItems(schema, identities(items, keys), keys, sources, dest);
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
  const all = keys.length > 1 ? unified(given) : given;
  if (all.length === 0) return dest;
  const [, origin] = sources;
  const own = new KeyedItems(dest);
  const patch =
    origin === dest ? own : origin?.kind === 'list' ? new KeyedItems(origin) : undefined;
  const list: ListNode = { kind: 'list', items: [] };
  const merged = new KeyedItems(list);
  const valid = validPlaces(all, keys);
  for (const identity of all) {
    checkTime();
    mergeItem(schema, textsAt(valid, identity, keys), { own, patch, merged });
  }
  own.finish();
  appendItems(
    merged,
    dest,
    keys.filter((_key, at) => valid[at]),
  );
  merged.finish();
  return list;
}

/** Two lists while they are merged. */
interface MergedLists {
  readonly own: KeyedItems;
  readonly patch: KeyedItems | undefined;
  readonly merged: KeyedItems;
}

function mergeItem(
  schema: MergeSchema,
  texts: ItemTexts,
  { own, patch, merged }: MergedLists,
): void {
  const { keys, values } = texts;
  const named = textsAt(validPlaces([values], keys), values, keys);
  const sources: Sources = [own.find(named), patch?.find(named)];
  const item = walk({ definition: schema.definition }, sources);
  if (item === undefined || isEmptyItem(item)) {
    if (item !== undefined) own.noteEmpty(item);
    own.set(undefined, texts);
    return;
  }
  for (const [at, key] of keys.entries()) {
    const value = values[at] ?? '';
    if (item.kind === 'map' && value !== '' && fieldOf(item, key) === undefined) {
      setField(item, key, plainScalar(value));
    }
  }
  merged.set(item, texts);
}

/** Appends the items of a list to another, in which items of the same identity are replaced. */
function appendItems(target: KeyedItems, source: ListNode, keys: readonly string[]): void {
  for (const item of source.items) {
    checkTime();
    if ((keys[0] ?? '') === '') {
      target.set(item, { keys: [''], values: [textOfNode(item)] });
      continue;
    }
    const values: string[] = [];
    for (const key of keys) {
      if (item.kind !== 'map' && !isNothing(item)) throw new MergeError(wrongKindText('map', item));
      const value = fieldOf(item, key);
      if (value === undefined) target.push(item);
      else values.push(textOfNode(value));
    }
    if (keys.length > 1) target.set(undefined, { keys, values });
    target.set(item, { keys, values });
  }
}
