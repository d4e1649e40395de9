import { isObject } from '@kubeadmit/apimachinery';
import {
  encodeUtf8,
  formatFloat64Fixed,
  formatValue,
  joinPaths,
  trimLeft,
  trimRight,
} from '@kubeadmit/go';
import { Failure } from '../jmespath/steps/failure.ts';
import { plainKey } from '../patterns/anchor.ts';
import { operatorOf } from '../patterns/operator.ts';
import { escapedReferencesIn, referencesIn } from './reference-texts.ts';
import { traverse } from './traverse.ts';

/** A copy of a document in which references such as `$(./../name)` are replaced by the values they name. */
export function resolveReferences(document: unknown): unknown {
  return traverse(document, (text, path) =>
    text.includes('$(') ? resolveInText(document, text, path) : text,
  );
}

function resolveInText(document: unknown, text: string, path: string): unknown {
  let result = text;
  for (const found of referencesIn(text)) {
    const prefix = found.startsWith('$(') ? '' : String.fromCodePoint(found.codePointAt(0) ?? 0);
    const reference = strayBytes(prefix) + found.slice(prefix.length);
    const value = resolve(document, reference, path);
    if (value instanceof Failure) {
      return new Failure(`failed to resolve ${reference} at path ${path}: ${value.message}`);
    }
    if (value === null || value === undefined) {
      return new Failure(`got nil resolved variable ${reference} at path ${path}: <nil>`);
    }
    if (typeof value !== 'string') {
      return new Failure(
        `NotResolvedReferenceErr,reference ${reference} not resolved at path ${path}`,
      );
    }
    result = replaceFirst(result, found, firstByte(prefix) + value);
  }
  for (const found of escapedReferencesIn(result)) {
    result = result.replaceAll(found, () => found.slice(1));
  }
  return result;
}

/** Returns the bytes of the preceding character that are dropped before a reference is written again. */
function firstByte(prefix: string): string {
  const [byte] = encodeUtf8(prefix);
  return byte === undefined ? '' : String.fromCharCode(byte);
}

/** Only the first byte of the character before a variable or reference is set aside; the others spoil it. */
export function strayBytes(prefix: string): string {
  const code = prefix.codePointAt(0) ?? 0;
  return '\ufffd'.repeat(code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3);
}

/** Replaces the first occurrence of a text literally. */
export function replaceFirst(text: string, old: string, replacement: string): string {
  return text.replace(old, () => replacement);
}

function resolve(document: unknown, reference: string, place: string): unknown {
  const inner = trimLeft(trimRight(reference, '$()'), '$()');
  const operator = operatorOf(inner);
  const relative = inner.slice(operator.length);
  if (relative === '') return new Failure('expected path, found empty reference');
  const path = relative.startsWith('/') ? relative : joinPaths(place, relative);
  const value = leafAt(document, path);
  if (operator === '') return value;
  if (typeof value === 'string') return operator + value;
  if (typeof value === 'bigint') return operator + value;
  if (typeof value === 'number') return operator + formatFloat64Fixed(value, 6);
  return new Failure(
    `incorrect expression: operator ${operator} does not match with value ${formatValue(value)}`,
  );
}

/** The last leaf or key whose path, anchors taken off, is the given one. */
function leafAt(document: unknown, wanted: string): unknown {
  let found: unknown;
  const visit = (element: unknown, path: string): void => {
    if (Array.isArray(element)) {
      for (const [at, item] of element.entries()) visit(item, `${path}/${at}`);
    } else if (isObject(element)) {
      for (const key of Object.keys(element)) {
        if (withoutAnchors(path) === wanted) found = key;
        visit(element[key], `${path}/${key.replaceAll('/', '\\/')}`);
      }
    } else if (withoutAnchors(path) === wanted) {
      found = element;
    }
  };
  visit(document, '');
  return found;
}

function withoutAnchors(path: string): string {
  if (path === '') return '';
  return `/${joinPaths(...path.slice(1).split('/').map(plainKey))}`;
}
