import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { sortedKeys } from '@kubeadmit/go';
import { type Anchor, hasWildcard, parseAnchor, satisfies } from '@kubeadmit/kyverno/patterns';
import { literal } from '../cel/literal.ts';
import type { Path } from '../cel/path.ts';
import { listShape, stringShape } from '../cel/shapes.ts';
import { all, always, any, binding, call, member, never, not, type Term } from '../cel/term.ts';
import { wildcardTest } from '../cel/wildcard.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { ComputedPattern, holdsComputed } from './dynamic.ts';
import { elementPath, loopName } from './loop.ts';
import { booleanOf, placeSatisfies, valueSatisfies } from './scalar.ts';

/**
 * The result of a part of a pattern for a resource (Kyverno's `pkg/engine/validate`).
 *
 * A part either passes or is skipped; if it is skipped, Kyverno stops comparing.
 */
interface Said {
  readonly passes: Term;
  readonly skips: Term;
}

/** Whether a resource passes a pattern. */
export function patternTest(root: Path, pattern: unknown): Term {
  return elementSays(root, pattern, 'element').passes;
}

/**
 * Whether a resource passes one of several patterns: it is not enough that one is not matched, unless none of
 * them is.
 */
export function anyPatternTest(root: Path, patterns: readonly unknown[]): Term {
  if (hasGlobalAnchors(patterns)) throw new Unsupported('a global anchor within `anyPattern`');
  const said = patterns.map((pattern) => elementSays(root, pattern, 'element'));
  const passes = said.map((each) => all([each.passes, not(each.skips)]));
  return any([...passes, all(said.map(({ skips }) => skips))]);
}

const satisfied: Said = { passes: always, skips: never };

/** Compares one after the other, until one fails or is not matched. */
function inOrder(parts: readonly Said[]): Said {
  return parts.reduceRight(
    (rest, part) => ({
      passes: all([part.passes, any([part.skips, rest.passes])]),
      skips: any([part.skips, all([part.passes, rest.skips])]),
    }),
    satisfied,
  );
}

/**
 * Compares all anchors of a map: a condition that does not hold ends it, while lists and maps whose parts are not
 * concerned count only where no other anchor passes.
 */
function anchorsSay(parts: readonly (readonly [Member, Said])[]): Said {
  const isCondition = ({ anchor }: Member): boolean => anchor?.modifier === '';
  const passes = parts.reduceRight(
    (rest, [member, said]) =>
      all([said.passes, isCondition(member) ? any([said.skips, rest]) : rest]),
    always,
  );
  const conditions = parts.filter(([member]) => isCondition(member));
  const every = parts.length === 0 ? never : all(parts.map(([, { skips }]) => skips));
  return { passes, skips: any([...conditions.map(([, { skips }]) => skips), every]) };
}

function elementSays(place: Path, pattern: unknown, loop: string): Said {
  if (pattern instanceof ComputedPattern) {
    return { passes: holdsComputed(place, pattern), skips: never };
  }
  if (isObject(pattern)) return mapSays(place, pattern, loop);
  if (Array.isArray(pattern)) return listSays(place, pattern, loop);
  return { passes: placeSatisfies(place, pattern), skips: never };
}

function mapSays(place: Path, given: JsonObject, loop: string): Said {
  const pattern = place.isMetadataMap ? withStringsOnly(given) : given;
  const members = membersOf(pattern);
  const [only] = members;
  // A single member asks for the whole way to it.
  const isChain = members.length === 1 && only !== undefined && isRequired(only);
  const inside = isChain ? place : place.present;
  const anchored = members.filter(isAnchored);
  const others = members.filter((each) => !isAnchored(each));
  const inner = inOrder([
    anchorsSay(anchored.map((each) => [each, memberSays(inside, each, loop)])),
    ...others.map((each) => memberSays(inside, each, loop)),
  ]);
  if (isChain) return inner;
  return { passes: all([place.presence, inner.passes]), skips: all([place.presence, inner.skips]) };
}

/** Labels and annotations of a pattern: Kyverno loses those that are not strings (`ExpandInMetadata`). */
function withStringsOnly(pattern: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(pattern).filter(
      ([, value]) => typeof value === 'string' || value instanceof ComputedPattern,
    ),
  );
}

// Whether the member is compared also where the map around it is absent, with the same outcome.
function isRequired({ anchor, value }: Member): boolean {
  if (anchor !== undefined) return false;
  if (value instanceof ComputedPattern) return true;
  return isObject(value) || Array.isArray(value) || !satisfies(null, value);
}

interface Member {
  readonly key: string;
  readonly anchor: Anchor | undefined;
  readonly value: unknown;
}

// Anchors decide first, then members with anchors below them, the last one at the front.
function membersOf(pattern: JsonObject): readonly Member[] {
  const keys = Object.keys(pattern).map((written) => parseAnchor(written)?.key ?? written);
  if (new Set(keys).size < keys.length) {
    throw new Unsupported('one key several times in a pattern, with different anchors');
  }
  const anchored: Member[] = [];
  const nested: Member[] = [];
  const plain: Member[] = [];
  for (const written of sortedKeys(pattern)) {
    const value = pattern[written];
    const anchor = parseAnchor(written);
    const key = anchor?.key ?? written;
    const each = { key, anchor, value };
    if (isAnchored(each)) anchored.push(each);
    else if (anchor !== undefined || hasAnchors(value)) nested.push(each);
    else plain.push(each);
  }
  return [...anchored, ...nested.reverse(), ...plain];
}

function isAnchored({ anchor }: Member): boolean {
  return anchor !== undefined && anchor.modifier !== '<';
}

function hasAnchors(pattern: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some(hasAnchors);
  if (pattern instanceof ComputedPattern || !isObject(pattern)) return false;
  return Object.keys(pattern).some(
    (key) => parseAnchor(key) !== undefined || hasAnchors(pattern[key]),
  );
}

function hasGlobalAnchors(pattern: unknown): boolean {
  if (Array.isArray(pattern)) return pattern.some(hasGlobalAnchors);
  if (pattern instanceof ComputedPattern || !isObject(pattern)) return false;
  return Object.keys(pattern).some(
    (key) => parseAnchor(key)?.modifier === '<' || hasGlobalAnchors(pattern[key]),
  );
}

// A key with wildcards stands for the labels or annotations that match it.
function matchingSays(place: Path, { key, anchor, value }: Member): Said {
  const map = place.orValue(literal({}));
  const isKey = wildcardTest(member('key'), key);
  const known = place.known.shape?.element ?? stringShape;
  const fits = valueSatisfies(member(`${map.text}[key]`), known, value);
  switch (anchor?.modifier) {
    case undefined:
      return { passes: call(map, 'exists', member('key'), all([isKey, fits])), skips: never };
    case '=':
      return { passes: call(map, 'all', member('key'), any([not(isKey), fits])), skips: never };
    case 'X':
      return { passes: not(call(map, 'exists', member('key'), isKey)), skips: never };
    default:
      throw new Unsupported(`the key \`${anchor?.modifier}(${key})\` of a pattern has wildcards`);
  }
}

function memberSays(place: Path, { key, anchor, value }: Member, loop: string): Said {
  // Only those of labels and annotations are looked for; others are keys that nothing has.
  if (hasWildcard(key) && ['labels', 'annotations'].includes(place.key)) {
    return matchingSays(place, { key, anchor, value });
  }
  const inside = place.select(key);
  const absent = not(inside.presence);
  switch (anchor?.modifier) {
    case undefined:
      if (value === '*') return { passes: inside.presence, skips: never };
      return elementSays(inside, value, loop);
    case 'X':
      return { passes: absent, skips: never };
    case '=': {
      const short = whereGiven(inside, value);
      if (short !== undefined) return { passes: short, skips: never };
      const inner = elementSays(inside.present, value, loop);
      if (isListOfMaps(value) && inner.skips.text === never.text) {
        return { passes: listTest(inside, value, loop).passes, skips: never };
      }
      return {
        passes: any([absent, inner.passes]),
        skips: all([inside.presence, inner.skips]),
      };
    }
    case '^':
      return { passes: any([absent, exists(inside, value, loop)]), skips: never };
    case '': {
      const inner = elementSays(inside, value, loop);
      const holds = all([inside.presence, inner.passes, not(inner.skips)]);
      return { passes: always, skips: not(holds) };
    }
    case '<': {
      if (hasAnchors(value)) throw new Unsupported('anchors within a global anchor');
      const inner = elementSays(inside.present, value, loop);
      return { passes: always, skips: all([inside.presence, not(inner.passes)]) };
    }
    case '+':
      throw new Unsupported('an addition anchor in a pattern of validation');
  }
}

// Returns a test that holds unless a boolean is present with another value: `place.?a.?b.orValue(true)`.
function whereGiven(place: Path, value: unknown): Term | undefined {
  if (isObject(value)) {
    const [[written, inner] = ['', undefined], ...others] = Object.entries(value);
    const anchor = parseAnchor(written);
    if (others.length > 0 || anchor?.modifier !== '=' || hasWildcard(anchor.key)) return undefined;
    return whereGiven(place.select(anchor.key), inner);
  }
  const wanted = place.known.shape?.kind === 'bool' ? booleanOf(value) : undefined;
  if (wanted === undefined) return undefined;
  const given = place.orValue(literal(wanted));
  return wanted ? given : not(given);
}

function isListOfMaps(value: unknown): value is readonly unknown[] {
  return Array.isArray(value) && isObject(value[0]);
}

function exists(place: Path, pattern: unknown, loop: string): Term {
  if (!Array.isArray(pattern)) throw new Unsupported('an existence anchor without a list');
  const name = loopName(place, loop);
  return all(
    pattern.map((item) => {
      const inner = elementSays(elementPath(place, name), item, `${name}Inner`);
      const holds = all([inner.passes, not(inner.skips)]);
      return call(place.term, 'exists', member(name), holds);
    }),
  );
}

function listSays(place: Path, pattern: readonly unknown[], loop: string): Said {
  const [first] = pattern;
  if (first === undefined) throw new Unsupported('an empty list in a pattern always fails');
  if (Array.isArray(first)) throw new Unsupported('a list of lists in a pattern');
  if (!isObject(first)) {
    const test = valueSatisfies(place.term, place.known.shape ?? listOfAnything, first);
    return { passes: all([place.presence, test]), skips: never };
  }
  const { passes, skips } = listTest(place, pattern, loop, place.term);
  return { passes: all([place.presence, passes]), skips: all([place.presence, skips]) };
}

// The required shape of a field of an unknown kind where the pattern has a list.
const listOfAnything = listShape('');

// Every element of a list is compared; one that is absent has none.
function listTest(
  place: Path,
  pattern: readonly unknown[],
  loop: string,
  list: Term = place.orValue(literal([])),
): Said {
  const name = loopName(place, loop);
  const inner = elementSays(elementPath(place, name), pattern[0], `${name}Inner`);
  const isOpen = inner.passes.text === always.text;
  const passes = isOpen ? always : call(list, 'all', member(name), inner.passes);
  if (inner.skips.text === never.text) return { passes, skips: never };
  const none = call(list, 'all', member(name), inner.skips);
  const skips = all([{ text: `size(${list.text}) > 0`, binds: binding.relation }, none]);
  return { passes, skips };
}
