import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { parseAnchor } from '@kubeadmit/kyverno/patterns';
import { literal, quoted } from '../cel/literal.ts';
import { Path } from '../cel/path.ts';
import { all, call, member, type Term } from '../cel/term.ts';
import { holdsVariables, isCollection, textTerm } from '../jmespath/text-value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { type Note, orderNote } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { patternTest } from '../pattern/pattern.ts';
import { refuseOtherType } from './field-type.ts';
import {
  hasAnchor,
  isAnchored,
  isCondition,
  refuseAnchorsInLists,
  refuseRepeatedKeys,
  refuseSeveralAnchored,
  requiredPattern,
} from './patch-anchors.ts';

/** An apply configuration, and the conditions on the object for applying it. */
export interface Configuration {
  readonly expression: string;
  readonly conditions: readonly Term[];
  readonly notes: readonly Note[];
}

/**
 * Converts a strategic merge patch of Kyverno to an apply configuration.
 *
 * @throws Unsupported if an apply configuration cannot express the patch.
 */
export function configurationOf(
  patch: JsonObject,
  variables: Variables,
  keepsOrder: boolean,
): Configuration {
  const writer = new Writer(variables, keepsOrder);
  const expression = writer.object(patch, variables.object, 'Object', 0);
  const { conditions, notes } = writer;
  return { expression, conditions, notes };
}

class Writer {
  /** Anchors outside of lists decide about the whole patch. */
  readonly conditions: Term[] = [];
  readonly notes: Note[] = [];
  readonly #variables: Variables;
  /** Whether elements may stay where they are, where Kyverno puts them first. */
  readonly #keepsOrder: boolean;

  constructor(variables: Variables, keepsOrder: boolean) {
    this.#variables = variables;
    this.#keepsOrder = keepsOrder;
  }

  object(patch: JsonObject, place: Path, type: string, depth: number): string {
    return this.#members(patch, place, type, depth, this.conditions);
  }

  #members(
    patch: JsonObject,
    place: Path,
    type: string,
    depth: number,
    conditions: Term[],
  ): string {
    refuseRepeatedKeys(patch);
    const isMap = place.known.shape?.kind === 'map';
    const lines: string[] = [];
    for (const [written, value] of Object.entries(patch)) {
      const anchor = parseAnchor(written);
      const key = anchor?.key ?? written;
      if (holdsVariables(key)) throw new Unsupported('a key with variables');
      if (anchor !== undefined && anchor.modifier !== '+') {
        if (anchor.modifier !== '') throw new Unsupported(`the anchor \`${written}\` in a patch`);
        refuseComputed(value);
        conditions.push(
          place.select(key).presence,
          patternTest(place, { [key]: requiredPattern(value) }),
        );
        continue;
      }
      if (value === null) throw new Unsupported('a patch that removes a field', 'use a JSON patch');
      if (anchor !== undefined && hasAnchor(value, isCondition)) {
        throw new Unsupported('a condition within an addition anchor');
      }
      const inside = place.select(key);
      if (inside.isAtomic) {
        throw new Unsupported(
          `\`${key}\` is atomic: an apply configuration cannot change a part of it`,
          'use a JSON patch',
        );
      }
      const made = this.#value(value, inside, `${type}.${key}`, depth + 1, conditions);
      if (made === '') continue;
      const name = isMap ? quoted(key) : fieldName(key);
      lines.push(
        anchor === undefined
          ? `${name}: ${made}`
          : `?${name}: ${inside.presence.text.replaceAll('\n', ' ')} ? optional.none() : optional.of(${made})`,
      );
    }
    if (lines.length === 0) return '';
    const open = isMap ? '{' : `${type}{`;
    const indent = '  '.repeat(depth + 1);
    return `${open}\n${lines.map((line) => indent + line).join(',\n')}\n${'  '.repeat(depth)}}`;
  }

  #value(value: unknown, place: Path, type: string, depth: number, conditions: Term[]): string {
    if (typeof value === 'string') {
      if (isCollection(value, this.#variables)) {
        throw new Unsupported('a variable that is a list or map');
      }
      return textTerm(value, this.#variables).text;
    }
    if (Array.isArray(value)) return this.#list(value, place, type, depth);
    refuseOtherType(value, place);
    if (!isObject(value)) return literal(value).text;
    return this.#members(value, place, type, depth, conditions);
  }

  // Elements of lists with keys merge with those of the same key.
  #list(items: readonly unknown[], place: Path, type: string, depth: number): string {
    const { shape } = place.known;
    if (shape?.kind !== 'list' || shape.element?.kind !== 'struct') {
      throw new Unsupported('a patch of a list without merge keys', 'use a JSON patch');
    }
    const known = { ...place.known, shape: shape.element };
    refuseSeveralAnchored(items, place.key);
    const parts = items.map((item) => {
      if (!isObject(item)) throw new Unsupported('a plain value in a list of objects');
      const hasAnchors = Object.keys(item).some((key) => parseAnchor(key) !== undefined);
      if (!hasAnchors && hasAnchor(item, isAnchored)) {
        throw new Unsupported('anchors at some depth of an element', 'use a JSON patch');
      }
      const element = new Path(member('element'), known);
      if (!hasAnchors) {
        this.#noteOrder(place);
        if (typeof item['name'] !== 'string') throw new Unsupported('an element without a name');
        return `[${this.#members(item, element, type, depth, [])}]`;
      }
      return this.#matching(item, element, { place, type, depth });
    });
    return parts.join(' + ');
  }

  #matching(
    item: JsonObject,
    element: Path,
    { place, type, depth }: { readonly place: Path; readonly type: string; readonly depth: number },
  ): string {
    if (hasAnchor(item, ({ modifier }) => modifier === '+')) {
      throw new Unsupported('additions to elements, which Kyverno decides by the first one');
    }
    const conditions: Term[] = [];
    const patch = { ...item };
    delete patch['(name)'];
    const name = item['(name)'];
    if (name !== undefined) conditions.push(patternTest(element, { name }));
    const made = this.#members({ ...patch, name: '' }, element, type, depth, conditions);
    const named = made.replace("name: ''", 'name: element.name');
    const test = all(conditions);
    if (test.text !== 'true') this.#noteOrder(place);
    const list = member(place.isSure ? place.term.text : place.orValue(literal([])).text);
    const chosen = test.text === 'true' ? list : call(list, 'filter', member('element'), test);
    return call(chosen, 'map', member('element'), member(named)).text;
  }

  #noteOrder({ key }: Path): void {
    if (!this.#keepsOrder) throw new Unsupported('elements that are added at the front');
    this.notes.push(orderNote(key));
  }
}

/** @throws Unsupported for conditions that cannot be a pattern: with variables, or with anchors within lists. */
function refuseComputed(value: unknown): void {
  if (holdsVariables(value)) throw new Unsupported('variables within a condition of a patch');
  refuseAnchorsInLists(value);
}

function fieldName(key: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(key) ? key : `\`${key}\``;
}
