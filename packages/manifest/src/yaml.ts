import type { Value } from '@kubeadmit/cel';
import { kubernetesNumbers } from '@kubeadmit/cel/unstable-internal';
import { deepEqual, readYaml } from '@kubeadmit/go';
import { findYamlProblem } from '@kubeadmit/go/unstable-internal';
import { type Document, isMap, isNode, isScalar, isSeq, type Node } from 'yaml';
import { composeYaml, TooDeep } from './compose-yaml.ts';
import { readPlainYaml } from './plain-yaml.ts';
import { type Problem, problemIn } from './yaml-problem.ts';
import { buildValue } from './yaml-value.ts';

/** One YAML document as kubectl would send it, or the error. */
export interface YamlDocument {
  /** `undefined` when there are problems, apart from keys that may be there twice. */
  readonly value: Value | undefined;
  readonly problems: readonly Problem[];
  /** Where its content begins. */
  readonly start: number;
  /** Where the elements of the list `items` begin, when there is one. */
  readonly itemStarts: readonly number[];
}

/** How YAML is read. */
interface YamlOptions {
  /** Whether a key may be there twice, of which the last counts; it is a problem all the same. */
  readonly allowsDuplicates?: boolean | undefined;
}

/** The first line that is neither empty nor a comment. */
const content = /^ *[^ #\n]/m;

/** Line breaks of YAML 1.1, which end a comment for goyaml and not for editors and YAML 1.2. */
const oldBreak = /\r(?!\n)|[\u0085\u2028\u2029]/;

/**
 * Parses YAML as kubectl does (sigs.k8s.io/yaml over goyaml.v2): YAML 1.1 words and numbers, merge keys in the
 * order of the text, a limit for the expansion of aliases. A repeated key is reported, and its last value is used.
 */
export function parseYaml(
  text: string,
  { allowsDuplicates = false }: YamlOptions = {},
): YamlDocument[] {
  if (!content.test(text) && !oldBreak.test(text)) return [];
  const plain = readPlainYaml(text);
  if (plain !== undefined) return [{ ...plain, problems: [], itemStarts: [] }];
  try {
    const documents = composeYaml(text).map((each) => toYamlDocument(each, text, allowsDuplicates));
    return isReadable(documents) ? withRefusal(documents, text) : documents;
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    const offset = error instanceof TooDeep ? error.offset : 0;
    const problems = [{ message: 'nested too deeply', offset }];
    return [{ value: undefined, problems, start: 0, itemStarts: [] }];
  }
}

function isReadable(documents: readonly YamlDocument[]): boolean {
  return documents.every(({ value }) => value !== undefined);
}

/**
 * Returns the documents, or a problem if goyaml, which reads the first document only, refuses it or reads another
 * value: an object that is checked must be the one that is applied.
 */
function withRefusal(documents: YamlDocument[], text: string): YamlDocument[] {
  const problem = refusalOf(text) ?? differenceOf(documents, text);
  if (problem === undefined) return documents;
  const [{ start } = { start: problem.offset }] = documents;
  return [{ value: undefined, problems: [problem], start, itemStarts: [] }];
}

function refusalOf(text: string): Problem | undefined {
  const refusal = findYamlProblem(text);
  return refusal && { message: refusal.problem, offset: refusal.offset };
}

/** The problem of a text from which goyaml, or a parser of all documents such as kustomize, reads another value. */
function differenceOf(documents: readonly YamlDocument[], text: string): Problem | undefined {
  const reading = readYaml(text, { numbers: kubernetesNumbers });
  const offset = text.search(oldBreak);
  const isEqual = 'value' in reading && deepEqual(reading.value, documents[0]?.value ?? null);
  const isAmbiguous = offset !== -1 && (documents.length > 1 || oldSeparator.test(text));
  if (isEqual && !isAmbiguous) return undefined;
  if (offset === -1) return { message: 'Kubernetes reads another value from this text', offset: 0 };
  const code = text.charCodeAt(offset).toString(16).toUpperCase().padStart(4, '0');
  const message = `U+${code} is a line break for Kubernetes; use a line feed, or an escape in double quotes`;
  return { message, offset };
}

/** A separator of documents behind such a line break. */
const oldSeparator = /(?:\r|[\u0085\u2028\u2029])---/;

function toYamlDocument(
  document: Document.Parsed,
  text: string,
  allowsDuplicates: boolean,
): YamlDocument {
  const root = document.contents;
  const start = root?.range?.[0] ?? document.range?.[0] ?? 0;
  const problem = problemIn(document);
  if (problem !== undefined)
    return { value: undefined, problems: [problem], start, itemStarts: [] };
  const { value: built, problems } = buildValue(root, text);
  const isReadable = problems.every(({ isDuplicate }) => allowsDuplicates && isDuplicate === true);
  const value = isReadable ? built : undefined;
  return { value, problems, start, itemStarts: itemStartsOf(root, start) };
}

function itemStartsOf(root: Node | null, start: number): readonly number[] {
  if (!isMap(root)) return [];
  const items = root.items.find(({ key }) => isScalar(key) && key.value === 'items')?.value;
  if (!isSeq(items)) return [];
  return items.items.map((item) => (isNode(item) ? item.range?.[0] : undefined) ?? start);
}
