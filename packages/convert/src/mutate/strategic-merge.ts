import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { type MergeSchema, schemaOfField } from '@kubeadmit/kyverno/unstable-internal';
import { literal } from '../cel/literal.ts';
import type { Path } from '../cel/path.ts';
import {
  all,
  always,
  any,
  apply,
  binding,
  call,
  member,
  not,
  relation,
  type Term,
} from '../cel/term.ts';
import {
  holdsVariables,
  isCollection,
  textTerm,
  textValue,
  valueTerm,
} from '../jmespath/text-value.ts';
import { presenceOf, shapeOf, termOf } from '../jmespath/value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { differenceNotes, type Note, orderNote } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { elementPath, loopName } from '../pattern/loop.ts';
import { patternTest } from '../pattern/pattern.ts';
import { refuseOtherType } from './field-type.ts';
import {
  creation,
  keySegment,
  type Loop,
  type Operation,
  patternOf,
  type Segment,
} from './operations.ts';
import {
  conditionsOf,
  hasAnchor,
  isAnchored,
  isCondition,
  isLeftOf,
  patchKey,
  refuseSeveralAnchored,
} from './patch-anchors.ts';
import { holdsAddition, plainValue, pruned } from './patch-value.ts';
import type { Step } from './steps.ts';

/** The loop of a `foreach` around a patch: the list, and its elements that count. */
export interface Around {
  readonly loop: Loop;
  /** The list, where it is a place of the object. */
  readonly place: Path | undefined;
  readonly element: Path;
}

/** How a patch is written. */
export interface MergeOptions {
  readonly variables: Variables;
  /** The lists of the kind that merge; undefined for kinds that are not built in. */
  readonly schema: MergeSchema | undefined;
  /** Whether patched elements keep their position in the list, while Kyverno moves them to the front. */
  readonly keepsOrder: boolean;
  readonly around?: Around;
}

/** The steps and conditions of a strategic merge patch. */
export interface MergedPatch {
  readonly steps: readonly Step[];
  /** The conditions under which the patch is applied. */
  readonly conditions: readonly Term[];
  readonly notes: readonly Note[];
}

/**
 * Converts a strategic merge patch of Kyverno to JSON patch operations, which do not require atomic lists.
 *
 * @throws Unsupported if it has no equivalent.
 */
export function mergeSteps(patch: JsonObject, object: Path, options: MergeOptions): MergedPatch {
  const writer = new Writer(options);
  const kept = pruned(patch);
  const operations: Operation[] = [];
  if (isObject(kept)) {
    writer.map(kept, { place: object, path: [], loops: [], schema: options.schema }, operations);
  }
  return {
    steps: [{ operations, reordered: [] }, ...writer.steps],
    conditions: conditionsOf(patch, object, (place, pattern) => writer.condition(place, pattern)),
    notes: [...writer.notes],
  };
}

/** Where a part of the patch goes. */
interface Spot {
  readonly place: Path;
  readonly path: readonly Segment[];
  readonly loops: readonly Loop[];
  readonly schema: MergeSchema | undefined;
}

interface Item extends Spot {
  readonly item: JsonObject;
  readonly keys: readonly string[];
}

const loopIndexes = ['i', 'j', 'k'];

class Writer {
  /** The steps after the operations on maps; each list item has its own step. */
  readonly steps: Step[] = [];
  readonly notes: Set<Note> = new Set();
  readonly #options: MergeOptions;

  constructor(options: MergeOptions) {
    this.#options = options;
  }

  condition(place: Path, pattern: unknown): Term {
    if (!holdsVariables(pattern)) return patternTest(place, pattern);
    const [[key, value] = ['', undefined]] = Object.entries(pattern as JsonObject);
    if (typeof value !== 'string') throw new Unsupported('variables within a condition of a patch');
    return relation(place.select(key).term, '==', textTerm(value, this.#options.variables));
  }

  map(patch: JsonObject, spot: Spot, operations: Operation[]): void {
    const { loops } = spot;
    for (const [written, value] of Object.entries(patch)) {
      const key = patchKey(written);
      if (isCondition(key)) continue;
      if (key.key === '$patch' || key.key === '$retainKeys') {
        throw new Unsupported(`the directive \`${key.key}\` of a patch`);
      }
      const member = this.#member(key.key, spot);
      const isAdded = key.modifier === '+';
      if (isAdded && hasAnchor(value, isCondition)) {
        throw new Unsupported('a condition within an addition anchor');
      }
      if (isAdded && typeof value === 'object' && value !== null) {
        this.#add(value, member, spot, operations);
      } else if (Array.isArray(value)) {
        this.#list(value, member, spot, operations);
      } else if (isObject(value)) {
        const inner: Operation[] = [];
        this.map(value, member, inner);
        if (inner.length === 0 && !this.#hasSteps(value)) continue;
        if (inner.some(({ op }) => op !== 'remove') || inner.length === 0)
          this.#makeParents(member, operations);
        operations.push(...inner);
      } else if (value === null) {
        const test = member.place.presence;
        operations.push({ op: 'remove', path: member.path, test, loops });
      } else {
        const test = isAdded ? not(member.place.presence) : always;
        this.#set({ ...member, value, test }, spot, operations);
      }
    }
  }

  /** Adds a list or map where there is none. */
  #add(given: unknown, spot: Spot, around: Spot, operations: Operation[]): void {
    const value = plainValue(given);
    const isEmpty = isObject(value) && Object.keys(value).length === 0;
    if (value === undefined || isEmpty) return;
    this.#set({ ...spot, value, test: not(spot.place.presence) }, around, operations);
  }

  // Items of lists come later, and need the values around them.
  #hasSteps(value: JsonObject): boolean {
    return Object.entries(value).some(
      ([written, item]) =>
        !isCondition(patchKey(written)) &&
        (Array.isArray(item)
          ? item.some((each) => !hasAnchor(each, isCondition))
          : isObject(item) && this.#hasSteps(item)),
    );
  }

  #member(key: string, { place, path, loops, schema }: Spot): Spot {
    const step: Segment = key.includes('{{')
      ? { kind: 'text', term: apply('jsonpatch.escapeKey', textTerm(key, this.#options.variables)) }
      : keySegment(key);
    return {
      place: place.select(key),
      path: [...path, step],
      loops,
      schema: schema && schemaOfField(schema, key),
    };
  }

  #makeParents({ place, path, loops }: Spot, operations: Operation[]): void {
    if (place.isSure) return;
    operations.push(creation(path, place.presence, { value: member('{}'), loops }));
  }

  #set(
    { place, path, value, test: given }: Spot & { readonly value: unknown; readonly test: Term },
    { loops }: Spot,
    operations: Operation[],
  ): void {
    const { variables, around } = this.#options;
    if (typeof value === 'string' && isCollection(value, variables) && given.text === always.text) {
      this.#mergeMap({ place, path, loops, schema: undefined }, value, operations);
      return;
    }
    refuseOtherType(value, place);
    const isText =
      place.known.shape?.kind === 'string' &&
      typeof value !== 'string' &&
      typeof value !== 'object';
    const term = valueTerm(isText ? String(value) : value, variables);
    const test = all([given, givenPresence(value, variables)]);
    const own = [...loops];
    if (around !== undefined && own.length === 0) {
      const isOfElement = mentions(
        [term, ...path.flatMap((step) => ('term' in step ? [step.term] : []))],
        around.loop,
      );
      if (isOfElement) own.push(around.loop);
      else {
        const exists = someElement(around.loop);
        operations.push({ op: 'add', path, value: term, test: all([exists, test]), loops: own });
        return;
      }
    }
    operations.push({ op: 'add', path, value: term, test, loops: own });
  }

  // A variable that is a map is merged key by key.
  #mergeMap(spot: Spot, variable: string, operations: Operation[]): void {
    const made = textValue(variable.trim(), this.#options.variables);
    const shape = shapeOf(made);
    if (shape?.kind !== 'map' || shape.element?.kind !== 'string' || spot.loops.length > 1) {
      throw new Unsupported('a variable that is a list or an object, which Kyverno merges');
    }
    const map = termOf(made);
    this.#makeParents(spot, operations);
    operations.push({
      op: 'add',
      path: [...spot.path, { kind: 'text', term: apply('jsonpatch.escapeKey', member('key')) }],
      value: member(`${map.text}[key]`),
      test: always,
      loops: [...spot.loops, { list: map, index: 'position', element: 'key', filter: always }],
    });
  }

  #list(items: readonly unknown[], spot: Spot, around: Spot, operations: Operation[]): void {
    const { place, loops, path } = spot;
    const keys = spot.schema?.keys;
    const kept = items.filter(
      (item) => !(isObject(item) && hasAnchor(item, ({ modifier }) => modifier === '<')),
    );
    if (kept.length === 0 && items.length > 0) return;
    const isPlain = !kept.some(isObject);
    if (isPlain && keys !== undefined && kept.length > 0) {
      const own = kept.map((item) => valueTerm(item, this.#options.variables).text).join(', ');
      const there = call(
        place.orValue(literal([])),
        'filter',
        member('item'),
        not(relation(member('item'), 'in', member(`[${own}]`))),
      );
      const value = { text: `[${own}] + ${there.text}`, binds: binding.sum };
      operations.push({ op: 'add', path, value, test: always, loops });
      return;
    }
    if (keys === undefined || isPlain) {
      if (hasAnchor(kept, () => true) && hasAnchor(kept, isAnchored)) {
        throw new Unsupported(`anchors within \`${place.key}\`, a list that Kyverno replaces`);
      }
      this.#set({ ...spot, value: kept, test: always }, around, operations);
      return;
    }
    refuseSeveralAnchored(items, place.key);
    // Kyverno puts elements from anchors after the other elements.
    const [plain, anchored] = [false, true].map((wanted) =>
      kept.filter((item) => hasAnchor(item, isAnchored) === wanted),
    );
    for (const item of [...(plain ?? []), ...(anchored ?? [])].toReversed()) {
      if (!isObject(item)) throw new Unsupported('a plain value in a list of objects');
      this.#item({ ...spot, item, keys });
    }
  }

  #item(given: Item): void {
    const { item, keys, place, path, loops, schema } = given;
    const { around } = this.#options;
    const name = this.#loopNameOf(given);
    const isAround = around !== undefined && isElementName(item['name'] ?? item['(name)']);
    const isItsList = isAround && around.place?.term.text === place.term.text;
    const index = loopIndexes[loops.length] ?? 'n';
    const element = isItsList ? around.element : elementPath(place, name);
    const list = place.isSure ? place.term : place.orValue(literal([]));
    const { ['(name)']: condition, name: plain, ...others } = item;
    const hasAnchors = hasAnchor(item, isAnchored);
    const filter = isAround
      ? this.#filterAround(around, isItsList, { others, element, list })
      : hasAnchors
        ? this.#anchoredFilter(given, element)
        : this.#keyFilter(given, element);
    if (plain !== undefined && isAround && !isItsList) {
      throw new Unsupported('a loop over one list that adds to another');
    }
    const loop: Loop = isItsList
      ? { ...around.loop, filter }
      : { list, index, element: element.term.text, filter };
    const isNew = !hasAnchors && !isAround;
    if (this.#options.keepsOrder && (isNew || filter.text !== always.text)) this.#noteOrder(place);
    const at = this.steps.length;
    const operations: Operation[] = [];
    const inside: Spot = {
      place: element,
      path: [...path, { kind: 'index', term: member(loop.index) }],
      loops: [...loops, loop],
      schema: schema === undefined ? undefined : { definition: schema.definition },
    };
    const rest =
      isNew || isAround
        ? without(item, ['(name)', ...(isNew ? keys : ['name'])])
        : without(item, ['name']);
    this.map(rest, inside, operations);
    // An element to which nothing is added is not patched, and stays where it is.
    const isOpen = operations.some(({ test }) => test.text === always.text);
    const isPatched = isOpen ? always : any(operations.map(({ test }) => test));
    const chosen = isAround ? all([filter, isPatched]) : filter;
    const isMoved = !this.#options.keepsOrder && !isNew && chosen.text !== always.text;
    // Lists within the element are patched in separate steps.
    const isTouched = operations.length > 0 || this.steps.length > at;
    if (isMoved && (isTouched || (!isAround && isLeftOf(item)))) {
      operations.push(this.#moves(given, { ...loop, filter: chosen }));
    }
    if (isNew) operations.push(...this.#placement(given, loop));
    const reordered = isNew || isMoved ? [patternOf(path)] : [];
    if (operations.length > 0) this.steps.splice(at, 0, { operations, reordered });
  }

  /** Returns the test that selects the elements to patch inside a loop, depending on the list of the loop. */
  #filterAround(
    { element: its, loop }: Around,
    isItsList: boolean,
    { others, element, list }: { others: JsonObject; element: Path; list: Term },
  ): Term {
    if (holdsAddition(others)) this.notes.add(differenceNotes.firstElement);
    const own = conditionsOf(others, element, (at, pattern) => this.condition(at, pattern));
    if (isItsList) return all([loop.filter, ...own]);
    if (isPartOf(loop, list)) return all(own);
    const same = relation(its.select('name').term, '==', element.select('name').term);
    const isThere = all([loop.filter, same]);
    return all([call(loop.list, 'exists', member(loop.element), isThere), ...own]);
  }

  /** Which elements are meant by anchors. */
  #anchoredFilter({ item, keys, place }: Item, element: Path): Term {
    if (keys.join() !== 'name') {
      throw new Unsupported(`anchors in \`${place.key}\`, whose elements have no name`);
    }
    const own = conditionsOf(item, element, (at, pattern) => this.condition(at, pattern));
    if (hasAnchor(item, ({ modifier }) => modifier === '+')) {
      this.notes.add(differenceNotes.firstElement);
    }
    return all(own);
  }

  /** Which element is meant by its keys. */
  #keyFilter({ item, keys, place }: Item, element: Path): Term {
    const values = keys.map((key) => item[key]);
    if (values.some((value) => value === undefined || typeof value === 'object')) {
      throw new Unsupported(
        `an element of \`${place.key}\` without its ${keys.join(' and ')}, which Kyverno loses`,
      );
    }
    const { variables } = this.#options;
    return all(
      keys.map((key) => relation(element.select(key).term, '==', valueTerm(item[key], variables))),
    );
  }

  #loopNameOf({ place, loops }: Spot): string {
    const name = loopName(place, loops.length === 0 ? 'element' : 'item');
    return loops.some(({ element }) => element === name) ? `${name}${loops.length + 1}` : name;
  }

  // Kyverno moves the elements that it patched to the front, one after the other.
  #moves({ path, loops }: Item, loop: Loop): Operation {
    const { list, index, element, filter } = loop;
    const indexes = call(
      list,
      'transformList',
      member(index),
      member(element),
      filter,
      member(index),
    );
    const [from, to] = ['from', 'to'].map(member);
    const at = (term: Term = member(index)): Segment => ({ kind: 'index', term });
    return {
      op: 'move',
      from: [...path, at(from)],
      path: [...path, at(to)],
      test: always,
      loops: [...loops, { list: indexes, index: 'to', element: 'from', filter: always }],
    };
  }

  #noteOrder({ key }: Path): void {
    this.notes.add(orderNote(key));
  }

  // An element of the patch comes first, made where it is not there yet.
  #placement({ item, place, path, loops }: Item, loop: Loop): readonly Operation[] {
    const { variables, keepsOrder, around } = this.#options;
    const { list, element, filter, index } = loop;
    const value = valueTerm(plainValue(item), variables);
    const isThere = call(list, 'exists', member(element), filter);
    const isAsked = around === undefined ? always : someElement(around.loop);
    const operations: Operation[] = [];
    if (!keepsOrder) {
      const from: Segment[] = [...path, { kind: 'index', term: member(index) }];
      const first = [...path, keySegment('0')];
      operations.push({ op: 'move', from, path: first, test: isAsked, loops: [...loops, loop] });
    }
    if (!place.isSure) {
      operations.push(creation(path, place.presence, { value: member('[]'), loops }));
    }
    const end = [...path, keySegment(keepsOrder ? '-' : '0')];
    operations.push({ op: 'add', path: end, value, test: all([isAsked, not(isThere)]), loops });
    return operations;
  }
}

// Whether a loop goes through every element of a list, among others.
function isPartOf({ list, filter }: Loop, part: Term): boolean {
  return filter.text === always.text && list.text.split(' + ').includes(part.text);
}

// Kyverno leaves out null values, and ends in an error for an absent field.
function givenPresence(value: unknown, variables: Variables): Term {
  if (typeof value !== 'string' || !holdsVariables(value)) return always;
  const made = textValue(value, variables);
  return made.kind === 'path' ? always : presenceOf(made);
}

function someElement({ list, element, filter }: Loop): Term {
  return filter.text === always.text
    ? { text: `size(${list.text}) > 0`, binds: binding.relation }
    : call(list, 'exists', member(element), filter);
}

function mentions(terms: readonly Term[], { element, index }: Loop): boolean {
  const name = new RegExp(`\\b(?:${element}|${index})\\b`);
  return terms.some(({ text }) => name.test(text.replace(/'(?:[^'\\]|\\.)*'/g, "''")));
}

function isElementName(value: unknown): boolean {
  return typeof value === 'string' && /^\{\{\s*element\d?\.name\s*\}\}$/.test(value);
}

function without(item: JsonObject, keys: readonly string[]): JsonObject {
  return Object.fromEntries(Object.entries(item).filter(([key]) => !keys.includes(key)));
}
