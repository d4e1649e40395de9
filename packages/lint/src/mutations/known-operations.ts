import type { Known, KnownStruct } from './known.ts';
import { type Route, routeOf } from './patch-route.ts';

/** Known facts about one operation of a JSON patch. */
export interface KnownOperation {
  readonly op: string | undefined;
  readonly opPosition: number;
  readonly struct: KnownStruct;
  readonly isSure: boolean;
  readonly path: Located;
  readonly from: Located | undefined;
  readonly value: Known | undefined;
}

/** The position of a pointer, and the known facts about it. */
interface Located {
  readonly position: number;
  readonly route: Route | undefined;
}

/** The known operations of a JSON patch, in order. */
export function operationsIn(known: Known, isSure: boolean): KnownOperation[] {
  if (known.kind === 'choice') return known.options.flatMap((each) => operationsIn(each, false));
  if (known.kind !== 'list') return [];
  return known.elements.flatMap((element) =>
    operationsOfElement(element.value, isSure && element.isSure),
  );
}

function operationsOfElement(known: Known, isSure: boolean): KnownOperation[] {
  if (known.kind === 'choice') {
    return known.options.flatMap((each) => operationsOfElement(each, false));
  }
  if (known.kind !== 'struct' || known.name !== 'JSONPatch') {
    // Something unknown may do anything.
    return [{ ...nothing, struct: { ...nothing.struct, position: known.position } }];
  }
  const field = (name: string) => known.fields.find((each) => each.name === name);
  const located = (name: string): Located => {
    const found = field(name);
    if (found === undefined)
      return { position: known.position, route: { segments: [''], isOpen: false } };
    return {
      position: found.value.position,
      route: found.isOptional ? undefined : routeOf(found.value),
    };
  };
  const op = field('op');
  const text = op?.value.kind === 'scalar' && !op.isOptional ? op.value.value : undefined;
  return [
    {
      op: op === undefined ? '' : typeof text === 'string' ? text : undefined,
      opPosition: op?.value.position ?? known.position,
      struct: known,
      isSure,
      path: located('path'),
      from: field('from') === undefined ? undefined : located('from'),
      value: field('value')?.isOptional ? anyValue : field('value')?.value,
    },
  ];
}

const anyValue: Known = { kind: 'list', elements: [], isComplete: false, position: 0 };

const nothing: KnownOperation = {
  op: undefined,
  opPosition: 0,
  struct: { kind: 'struct', name: 'JSONPatch', fields: [], position: 0 },
  isSure: false,
  path: { position: 0, route: undefined },
  from: undefined,
  value: undefined,
};

/** Whether an operation may be a test, which can end the patch without an error. */
export function isTest({ op }: KnownOperation): boolean {
  return op === undefined || op === 'test';
}

/** Whether an earlier operation may have created the value at a route. */
export function writesAbove(before: readonly KnownOperation[], route: Route | undefined): boolean {
  return before.some(
    ({ op, path }) =>
      (op === undefined || writingOperations.includes(op)) &&
      (route === undefined || path.route === undefined || isWithin(route, path.route)),
  );
}

const writingOperations = ['add', 'replace', 'move', 'copy'];

/** The route to the parent of a route. */
export function parentOf(route: Route | undefined): Route | undefined {
  if (route === undefined || route.isOpen) return route;
  return { segments: route.segments.slice(0, -1), isOpen: false };
}

/** Whether an operation may remove or replace the value at a route. */
export function touches({ op, path, from }: KnownOperation, route: Route): boolean {
  if (op === 'test' || op === 'copy') return false;
  const routes = op === 'move' ? [path.route, from?.route] : [path.route];
  return routes.some(
    (each) => each === undefined || isWithin(route, each) || isWithin(each, route),
  );
}

/** Whether a route may lead to another one or below it. */
function isWithin(route: Route, above: Route): boolean {
  const { segments, isOpen } = above;
  if (segments.length > route.segments.length && !route.isOpen) return isOpen;
  return segments.every((segment, i) => {
    const own = route.segments[i];
    return i === 0 || segment === undefined || own === undefined || own === segment;
  });
}
