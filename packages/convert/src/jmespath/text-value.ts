import { isObject } from '@kubeadmit/apimachinery';
import { readVariables } from '@kubeadmit/kyverno/unstable-internal';
import type { Shape } from '@kubeadmit/schemas/types';
import { literal, quoted } from '../cel/literal.ts';
import { stringShape } from '../cel/shapes.ts';
import { apply, binding, call, member, operand, type Term } from '../cel/term.ts';
import { differenceNotes } from '../notes/difference-notes.ts';
import { Unsupported } from '../notes/unsupported.ts';
import { mayHoldSyntax } from './possible-strings.ts';
import { translate } from './translate.ts';
import { shapeOf, termOf, type Value } from './value.ts';
import type { Variables } from './variables.ts';

/**
 * A text whose variables are replaced, as a sum of its parts; a text that is one variable is its value.
 *
 * @throws Unsupported for a variable without an equal.
 */
export function textTerm(text: string, variables: Variables): Term {
  return termOf(textValue(text, variables));
}

/** The same with its known properties. */
export function textValue(source: string, given: Variables): Value {
  const { text, quoted: names } = withoutInner(source, given);
  const variables = names.size === 0 ? given : { ...given, quoted: names };
  const found = readVariables(text);
  const [first] = found;
  if (first === undefined) return { kind: 'literal', value: source };
  if (found.length === 1 && first.text === text) {
    const value = translate(first.expression, variables);
    if (mayHoldVariables(value)) variables.notes.add(differenceNotes.embedded);
    return value;
  }
  const parts: string[] = [];
  let rest = text;
  for (const each of found) {
    const at = rest.indexOf(each.text);
    if (at > 0) parts.push(quoted(rest.slice(0, at)));
    const value = translate(each.expression, variables);
    if (mayHoldSyntax(value)) variables.notes.add(differenceNotes.embedded);
    parts.push(partText(value));
    rest = rest.slice(at + each.text.length);
  }
  if (rest !== '') parts.push(quoted(rest));
  return {
    kind: 'term',
    term: { text: parts.join(' + '), binds: binding.sum },
    shape: stringShape,
  };
}

// Kyverno also replaces variables in the strings of maps and lists. Lists of strings alone are left to the search,
// because another string changes few conditions on them.
function mayHoldVariables(value: Value): boolean {
  if (value.kind === 'choice') return [value.whenTrue, value.whenFalse].some(mayHoldVariables);
  const { kind, element } = shapeOf(value) ?? {};
  const isStructured = ['map', 'struct'].includes((kind === 'list' ? element?.kind : kind) ?? '');
  return isStructured && mayHoldSyntax(value);
}

// Lists are written as JSON.
function partText(value: Value): string {
  const term = termOf(value);
  if (value.kind === 'projection' || shapeOf(value)?.kind === 'list') {
    const items = call(term, 'join', member(quoted('","'))).text;
    return `(size(${term.text}) == 0 ? '[]' : '["' + ${items} + '"]')`;
  }
  return shapeOf(value)?.kind === 'string'
    ? operand(term, binding.sum)
    : apply('string', term).text;
}

// A variable in quotes of either kind.
const quotedVariable = /(['"])(\{\{([^{}]*)\}\})\1/g;

/** The first variable that is in quotes within another one. */
function findInner(text: string): { readonly at: number; readonly expression: string } | undefined {
  for (const { index, 3: expression = '' } of text.matchAll(quotedVariable)) {
    const opened = text.lastIndexOf('{{', index - 2);
    if (index >= 2 && opened !== -1 && text.indexOf('}}', opened) > index) {
      return { at: index + 1, expression };
    }
  }
  return undefined;
}

// Replaces inner variables first; a placeholder name represents each one in the outer expression.
function withoutInner(
  source: string,
  variables: Variables,
): { readonly text: string; readonly quoted: ReadonlyMap<string, Value> } {
  const names = new Map(variables.quoted);
  let text = source;
  for (;;) {
    const inner = findInner(text);
    if (inner === undefined) return { text, quoted: names };
    const { at, expression } = inner;
    const name = `\u00ab${names.size}\u00bb`;
    names.set(name, translate(expression.trim(), { ...variables, quoted: names }));
    text = text.slice(0, at) + name + text.slice(at + expression.length + 4);
  }
}

/** A JSON value whose texts may hold variables; lists and maps of several types are of any type. */
export function valueTerm(value: unknown, variables: Variables): Term {
  if (typeof value === 'string') {
    const made = textValue(value, variables);
    return variables.isOfPatch === true ? writable(made) : termOf(made);
  }
  if (!holdsVariables(value)) return literal(value);
  if (Array.isArray(value)) {
    const items = value.map((item) => typed(item, variables));
    return member(`[${alike(items).join(', ')}]`);
  }
  if (!isObject(value)) return literal(value);
  const texts = alike(Object.values(value).map((item) => typed(item, variables)));
  const keys = Object.keys(value).map((key) => textTerm(key, variables).text);
  return member(`{${keys.map((key, at) => `${key}: ${texts[at]}`).join(', ')}}`);
}

/** A value as JSON patches take it: lists and maps of an object are Go's until they are copied. */
function writable(value: Value): Term {
  const shape = shapeOf(value);
  const term = termOf(value);
  const isPlain = shape?.element === undefined || isScalar(shape.element);
  if (shape?.kind === 'map' && isPlain) {
    return call(term, 'transformMap', member('key'), member('value'), member('value'));
  }
  if (value.kind === 'path' && shape?.kind === 'list' && isPlain) {
    return call(term, 'map', member('item'), member('item'));
  }
  if (shape?.kind === 'struct' || (!isPlain && /^(?:list|map)$/.test(shape?.kind ?? ''))) {
    throw new Unsupported(
      'a part of the object is used as a value of a patch, which admission policies cannot express',
    );
  }
  return term;
}

function isScalar({ kind }: Shape): boolean {
  return !['list', 'map', 'struct', 'any'].includes(kind);
}

/** Whether a text is one variable whose value is a list or map. */
export function isCollection(text: string, variables: Variables): boolean {
  const [first] = readVariables(text);
  if (first === undefined || first.text !== text.trim()) return false;
  const value = textValue(text.trim(), variables);
  return (
    value.kind === 'projection' || ['list', 'map', 'struct'].includes(shapeOf(value)?.kind ?? '')
  );
}

interface Typed {
  readonly text: string;
  readonly type: string;
}

function typed(value: unknown, variables: Variables): Typed {
  const { text } = valueTerm(value, variables);
  if (typeof value !== 'string') return { text, type: Array.isArray(value) ? text : typeof value };
  const isText = readVariables(value).length === 0 || text.includes(' + ');
  return { text, type: isText ? 'string' : text };
}

function alike(items: readonly Typed[]): readonly string[] {
  const isMixed = new Set(items.map(({ type }) => type)).size > 1;
  return items.map(({ text }) => (isMixed ? `dyn(${text})` : text));
}

/** Whether any text of a value holds variables or references. */
export function holdsVariables(value: unknown): boolean {
  if (typeof value === 'string') return value.includes('{{') || value.includes('$(');
  if (Array.isArray(value)) return value.some(holdsVariables);
  return (
    isObject(value) &&
    Object.entries(value).some(([key, item]) => holdsVariables(key) || holdsVariables(item))
  );
}
