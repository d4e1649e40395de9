import { isPlainObject, requireOptions } from '@kubeadmit/base';
import type { Value } from '@kubeadmit/cel';
import { kubernetesNumbers } from '@kubeadmit/cel/unstable-internal';
import { JsonError, type JsonOptions } from '@kubeadmit/go';
import { deepestYaml, parseJsonPrefix, skipJsonSpace } from '@kubeadmit/go/unstable-internal';
import { cutLargeList, type Stretch } from './large-list.ts';
import type { Path } from './locate.ts';
import { readPlainYaml } from './plain-yaml.ts';
import type { Place, Source, TextRange } from './source.ts';
import { parseYaml } from './yaml.ts';
import type { Problem } from './yaml-problem.ts';

/** Something in the input that cannot be used, and where. */
export interface InputProblem {
  /** The name of the source. */
  readonly file: string;
  /** The message, without a position. */
  readonly message: string;
  /** Absent where it is the whole file. */
  readonly place?: Place;
  /** The source that the place is in. */
  readonly source?: Source;
  /**
   * The part of the source that the problem refers to; it may start before the position, which is that of a
   * server's message.
   */
  readonly range?: TextRange;
  /** The first line of the problem, if it begins before the position. */
  readonly from?: number;
  /** Whether it is a whole document that was never meant to be an object of Kubernetes, such as values of a chart. */
  readonly isForeign?: boolean;
  /** Whether the document is valid YAML or JSON, but not a Kubernetes object. */
  readonly isNoObject?: boolean;
  /** Whether it is a key that is there twice in one object. */
  readonly isDuplicate?: boolean;
}

/** The position of a document: a part of its source's text with a single root value. */
export interface DocumentOrigin {
  /** The text that it was read from. */
  readonly source: Source;
  /** Where the text that was parsed begins in the source, in UTF-16 units. */
  readonly start: number;
  /** Where it ends, in UTF-16 units. */
  readonly end: number;
  /** Which document of that text it is, from 0. */
  readonly index: number;
  /** Where the root value begins in the source. */
  readonly contentStart: number;
  /** Where the elements of its list `items` begin in the source, as far as that is known. */
  readonly itemStarts: readonly number[];
  /** The language of the document. */
  readonly language: 'json' | 'yaml';
}

/** One document and its value. */
export interface ReadDocument {
  /** The document as a value of CEL, so that numbers keep their types. */
  readonly value: Value;
  /** The position of the value. */
  readonly origin: DocumentOrigin;
  /** The path to the value from the root of the parsed document. */
  readonly path: Path;
}

/** All documents of a source that could be read, and the problems of the others. */
export interface ReadDocuments {
  readonly documents: readonly ReadDocument[];
  readonly problems: readonly InputProblem[];
}

/** How sources are read. */
export interface ReadOptions {
  /**
   * Whether keys may be there twice in one object, of which the last counts; they are problems all the same
   * (`isDuplicate`). Default they may not, and such a document is left out.
   */
  readonly allowsDuplicates?: boolean | undefined;
}

/**
 * Reads a source as kubectl does: a stream of JSON objects, or YAML documents separated by lines that begin with `---`.
 * Empty documents are skipped.
 */
export function readDocuments(source: Source, options: ReadOptions = {}): ReadDocuments {
  if (typeof (source as Partial<Source> | undefined)?.text !== 'string') {
    throw new TypeError("manifests are read from a Source, as in new Source('policy.yaml', text)");
  }
  requireOptions('readDocuments', options, { allowsDuplicates: 'boolean' });
  const begin = source.text.charCodeAt(0) === 0xfeff ? 1 : 0;
  if (source.text[skipJsonSpace(source.text, begin)] !== '{')
    return readYaml(source, begin, options);
  const json = readJson(source, begin, jsonOptions);
  if (json.problems.length === 0) return json;
  if (!source.name.endsWith('.json')) return readYaml(source, begin, options);
  if (options.allowsDuplicates !== true) return json;
  const lenient = readJson(source, begin, { ...jsonOptions, uniqueKeys: false });
  if (lenient.problems.length > 0) return json;
  const problems = json.problems.map((problem) => ({ ...problem, isDuplicate: true }));
  return { ...lenient, problems };
}

/** Reads the root value of a document again, which could be read before. */
export function readAgain({ source, start, end, index, language }: DocumentOrigin): Value {
  if (language === 'json') {
    const lenient = { ...jsonOptions, uniqueKeys: false };
    return parseJsonPrefix(source.text, start, lenient).value as Value;
  }
  const documents = parseYaml(source.text.slice(start, end), { allowsDuplicates: true });
  return documents[index]?.value as Value;
}

/** A problem at an index of a source's text. */
export function problemAt(source: Source, offset: number, message: string): InputProblem {
  const newline = source.text.indexOf('\n', offset);
  const end = newline === -1 ? source.text.length : newline;
  return {
    file: source.name,
    message,
    place: source.placeAt(offset),
    range: { start: offset, end: Math.max(offset, end) },
    source,
  };
}

/**
 * As Kubernetes reads JSON, but strictly about keys, and no deeper than YAML: all that reads the values descends, and
 * positions are found by the parser of YAML. The items of a list are found again by their places.
 */
const jsonOptions = {
  numbers: kubernetesNumbers,
  uniqueKeys: true,
  startsOf: 'items',
  deepest: deepestYaml,
} as const;

const language = 'yaml' as const;

function readJson(source: Source, begin: number, options: JsonOptions): ReadDocuments {
  const { text } = source;
  const documents: ReadDocument[] = [];
  const problems: InputProblem[] = [];
  try {
    for (let start = skipJsonSpace(text, begin); start < text.length; ) {
      const { value, end, elementStarts } = parseJsonPrefix(text, start, options);
      const origin = {
        source,
        start,
        end,
        index: 0,
        contentStart: start,
        itemStarts: elementStarts,
        language: 'json' as const,
      };
      documents.push({ value: value as Value, origin, path: [] });
      start = skipJsonSpace(text, end);
    }
  } catch (error) {
    if (!(error instanceof JsonError)) throw error;
    problems.push(problemAt(source, error.position, error.message));
  }
  return { documents, problems };
}

function readYaml(source: Source, begin: number, options: ReadOptions): ReadDocuments {
  const documents: ReadDocument[] = [];
  const problems: InputProblem[] = [];
  for (const { start, end, separatorRest } of splitDocuments(source.text, begin)) {
    if (separatorRest !== undefined) {
      const message = `invalid Yaml document separator: ${separatorRest}`;
      problems.push(problemAt(source, start - 1, message));
    }
    const items = readLargeList(source, { start, end });
    if (items !== undefined) {
      for (const item of items) documents.push(item);
      continue;
    }
    for (const [index, document] of parseYaml(source.text.slice(start, end), options).entries()) {
      for (const problem of document.problems) problems.push(yamlProblem(source, start, problem));
      if (document.value === undefined || document.value === null) continue;
      const contentStart = start + document.start;
      const itemStarts = document.itemStarts.map((offset) => start + offset);
      const origin = { source, start, end, index, contentStart, itemStarts, language };
      documents.push({ value: document.value, origin, path: [] });
    }
  }
  return { documents, problems };
}

/**
 * A problem of a text that begins at an index of a source. For a construct that began long before, the problem names
 * its line.
 */
function yamlProblem(source: Source, start: number, problem: Problem): InputProblem {
  const { message, offset, opened = offset, isDuplicate } = problem;
  const found = {
    ...problemAt(source, start + offset, message),
    ...(isDuplicate === true ? { isDuplicate } : {}),
  };
  const { line } = source.placeAt(start + opened);
  const here = found.place?.line ?? line;
  const hasBraces = [line, here].some((each) => source.line(each).includes('{{'));
  const hint = hasBraces ? `: ${bracesHint(source)}` : '';
  if (line === here) return { ...found, message: `${message}${hint}` };
  return { ...found, message: `${message} (opened in line ${line})${hint}`, from: line };
}

/**
 * The hint for a broken text with braces: variables of Kyverno need quotes, and other templates have to be rendered.
 */
function bracesHint({ text }: Source): string {
  return /^apiVersion:\s*["']?(?:kyverno|policies\.kyverno)\.io\//m.test(text)
    ? 'put quotes around values with `{{ }}`'
    : 'this looks like a Helm template; render it first (`helm template`)';
}

/** The items of a large list, each parsed by itself; `undefined` where that is not possible. */
function readLargeList(source: Source, whole: Stretch): readonly ReadDocument[] | undefined {
  const parts = cutLargeList(source.text, whole);
  if (parts === undefined) return undefined;
  const list = readPlainYaml(parts.head)?.value;
  if (!isPlainObject(list) || list['kind'] !== 'List' || typeof list['apiVersion'] !== 'string') {
    return undefined;
  }
  const items: ReadDocument[] = [];
  for (const { start, end } of parts.items) {
    const [item, ...rest] = parseYaml(source.text.slice(start, end));
    const sequence = item?.value;
    if (!Array.isArray(sequence) || sequence.length !== 1 || rest.length > 0) return undefined;
    const value: Value = sequence[0];
    if (value === null) return undefined;
    const contentStart = start + source.text.slice(start, end).indexOf('- ') + 2;
    const origin = { source, start, end, index: 0, contentStart, itemStarts: [], language };
    items.push({ value, origin, path: [0] });
  }
  return items;
}

interface Part {
  readonly start: number;
  readonly end: number;
  /** The text after the dashes of the preceding separator, unless it is a comment. */
  readonly separatorRest?: string;
}

/** Splits at lines that begin with `---` (apimachinery, `util/yaml.YAMLReader`). */
function splitDocuments(text: string, begin: number): Part[] {
  const parts: Part[] = [];
  // Without the flag `m`, for which more than line feeds end lines.
  const separator = /(?<![^\n])---([^\n]*)(?:\n|$)/g;
  separator.lastIndex = begin;
  let part: { start: number; separatorRest?: string } = { start: begin };
  for (let match = separator.exec(text); match !== null; match = separator.exec(text)) {
    parts.push({ ...part, end: match.index });
    part = { start: match.index + match[0].length };
    const rest = match[1]?.trim() ?? '';
    if (rest !== '' && !rest.startsWith('#')) part.separatorRest = rest;
    if (part.start >= text.length) break;
  }
  parts.push({ ...part, end: text.length });
  return parts;
}
