import { Unsupported } from '../notes/unsupported.ts';

/** The parts of a request that an object has, too, when a schedule finds it. */
const ofObject: readonly (readonly [RegExp, string])[] = [
  [/\brequest\.kind\.kind\b/g, 'object.kind'],
  [/\brequest\.namespace\b/g, "object.metadata.?namespace.orValue('')"],
  [/\brequest\.name\b/g, 'object.metadata.name'],
];

/**
 * An expression about a request as one about the object that a schedule finds: there is no request.
 *
 * @throws Unsupported for other parts of the request.
 */
export function withoutRequest(expression: string): string {
  // Every second part is a string literal, which does not change.
  const parts = expression.split(stringLiteral);
  return parts.map((part, at) => (at % 2 === 0 ? aboutObject(part) : part)).join('');
}

// The converter writes literals in single quotes.
const stringLiteral = /('(?:[^'\\]|\\.)*')/;

function aboutObject(expression: string): string {
  const text = ofObject.reduce((rest, [part, own]) => rest.replace(part, own), expression);
  const [open] = /\brequest\b(?:\.\w+)*/.exec(text) ?? [];
  if (open === undefined) return text;
  throw new Unsupported(`\`${open}\`: a schedule has no request`);
}
