import { isObject } from '@kubeadmit/apimachinery';
import { getOrMake, memoize } from '@kubeadmit/base';
import { Failure } from '../jmespath/steps/failure.ts';
import { Items } from '../jmespath/steps/items.ts';
import { strayBytes } from './references.ts';
import { depthLimit } from './traverse.ts';

/** A variable in a text. */
export interface Variable {
  /** The text of the variable, including braces. */
  readonly text: string;
  /** The character before it, which the search for it takes along. */
  readonly prefix: string;
  readonly expression: string;
  /** Whether variables in its value stay as they are (`{{- … }}`). */
  readonly isShallow: boolean;
}

/** A document made ready for its variables to be replaced. */
export type Template =
  | { readonly kind: 'constant'; readonly value: unknown }
  | { readonly kind: 'failure'; readonly failure: Failure }
  | {
      readonly kind: 'text';
      readonly text: string;
      readonly variables: readonly Variable[];
      readonly depth: number;
    }
  | { readonly kind: 'list'; readonly items: readonly Template[] }
  | { readonly kind: 'map'; readonly members: readonly TemplateMember[] }
  /** References depend on their position in the document, so they are searched every time. */
  | { readonly kind: 'references'; readonly document: unknown };

/** A member of a map of a document. */
interface TemplateMember {
  readonly key: string;
  /** The variables in the key, if there may be any. */
  readonly keyVariables: readonly Variable[] | undefined;
  /** The last step of the value's path. */
  readonly step: string;
  readonly value: Template;
}

const startsWithVariable = /^\{\{(?:\{[^{}]*\}|[^{}])*\}\}/;
const variableText = /(?:^|[^\\])\{\{(?:\{[^{}]*\}|[^{}])*\}\}/g;

const none: readonly Variable[] = [];

/** The variables of a text in their order. */
export function readVariables(text: string): readonly Variable[] {
  if (!text.includes('{{')) return none;
  return text.match(variableText)?.map(readVariable) ?? none;
}

function readVariable(match: string): Variable {
  const prefix = startsWithVariable.test(match)
    ? ''
    : String.fromCodePoint(match.codePointAt(0) ?? 0);
  const text = match.slice(prefix.length);
  const inner = strayBytes(prefix) + text.replaceAll('{{', '').replaceAll('}}', '');
  const trimmed = inner.trim();
  const isShallow = trimmed.startsWith('-');
  return { text, prefix, expression: isShallow ? trimmed.slice(1).trim() : trimmed, isShallow };
}

// Keyed by the documents, since parts of rules, conditions of exceptions and request data all need templates, and each
// template is released with its document.
const templates = new WeakMap<object, Template>();

/** The template of a document. It is made once, so that documents must not be changed. */
export function templateOf(document: unknown): Template {
  if (typeof document === 'string') return templateOfText(document);
  if (typeof document !== 'object' || document === null) {
    return { kind: 'constant', value: document };
  }
  return getOrMake(templates, document, () => makeTemplate(document));
}

function templateOfText(text: string): Template {
  if (!text.includes('{{') && !text.includes('$(')) return { kind: 'constant', value: text };
  return textTemplate(text);
}

// Values of variables are texts with variables, too, so that nothing long is kept of them.
const textTemplate = memoize<Template>(makeTemplate, 4096, 2000);

function makeTemplate(document: unknown): Template {
  const { variables, references } = needsOf(document);
  if (references) return { kind: 'references', document };
  return variables ? compile(document, 0) : { kind: 'constant', value: document };
}

function needsOf(document: unknown): { readonly variables: boolean; readonly references: boolean } {
  let variables = false;
  let references = false;
  const stack: unknown[] = [document];
  while (stack.length > 0) {
    const value = stack.pop();
    if (typeof value === 'string') {
      variables ||= value.includes('{{');
      references ||= value.includes('$(');
    } else if (Array.isArray(value)) {
      for (const item of value) stack.push(item);
    } else if (isObject(value)) {
      for (const key of Object.keys(value)) stack.push(key, value[key]);
    }
  }
  return { variables, references };
}

function compile(element: unknown, depth: number): Template {
  if (depth > depthLimit) {
    return { kind: 'failure', failure: new Failure('the document is nested too deeply') };
  }
  if (typeof element === 'string') {
    return element.includes('{{')
      ? { kind: 'text', text: element, variables: readVariables(element), depth }
      : { kind: 'constant', value: element };
  }
  if (element instanceof Items) return compile(element.list, depth);
  if (Array.isArray(element)) {
    const items = element.map((item) => compile(item, depth + 1));
    const isConstant = items.every(({ kind }) => kind === 'constant');
    return isConstant ? { kind: 'constant', value: element } : { kind: 'list', items };
  }
  if (!isObject(element)) return { kind: 'constant', value: element };
  const members = Object.keys(element).map((key) => ({
    key,
    keyVariables: key.includes('{{') ? readVariables(key) : undefined,
    step: `/${key.replaceAll('/', '\\/')}`,
    value: compile(element[key], depth + 1),
  }));
  const isConstant = members.every(
    ({ keyVariables, value }) => keyVariables === undefined && value.kind === 'constant',
  );
  return isConstant ? { kind: 'constant', value: element } : { kind: 'map', members };
}
