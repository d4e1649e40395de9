import type { Value } from '@kubeadmit/cel';
import { allowedAliasRatio, findYamlProblem, setKey } from '@kubeadmit/go/internal';
import {
  type Alias,
  Composer,
  type CST,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  Lexer,
  type Node,
  Parser,
  type Scalar,
  visit,
  type YAMLError,
  type YAMLMap,
} from 'yaml';
import { readPlainYaml } from './plain-yaml.ts';
import { tooDeepYaml } from './yaml-depth.ts';
import { resolveKey, resolveScalar, type Scalar as ScalarText } from './yaml-scalar.ts';

/** What is wrong with a text, and where: an index of UTF-16 code units. */
export interface Problem {
  readonly message: string;
  readonly offset: number;
  /** Where the bracket or quote stands whose end is missing. */
  readonly opened?: number;
  /** Whether it is a key that a mapping names twice, of which the last counts. */
  readonly isDuplicate?: boolean;
}

/** One YAML document as kubectl would send it, or what is wrong with it. */
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

/**
 * Reads YAML with the meaning that it has for kubectl (sigs.k8s.io/yaml over goyaml.v2): YAML 1.1
 * words and numbers, merge keys in the order of the text, a bound on what aliases may expand to. A key that a mapping
 * names twice is told, and the last counts.
 */
export function parseYaml(
  text: string,
  { allowsDuplicates = false }: YamlOptions = {},
): YamlDocument[] {
  if (!content.test(text)) return [];
  const plain = readPlainYaml(text);
  if (plain !== undefined) return [{ ...plain, problems: [], itemStarts: [] }];
  try {
    const documents = composeYaml(text).map((each) => toYamlDocument(each, allowsDuplicates));
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

/** Documents as they were read, but where goyaml refuses the first one, which is all that it reads. */
function withRefusal(documents: YamlDocument[], text: string): YamlDocument[] {
  const refusal = findYamlProblem(text);
  if (refusal === undefined) return documents;
  const { problem: message, offset } = refusal;
  const [{ start } = { start: offset }] = documents;
  return [{ value: undefined, problems: [{ message, offset }], start, itemStarts: [] }];
}

/** Collections lie too deep within each other. */
class TooDeep extends RangeError {
  readonly offset: number;

  constructor(offset: number) {
    super();
    this.offset = offset;
  }
}

/** The trees of the YAML documents of a text: scalars are strings, nothing is resolved. */
export function composeYaml(text: string): Document.Parsed[] {
  const documents = composeWith(new Lexer(), text);
  if (!documents.some(({ errors }) => errors.some(isOpen))) return documents;
  const others = composeWith(laxLexer(), text);
  // Where nothing helps, the first reading says where the bracket or quote stands that is not closed.
  return others.some(({ errors }) => errors.length > 0) ? documents : others;
}

function composeWith(lexer: Lexer, text: string): Document.Parsed[] {
  const parser = new Parser();
  function* tokens(): Generator<CST.Token, void> {
    for (const lexeme of lexer.lex(text)) yield* shallow(parser.next(lexeme));
    yield* shallow(parser.end());
  }
  const composer = new Composer({
    schema: 'failsafe',
    version: '1.1',
    merge: false,
    uniqueKeys: false,
    logLevel: 'silent',
    stringKeys: false,
  });
  return [...composer.compose(tokens())] as Document.Parsed[];
}

/** Throws {@link TooDeep} before a document is composed that is. */
function* shallow(tokens: Iterable<CST.Token>): Generator<CST.Token, void> {
  for (const token of tokens) {
    const offset = tooDeepYaml(token);
    if (offset !== undefined) throw new TooDeep(offset);
    yield token;
  }
}

function isOpen({ code }: YAMLError): boolean {
  return code === 'MISSING_CHAR' || code === 'BAD_INDENT';
}

// goyaml lets the lines within quotes and brackets begin anywhere, YAML 1.2 not further left than their key.
function laxLexer(): Lexer {
  const lexer = new Lexer();
  for (const name of ['parseQuotedScalar', 'parseFlowCollection']) {
    const read: (this: Lexer) => Generator<string, unknown> = Reflect.get(lexer, name);
    Reflect.set(lexer, name, function* (this: Lexer) {
      const indent = Reflect.get(this, 'indentNext');
      Reflect.set(this, 'indentNext', 0);
      const next = yield* read.call(this);
      Reflect.set(this, 'indentNext', indent);
      return next;
    });
  }
  return lexer;
}

/** What every alias of a document stands for. */
export type AliasTargets = ReadonlyMap<Alias, Node>;

/** Links aliases to the node that bore their name last, as they stand in the text. */
export function linkAliases(root: Node | null): AliasTargets {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  const visit = (node: unknown): void => {
    if (isAlias(node)) {
      const target = anchors.get(node.source);
      if (target !== undefined) targets.set(node, target);
      return;
    }
    if (!isMap(node) && !isSeq(node) && !isScalar(node)) return;
    if (node.anchor !== undefined) anchors.set(node.anchor, node);
    if (isSeq(node)) node.items.forEach(visit);
    if (isMap(node)) {
      for (const pair of node.items) {
        visit(pair.key);
        visit(pair.value);
      }
    }
  };
  visit(root);
  return targets;
}

/** The parts of a scalar node that decide about its value. */
export function scalarText(node: Scalar): ScalarText {
  const text = typeof node.value === 'string' ? node.value : '';
  const plain = (node.type === 'PLAIN' || node.type === undefined) && node.tag !== '!';
  return node.tag === undefined || node.tag === '!'
    ? { text, plain }
    : { text, plain, tag: node.tag };
}

/** Whether a key is the merge key `<<`. */
export function isMergeKey(key: unknown): key is Scalar {
  if (!isScalar(key) || key.value !== '<<') return false;
  return key.tag === undefined ? scalarText(key).plain : key.tag === 'tag:yaml.org,2002:merge';
}

function toYamlDocument(document: Document.Parsed, allowsDuplicates: boolean): YamlDocument {
  const root = document.contents;
  const start = root?.range?.[0] ?? document.range?.[0] ?? 0;
  // What follows the first syntax error is mostly a consequence of it.
  const [error] = document.errors;
  if (error !== undefined) {
    const message = errorText(error);
    const [offset] = error.pos;
    const opened = openingOf(document, error);
    const problems = [{ message, offset, ...(opened === undefined ? {} : { opened }) }];
    return { value: undefined, problems, start, itemStarts: [] };
  }
  const misnamed = misnamedProblem(document);
  if (misnamed !== undefined)
    return { value: undefined, problems: [misnamed], start, itemStarts: [] };
  const builder = new Builder(linkAliases(root));
  const built = builder.build(root);
  const { problems } = builder;
  const isReadable = problems.every(({ isDuplicate }) => allowsDuplicates && isDuplicate === true);
  const value = isReadable ? built : undefined;
  return { value, problems, start, itemStarts: itemStartsOf(root, start) };
}

function errorText({ message }: YAMLError): string {
  // The parser goes as deep as the stack does.
  if (message.startsWith('Maximum call stack')) return 'nested too deeply';
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** What goyaml takes for the name of an anchor or alias, of which YAML allows more. */
const yamlName = /^[\w-]+$/;

// Texts that begin with `*` or `&`, such as the name of a host, are meant more often than anchors and aliases.
function misnamedProblem(document: Document.Parsed): Problem | undefined {
  let problem: Problem | undefined;
  visit(document, {
    Node(_key, node) {
      const written = isAlias(node) ? `*${node.source}` : node.anchor && `&${node.anchor}`;
      if (written === undefined || yamlName.test(written.slice(1))) return undefined;
      const what = isAlias(node) ? 'an alias' : 'an anchor';
      const message = `did not find expected alphabetic or numeric character: \`${written}\` is ${what} of YAML, and a text only in quotes`;
      problem = { message, offset: node.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return problem;
}

/** What the parser says of brackets and quotes that are not closed, each with the nodes that are meant. */
const unclosed: readonly (readonly [RegExp, (node: unknown) => boolean])[] = [
  [/^Missing closing /, (node) => isScalar(node) && node.type?.startsWith('QUOTE') === true],
  [/^Flow map .*end with a \}/, (node) => isMap(node)],
  [/^Flow sequence .*end with a \]/, (node) => isSeq(node)],
];

/** Where the innermost bracket or quote stands that an error finds not closed. */
function openingOf(document: Document.Parsed, { message, pos }: YAMLError): number | undefined {
  const isMeant = unclosed.find(([text]) => text.test(message))?.[1];
  if (isMeant === undefined) return undefined;
  let opened: number | undefined;
  visit(document, {
    Node(_key, node) {
      const [start, end] = node.range ?? [];
      // What is within another node is visited after it.
      if (end === pos[0] && isMeant(node)) opened = start;
    },
  });
  return opened;
}

function itemStartsOf(root: Node | null, start: number): readonly number[] {
  if (!isMap(root)) return [];
  const items = root.items.find(({ key }) => isScalar(key) && key.value === 'items')?.value;
  if (!isSeq(items)) return [];
  return items.items.map((item) => (isNode(item) ? item.range?.[0] : undefined) ?? start);
}

/** An end to the work on a document that would grow without bound. */
const excessive = Symbol('excessive aliasing');

class Builder {
  readonly problems: Problem[] = [];
  readonly #targets: AliasTargets;
  readonly #open = new Set<Alias>();
  #decoded = 0;
  #aliased = 0;

  constructor(targets: AliasTargets) {
    this.#targets = targets;
  }

  build(root: Node | null): Value {
    try {
      return this.#value(root);
    } catch (error) {
      if (error !== excessive) throw error;
      return null;
    }
  }

  #value(node: unknown): Value {
    this.#decoded++;
    if (this.#open.size > 0) this.#aliased++;
    if (
      this.#aliased > 100 &&
      this.#decoded > 1000 &&
      this.#aliased / this.#decoded > allowedAliasRatio(this.#decoded)
    ) {
      this.#report(node, 'document contains excessive aliasing');
      throw excessive;
    }
    if (isScalar(node)) {
      const resolved = resolveScalar(scalarText(node));
      if ('value' in resolved) return resolved.value;
      this.#report(node, resolved.problem);
      return null;
    }
    if (isSeq(node)) return node.items.map((item) => this.#value(item));
    if (isMap(node)) {
      const object: Record<string, Value> = {};
      this.#fill(object, node);
      return object;
    }
    return isAlias(node) ? this.#follow(node, (target) => this.#value(target)) : null;
  }

  #fill(object: Record<string, Value>, map: YAMLMap): void {
    const own = new Set<string>();
    for (const pair of map.items) {
      if (isMergeKey(pair.key)) {
        this.#merge(object, pair.value ?? pair.key);
        continue;
      }
      const key = this.#key(pair.key);
      const value = this.#value(pair.value);
      if (key === undefined) continue;
      if (own.has(key)) {
        this.#report(pair.key, `key ${JSON.stringify(key)} already set in map`, true);
      }
      own.add(key);
      setKey(object, key, value);
    }
  }

  #key(node: unknown): string | undefined {
    this.#decoded++;
    if (isAlias(node)) return this.#follow(node, (target) => this.#key(target)) ?? undefined;
    const found = isScalar(node)
      ? resolveKey(scalarText(node))
      : { problem: 'a key must be a scalar' };
    if ('key' in found) return found.key;
    this.#report(node, found.problem);
    return undefined;
  }

  #merge(object: Record<string, Value>, node: unknown): void {
    const parts = isSeq(node) ? node.items.toReversed() : [node];
    for (const part of parts) {
      const target = isAlias(part) ? this.#targets.get(part) : part;
      if (isMap(target)) {
        if (isAlias(part)) this.#follow(part, () => this.#fill(object, target));
        else this.#fill(object, target);
      } else if (isAlias(part) && target === undefined) {
        this.#report(part, `unknown anchor '${part.source}' referenced`);
      } else {
        this.#report(part, 'map merge requires map or sequence of maps as the value');
      }
    }
  }

  #follow<T>(alias: Alias, use: (target: Node) => T): T | null {
    const target = this.#targets.get(alias);
    if (target === undefined || this.#open.has(alias)) {
      this.#report(
        alias,
        target === undefined
          ? `unknown anchor '${alias.source}' referenced`
          : `anchor '${alias.source}' value contains itself`,
      );
      return null;
    }
    this.#open.add(alias);
    const result = use(target);
    this.#open.delete(alias);
    return result;
  }

  #report(node: unknown, message: string, isDuplicate = false): void {
    const hasRange = isScalar(node) || isMap(node) || isSeq(node) || isAlias(node);
    const offset = (hasRange ? node.range?.[0] : undefined) ?? 0;
    this.problems.push({ message, offset, ...(isDuplicate ? { isDuplicate } : {}) });
  }
}
