import { isObject } from '@kubeadmit/apimachinery';
import { unescapePointerSegment } from '@kubeadmit/go';
import { readVariables } from '@kubeadmit/kyverno/unstable-internal';
import type { Path } from '../cel/path.ts';
import { all, always, apply, binding, choice, member, type Term } from '../cel/term.ts';
import { holdsVariables, textTerm, valueTerm } from '../jmespath/text-value.ts';
import type { Variables } from '../jmespath/variables.ts';
import { Unsupported } from '../notes/unsupported.ts';
import {
  creation,
  keySegment,
  type Loop,
  type Operation,
  patternOf,
  type Segment,
} from './operations.ts';
import { readPatchText } from './patch-text.ts';
import { joined, type Step } from './steps.ts';

/** The loops around a patch, and the elements that they go through. */
export interface Looped {
  readonly loops: readonly Loop[];
  /** Elements by the pointers to them. */
  readonly elements: ReadonlyMap<string, Path>;
}

const unlooped: Looped = { loops: [], elements: new Map() };

/**
 * Converts a JSON patch of Kyverno to steps, one for each operation.
 *
 * Missing parents are created, and the removal of a missing value is skipped.
 *
 * @throws Unsupported for operations without an equivalent.
 */
export function jsonPatchSteps(
  source: unknown,
  variables: Variables,
  looped: Looped = unlooped,
): readonly Step[] {
  const list = readPatchText(String(source), variables);
  const writer = new Writer(variables, looped);
  const steps = list.map((each): Step => {
    const operations = writer.operations(each);
    const reordered = operations.flatMap(({ op, path }) =>
      path.at(-1)?.kind === 'index' || (op === 'remove' && /^\d+$/.test(lastKey(path)))
        ? [patternOf(path.slice(0, -1))]
        : [],
    );
    const removed = operations.flatMap(({ op, path }) =>
      op === 'remove' ? [patternOf(path)] : [],
    );
    return { operations, reordered: [...reordered, ...removed] };
  });
  if (steps.every((step, at) => isFree(step, steps.slice(at + 1)))) {
    return [steps.reduce(joined, { operations: [], reordered: [] })];
  }
  if (
    steps.some(({ operations }) => operations.some(({ path }) => lastKey(path) === 'hostNetwork'))
  ) {
    throw new Unsupported(
      '`hostNetwork` in a patch of several steps, after each of which a server sets host ports',
    );
  }
  if (holdsVariables(list)) {
    throw new Unsupported(
      'operations that depend on each other, with variables of the original object',
    );
  }
  return steps;
}

// Whether no step moves or removes what another one names.
function isFree(step: Step, others: readonly Step[]): boolean {
  const names = (places: readonly string[], { operations }: Step): boolean =>
    operations.some(({ path }) =>
      places.some((each) => `${patternOf(path)}/`.startsWith(`${each}/`)),
    );
  return others.every(
    (other) =>
      !names(step.reordered, other) && !names(other.reordered, step) && !readsAdded(step, other),
  );
}

// Whether a later step reads an element by its index in a list to which an earlier one adds.
function readsAdded(step: Step, other: Step): boolean {
  const lists = step.operations
    .filter(({ op, path }) => op === 'add' && /^(?:-|\d+)$/.test(lastKey(path)))
    .map(({ path }) => patternOf(path.slice(0, -1)));
  return other.operations.some(
    ({ op, path }) =>
      op !== 'add' &&
      lists.some((list) => {
        const place = patternOf(path);
        return place.startsWith(`${list}/`) && /^\d/.test(place.slice(list.length + 1));
      }),
  );
}

function lastKey(path: readonly Segment[]): string {
  const last = path.at(-1);
  return last?.kind === 'key' ? last.key : '';
}

class Writer {
  readonly #variables: Variables;
  readonly #looped: Looped;
  /** The pointers to values that earlier operations of the patch add. */
  readonly #added: Set<string> = new Set();

  constructor(variables: Variables, looped: Looped) {
    this.#variables = variables;
    this.#looped = looped;
  }

  operations(source: unknown): readonly Operation[] {
    if (!isObject(source)) throw new Unsupported('an operation that is not a map');
    const { op, path, from, value } = source;
    if (typeof op !== 'string' || typeof path !== 'string' || path === '') {
      throw new Unsupported('an operation without `op` or `path`');
    }
    if (op === 'test') {
      throw new Unsupported(
        '`test` of a JSON patch: Kyverno rejects the request, an admission policy skips the patch',
      );
    }
    if (op === 'remove' && path.endsWith('/-')) {
      throw new Unsupported('`remove` of a JSON patch without an index');
    }
    const { loops } = this.#looped;
    const way = this.#way(path);
    const place = way.at(-1)?.place;
    const isAdded = this.#added.has(path);
    if (op === 'add') this.#added.add(path);
    const operation: Operation = {
      op: op as Operation['op'],
      path: way.map(({ step }) => step),
      ...(typeof from === 'string' ? { from: this.#way(from).map(({ step }) => step) } : {}),
      ...(value === undefined ? {} : { value: this.#value(isAdded ? 'add' : op, value, place) }),
      test: op === 'remove' && !isAdded ? (way.at(-1)?.place.presence ?? always) : always,
      loops,
    };
    return op === 'add' ? [...this.#parents(way), operation] : [operation];
  }

  // A replaced value must exist; reading an absent one ends in an error, as in Kyverno.
  #value(op: string, value: unknown, place: Path | undefined): Term {
    const made = valueTerm(value, this.#variables);
    if (op !== 'replace' || place === undefined || place.isSure) return made;
    return choice(place.presence, apply('dyn', made), apply('dyn', place.term));
  }

  // Parent maps and lists of the added value.
  #parents(way: readonly Stop[]): readonly Operation[] {
    return way.slice(0, -1).flatMap(({ place, step }, at): readonly Operation[] => {
      const index = lastKey([step]);
      const list = way[at - 1]?.place.key;
      if (
        /^\d+$/.test(index) &&
        isElementOfList(way, at) &&
        !(index === '0' && list === 'containers')
      ) {
        throw new Unsupported(
          'an element by its index, which Kyverno creates if it is missing',
          'use `foreach`, or add to the end of the list',
        );
      }
      // Nothing is made of a list that has to be there for its element.
      if (place.isSure || step.kind === 'index' || /^\d+$/.test(lastKey([step]))) return [];
      const next = way[at + 1];
      const isFromEnd = /^-\d+$/.test(next?.written ?? '') && at + 2 < way.length;
      const isList =
        next?.step.kind === 'index' ||
        (next?.step.kind === 'key' && /^(?:-|\d+)$/.test(next.step.key));
      const path = way.slice(0, at + 1).map((stop) => stop.step);
      const value = member(isFromEnd ? '[{}]' : isList ? '[]' : '{}');
      return [creation(path, place.presence, { value, loops: this.#looped.loops })];
    });
  }

  // The parents of the target of a pointer.
  #way(pointer: string): readonly Stop[] {
    const stops: Stop[] = [];
    let place = this.#variables.object;
    for (const [at, part] of pointer.split('/').slice(1).entries()) {
      const step = this.#step(part, place, at === pointer.split('/').length - 2);
      const written = this.#normal(part);
      const element = this.#looped.elements.get(`${patternWritten(stops)}/${written}`);
      if (element !== undefined) place = element;
      else if (step.kind === 'index') place = place.index(step.term);
      else if (step.kind === 'text') place = place.select(step.term.text);
      else if (/^\d+$/.test(step.key) && isList(place)) place = place.index(Number(step.key));
      else place = place.select(step.key);
      stops.push({ step, place, written });
    }
    return stops;
  }

  // The innermost index has a name without a number, too.
  #normal(part: string): string {
    const [, digits] = /^\{\{\s*elementIndex(\d?)\s*\}\}$/.exec(part) ?? [];
    return digits === undefined
      ? part
      : `{{elementIndex${digits || this.#looped.loops.length - 1}}}`;
  }

  #step(part: string, place: Path, isLast: boolean): Segment {
    if (/^-\d+$/.test(part)) {
      if (isLast && part === '-1') return keySegment('-');
      const size = `size(${place.term.text})`;
      const fromEnd = { text: `${size} - ${part.slice(1)}`, binds: binding.sum };
      // Where there is no list yet, it is made with one element.
      const isFilled = all([place.presence, { text: `${size} > 0`, binds: binding.relation }]);
      const term =
        part === '-1' && !place.isSure
          ? member(`(${choice(isFilled, fromEnd, member('0')).text})`)
          : fromEnd;
      return { kind: 'index', term };
    }
    if (readVariables(part).length === 0) {
      return keySegment(unescapePointerSegment(part));
    }
    const term = textTerm(part, this.#variables);
    return /^\{\{\s*elementIndex\d?\s*\}\}$/.test(part)
      ? { kind: 'index', term }
      : { kind: 'text', term: /^'|\+ '/.test(term.text) ? term : asText(term) };
  }
}

function isElementOfList(way: readonly Stop[], at: number): boolean {
  return way[at - 1]?.place.known.shape?.kind === 'list';
}

function asText(term: Term): Term {
  return apply('string', term);
}

interface Stop {
  readonly step: Segment;
  readonly place: Path;
  readonly written: string;
}

function patternWritten(stops: readonly Stop[]): string {
  return stops.map(({ written }) => `/${written}`).join('');
}

function isList({ known }: Path): boolean {
  return known.shape?.kind !== 'map' && known.shape?.struct === undefined;
}
