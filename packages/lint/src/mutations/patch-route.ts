import { unescapePointerSegment } from '@kubeadmit/go';
import type { MergeType } from '@kubeadmit/schemas/merge';
import type { Known, TextPiece } from './known.ts';

/** Known facts about a JSON pointer; `undefined` for a segment that may be anything. */
export interface Route {
  readonly segments: readonly (string | undefined)[];
  /** More segments may follow. */
  readonly isOpen: boolean;
}

/** Returns the route in a string, or `undefined` if the value is not a string. */
export function routeOf(known: Known): Route | undefined {
  if (known.kind === 'scalar') {
    return typeof known.value === 'string' ? routeOfPieces([known.value]) : undefined;
  }
  return known.kind === 'text' ? routeOfPieces(known.pieces) : undefined;
}

function routeOfPieces(pieces: readonly TextPiece[]): Route {
  const segments: (string | undefined)[] = [''];
  for (const piece of pieces) {
    const last = segments.length - 1;
    if (typeof piece !== 'string') {
      segments[last] = undefined;
      if (piece.hasSlash) return { segments, isOpen: true };
      continue;
    }
    const [first = '', ...more] = piece.split('/');
    if (segments[last] !== undefined) segments[last] += first;
    segments.push(...more);
  }
  return { segments, isOpen: false };
}

/** A document in which a route leads as far as the schema lets it. */
export interface RoutedDocument {
  readonly route: Route;
  readonly document: Readonly<Record<string, unknown>>;
  /** The pointer, with names in place of unknown parts. */
  readonly path: string;
  /** The type at the end of the route; `undefined` if nothing can be there. */
  readonly target: MergeType | undefined;
  /** Whether the last name is known, so that `target` counts. */
  readonly isTargetKnown: boolean;
  /** Names of fields and keys to the target, `[]` for elements. */
  readonly steps: readonly string[];
}

const longestList = 1000;

/**
 * Builds the document on which operations on a route are most likely to succeed, or returns `undefined` if
 * the schema does not contain enough information.
 */
export function routedDocument(root: MergeType, route: Route): RoutedDocument | undefined {
  return new RouteBuilder().build(root, route);
}

class RouteBuilder {
  readonly #path: string[] = [];
  readonly #steps: string[] = [];
  #target: MergeType | undefined;
  #isTargetKnown = true;

  build(root: MergeType, route: Route): RoutedDocument | undefined {
    const { segments, isOpen } = route;
    const [first = '', ...rest] = segments;
    this.#path.push(first);
    // An unknown string may contain any number of further segments.
    if (isOpen && rest.length === 0) return undefined;
    const document = this.#node(root, rest, isOpen);
    if (document === tooLittle) return undefined;
    return {
      route,
      document: document as Readonly<Record<string, unknown>>,
      path: this.#path.join('/'),
      target: this.#target,
      isTargetKnown: this.#isTargetKnown,
      steps: this.#steps,
    };
  }

  #node(type: MergeType, rest: readonly (string | undefined)[], isOpen: boolean): unknown {
    const { map, list } = type;
    if (rest.length === 0) {
      this.#target = type;
      return existing(type);
    }
    if (map !== undefined && list !== undefined) return tooLittle;
    const [segment, ...more] = rest;
    if (map !== undefined) {
      if (segment === undefined && map.names !== undefined && map.names().length > 0) {
        // Any field may be meant, so only its parent is known.
        return more.length > 0 ? tooLittle : this.#unknownMember();
      }
      const name = segment === undefined ? 'key' : unescapePointerSegment(segment);
      this.#path.push(segment ?? name);
      this.#steps.push(name);
      const member = map.field(name)?.type ?? map.element;
      if (member === undefined) {
        this.#path.push(...more.map((each) => each ?? 'key'));
        return {};
      }
      if (segment === undefined && isOpen) this.#isTargetKnown = false;
      const inner = this.#node(member, more, isOpen);
      return inner === tooLittle ? tooLittle : { [name]: inner };
    }
    if (list === undefined) {
      this.#path.push(...rest.map((each) => each ?? 'key'));
      return existing(type);
    }
    return this.#elements(list.element, segment, more, isOpen);
  }

  #unknownMember(): unknown {
    this.#path.push('key');
    this.#isTargetKnown = false;
    return {};
  }

  #elements(
    element: MergeType,
    segment: string | undefined,
    more: readonly (string | undefined)[],
    isOpen: boolean,
  ): unknown {
    this.#path.push(segment ?? '0');
    this.#steps.push('[]');
    if (segment === undefined && isOpen) this.#isTargetKnown = false;
    const index = /^[+-]?[0-9]+$/.test(segment ?? '0') ? Number(segment ?? '0') : 0;
    if (Math.abs(index) > longestList) return tooLittle;
    const size = index < 0 ? -index : index + 1;
    const inner = this.#node(element, more, isOpen);
    if (inner === tooLittle) return tooLittle;
    return Array.from({ length: size }, () => inner);
  }
}

const tooLittle = Symbol('too little is known');

/** A value of a type as an object may have it. */
function existing({ scalar, list, map }: MergeType): unknown {
  if (map !== undefined) return {};
  if (list !== undefined) return [];
  if (scalar === 'numeric') return 1;
  if (scalar === 'boolean') return true;
  return scalar === 'string' ? 'text' : '0';
}
