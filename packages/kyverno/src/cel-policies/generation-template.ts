import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { setKey } from '@kubeadmit/base';
import { CelError, type Value } from '@kubeadmit/cel';
import { doubleValue } from '@kubeadmit/cel/values';
import { formatFloat64, formatType, quote, readYamlStream, resolveYamlScalar } from '@kubeadmit/go';
import type { YamlNode } from '@kubeadmit/go/unstable-internal';
import { Failure } from '../jmespath/steps/failure.ts';
import type { CelProgram } from './compile-expressions.ts';
import { hasMark, hasPlaceholder, scanPlaceholders } from './generation-placeholders.ts';
import { placeholderJson } from './libraries/struct-form.ts';

/** Evaluates a program with the values of a request. */
export type EvaluateProgram = (program: CelProgram) => Value;

/** A part of a template: returns its value, or why it has none. */
type Part = (evaluate: EvaluateProgram) => unknown;

/** The documents of the template of a GeneratingPolicy (`spec.generate[].template`). */
export interface Template {
  /** Returns the object that each document describes, or the first error. */
  readonly render: (evaluate: EvaluateProgram) => readonly JsonObject[] | Failure;
}

/** Compiles the expression of a placeholder; a string is the error. */
export type CompilePlaceholder = (expression: string) => CelProgram | string;

/**
 * Compiles a template (Kyverno's `gpol/template`): YAML documents, in which placeholders `(( EXPRESSION ))` are evaluated
 * if they are interpolated. A placeholder that is all of a value can give any value.
 */
export function compileTemplate(
  text: string,
  compile: CompilePlaceholder | undefined,
): Template | Failure {
  const stream = readYamlStream(text);
  if ('error' in stream) return new Failure(`failed to parse YAML: ${stream.error}`);
  const parts: Part[] = [];
  for (const { root, line } of stream.documents) {
    if (isNull(root)) continue;
    const compiled = new TemplateCompiler(line, compile).document(root);
    if (compiled instanceof Failure) return compiled;
    parts.push(compiled);
  }
  if (parts.length === 0) return new Failure('template must contain at least one YAML document');
  return { render: (evaluate) => renderDocuments(parts, evaluate) };
}

function renderDocuments(
  parts: readonly Part[],
  evaluate: EvaluateProgram,
): readonly JsonObject[] | Failure {
  const objects: JsonObject[] = [];
  for (const [index, part] of parts.entries()) {
    const value = part(evaluate);
    const document = `document ${index + 1}`;
    if (value instanceof Failure) return new Failure(`${document}: ${value.message}`);
    if (!isObject(value)) {
      const expected = 'expected a mapping describing a resource';
      return new Failure(`${document}: ${expected}, got ${goTypeOf(value)}`);
    }
    objects.push(value);
  }
  return objects;
}

function isNull(node: YamlNode): boolean {
  return node.type === 'scalar' && valueOf(node) === null;
}

type Scalar = Extract<YamlNode, { readonly type: 'scalar' }>;
type Mapping = Extract<YamlNode, { readonly children: YamlNode[] }>;
type Entry = readonly [name: string, part: Part];

function pairsOf({ children }: Mapping): readonly (readonly [key: YamlNode, value: YamlNode])[] {
  const keys = children.filter((_, at) => at % 2 === 0);
  return keys.map((key, at) => [key, children[2 * at + 1] ?? key]);
}

/** The words that are booleans to YAML 1.1 and strings to yaml.v3, which Kyverno reads templates with. */
const oldBooleans = /^(?:y|Y|n|N|yes|Yes|YES|no|No|NO|on|On|ON|off|Off|OFF)$/;

function valueOf({ value, tag, isPlain }: Scalar): unknown {
  if (tag === '' && (!isPlain || oldBooleans.test(value))) return value;
  const resolved = resolveYamlScalar(value, tag);
  if ('problem' in resolved) return new Failure(resolved.problem);
  const found = resolved.value;
  return typeof found === 'bigint' && Number.isSafeInteger(Number(found)) ? Number(found) : found;
}

class TemplateCompiler {
  readonly #firstLine: number;
  readonly #compile: CompilePlaceholder | undefined;

  constructor(firstLine: number, compile: CompilePlaceholder | undefined) {
    this.#firstLine = firstLine;
    this.#compile = compile;
  }

  document(root: YamlNode): Part | Failure {
    const part = this.#node(root);
    if (part instanceof Failure || root.type === 'mapping') return part;
    const isSplice = root.type === 'scalar' && isOnePlaceholder(root.value);
    if (isSplice && this.#compile !== undefined) return part;
    return this.#failed(root, 'document must be a mapping describing a resource');
  }

  #node(node: YamlNode): Part | Failure {
    switch (node.type) {
      case 'alias':
        return this.#node(node.target);
      case 'sequence':
        return this.#sequence(node.children);
      case 'mapping':
        return this.#mapping(node);
      default:
        return this.#scalar(node);
    }
  }

  #sequence(children: readonly YamlNode[]): Part | Failure {
    const parts: Part[] = [];
    for (const child of children) {
      const part = this.#node(child);
      if (part instanceof Failure) return part;
      parts.push(part);
    }
    return (evaluate) => {
      const items: unknown[] = [];
      for (const [index, part] of parts.entries()) {
        const item = part(evaluate);
        if (item instanceof Failure) return new Failure(`item ${index}: ${item.message}`);
        items.push(item);
      }
      return items;
    };
  }

  #mapping(mapping: Mapping): Part | Failure {
    const isLiteral = this.#compile === undefined || !containsMark(mapping);
    const entries = isLiteral ? this.#literalEntries(mapping) : this.#entries(mapping);
    if (entries instanceof Failure) return entries;
    return (evaluate) => {
      const object: JsonObject = {};
      for (const [name, part] of entries) {
        const value = part(evaluate);
        if (value instanceof Failure) return new Failure(`field ${quote(name)}: ${value.message}`);
        setKey(object, name, value);
      }
      return object;
    };
  }

  /** The entries of a mapping with placeholders. */
  #entries(mapping: Mapping): readonly Entry[] | Failure {
    const entries: Entry[] = [];
    for (const [key, value] of pairsOf(mapping)) {
      const name = this.#key(key);
      const part = name instanceof Failure ? name : this.#node(value);
      if (name instanceof Failure) return name;
      if (part instanceof Failure) return part;
      entries.push([name, part]);
    }
    return entries;
  }

  /** The entries of a mapping without placeholders: those that it merges, and then its own, which win. */
  #literalEntries(node: YamlNode): readonly Entry[] | Failure {
    if (node.type === 'alias') return this.#literalEntries(node.target);
    if (node.type !== 'mapping')
      return this.#failed(node, 'map merge requires map or sequence of maps as the value');
    const merged: Entry[] = [];
    const own: Entry[] = [];
    for (const [key, value] of pairsOf(node)) {
      if (key.type !== 'scalar') return this.#failed(key, 'only scalar mapping keys are supported');
      if (key.isPlain && key.value === '<<') {
        const sources = value.type === 'sequence' ? value.children.toReversed() : [value];
        for (const source of sources) {
          const entries = this.#literalEntries(source);
          if (entries instanceof Failure) return entries;
          merged.push(...entries);
        }
        continue;
      }
      const part = this.#node(value);
      if (part instanceof Failure) return part;
      own.push([key.value, part]);
    }
    return [...merged, ...own];
  }

  #key(key: YamlNode): string | Failure {
    if (key.type !== 'scalar') return this.#failed(key, 'only scalar mapping keys are supported');
    if (hasPlaceholder(key.value)) {
      const advice = 'use a whole-value placeholder on the parent field instead';
      return this.#failed(
        key,
        `placeholders are not supported in mapping keys; ${advice} (e.g. \`labels: (( variables.labels ))\`)`,
      );
    }
    if (key.value !== '<<') return key.value;
    return this.#failed(
      key,
      'YAML merge keys are not supported in subtrees containing placeholders',
    );
  }

  #scalar(node: Scalar): Part | Failure {
    if (this.#compile === undefined || !hasMark(node.value)) {
      const value = valueOf(node);
      return value instanceof Failure ? this.#failed(node, value.message) : () => value;
    }
    const segments = scanPlaceholders(node.value);
    if (segments instanceof Failure) return this.#failed(node, segments.message);
    const parts: Part[] = [];
    for (const segment of segments) {
      if ('text' in segment) {
        parts.push(() => segment.text);
        continue;
      }
      const { expression } = segment;
      const program = this.#compile(expression);
      if (typeof program === 'string') {
        const text = `invalid placeholder expression ${quote(expression)}: ${program}`;
        return this.#failed(node, text);
      }
      const isWhole = segments.length === 1;
      parts.push((evaluate) => fillPlaceholder(expression, evaluate(program), isWhole));
    }
    const [only] = parts;
    return parts.length === 1 && only !== undefined ? only : joined(parts);
  }

  #failed(node: YamlNode, problem: string): Failure {
    return new Failure(`line ${this.#firstLine + node.line + 1}: ${problem}`);
  }
}

function isOnePlaceholder(text: string): boolean {
  const segments = scanPlaceholders(text);
  if (segments instanceof Failure || segments.length !== 1) return false;
  return segments.every((segment) => 'expression' in segment);
}

function containsMark(node: YamlNode): boolean {
  if (node.type === 'alias') return containsMark(node.target);
  return node.type === 'scalar' ? hasMark(node.value) : node.children.some(containsMark);
}

/** The value of a placeholder; one that is a part of a string has to be a scalar, and becomes text. */
function fillPlaceholder(expression: string, value: Value, isWhole: boolean): unknown {
  if (value instanceof CelError) {
    return new Failure(`failed to evaluate placeholder ${quote(expression)}: ${value.message}`);
  }
  const json = placeholderJson(value);
  if (json instanceof Failure) {
    return new Failure(
      `failed to convert placeholder ${quote(expression)} result: ${json.message}`,
    );
  }
  if (isWhole) return json;
  const double = doubleValue(value);
  if (double !== undefined) return formatFloat64(double);
  if (json !== null && typeof json !== 'object') return String(json);
  const wanted = 'embedded in a string must evaluate to a scalar';
  return new Failure(
    `placeholder ${quote(expression)} ${wanted}, got ${goTypeOf(json)}; use a whole-value placeholder for structured results`,
  );
}

function joined(parts: readonly Part[]): Part {
  return (evaluate) => {
    let text = '';
    for (const part of parts) {
      const piece = part(evaluate);
      if (piece instanceof Failure) return piece;
      text += String(piece);
    }
    return text;
  };
}

/** The Go type of a value of JSON, as `%T` prints it. */
function goTypeOf(value: unknown): string {
  return formatType(Number.isInteger(value) ? 0n : value);
}
