import { encodeUtf8 } from '@kubeadmit/go';
import { Failure } from '../jmespath/steps/failure.ts';

/** A part of a string of a template: its text, or the expression of a placeholder. */
export type TemplateSegment = { readonly text: string } | { readonly expression: string };

const open = '((';
const escape = `\\${open}`;

/** Splits a string of a template at its placeholders `(( EXPRESSION ))`; `\((` is the text `((`. */
export function scanPlaceholders(text: string): readonly TemplateSegment[] | Failure {
  const segments: TemplateSegment[] = [];
  let literal = '';
  let at = 0;
  while (at < text.length) {
    if (text.startsWith(escape, at)) {
      literal += open;
      at += escape.length;
    } else if (text.startsWith(open, at)) {
      const found = scanPlaceholder(text, at);
      if (found instanceof Failure) return found;
      if (literal !== '') segments.push({ text: literal });
      literal = '';
      segments.push({ expression: found.expression });
      at = found.end;
    } else {
      literal += text.charAt(at);
      at++;
    }
  }
  if (literal !== '') segments.push({ text: literal });
  return segments;
}

/** Whether a string contains a placeholder that is not escaped. */
export function hasPlaceholder(text: string): boolean {
  return text.replaceAll(escape, '').includes(open);
}

/** Whether a string contains a placeholder or an escaped one. */
export function hasMark(text: string): boolean {
  return text.includes(open);
}

function scanPlaceholder(
  text: string,
  start: number,
): { readonly expression: string; readonly end: number } | Failure {
  const failed = (problem: string, rest = ''): Failure =>
    new Failure(`${problem} at offset ${encodeUtf8(text.slice(0, start)).length}${rest}`);
  let depth = 0;
  let quote = '';
  for (let at = start + open.length; at < text.length; at++) {
    const character = text.charAt(at);
    if (quote !== '') {
      if (character === '\\') at++;
      else if (character === quote) quote = '';
    } else if (character === '"' || character === "'") {
      quote = character;
    } else if (character === '(') {
      depth++;
    } else if (character === ')' && depth > 0) {
      depth--;
    } else if (character === ')' && text.charAt(at + 1) === ')') {
      const expression = text.slice(start + open.length, at).trim();
      return expression === '' ? failed('empty placeholder') : { expression, end: at + 2 };
    } else if (character === ')') {
      return failed('unbalanced parenthesis in placeholder starting');
    }
  }
  return quote === ''
    ? failed('unterminated placeholder starting', ": missing closing '))'")
    : failed('unterminated string literal in placeholder starting');
}
