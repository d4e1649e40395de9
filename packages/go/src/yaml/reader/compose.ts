import { BrokenYaml, type YamlSource } from './characters.ts';
import { Scanner } from './scanner.ts';
import type { Token, TokenType } from './token.ts';

/** A node of a document. Its line counts from 0. */
export type YamlNode =
  | {
      readonly type: 'scalar';
      readonly line: number;
      /** In its long form; empty without one. */
      readonly tag: string;
      readonly value: string;
      /** Whether the text decides about the type: it is neither in quotes nor a block, nor has it a tag but `!`. */
      readonly isPlain: boolean;
    }
  | Collection
  | {
      readonly type: 'alias';
      readonly line: number;
      readonly name: string;
      readonly target: YamlNode;
    };

interface Collection {
  readonly type: 'sequence' | 'mapping';
  readonly line: number;
  readonly tag: string;
  /** Children; those of a mapping alternate between keys and values. */
  readonly children: YamlNode[];
}

/**
 * The deepest nesting of collections and aliases. Readers of values recurse at each level, and V8 ends the process if
 * its stack overflows within a regular expression.
 */
export const deepestYaml = 500;

/**
 * Composes the tree of the first document of a text, or returns `undefined` if there is none. Throws {@link
 * BrokenYaml} if yaml.v2 rejects the text.
 *
 * @param anchors those that aliases can refer to; the document adds its own.
 */
export function composeYaml(
  source: YamlSource,
  anchors: Map<string, YamlNode> = new Map(),
): YamlNode | undefined {
  return new Composer(source, anchors).document();
}

/** The prefixes of tags' handles that need no directive. */
const standardHandles: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

/** Tokens outside of a document's content. */
const outside = [
  'version-directive',
  'tag-directive',
  'document-start',
  'document-end',
  'stream-end',
] as const;

/**
 * The context of a node: flow collections contain no block collections, and only a part of a key needs no
 * indentation.
 */
type Place = 'block' | 'part' | 'flow';

/** Reads the first document of a text (yaml.v2's parser; the grammar of YAML 1.1, as libyaml has it). */
class Composer {
  readonly #scanner: Scanner;
  readonly #handles = new Map<string, string>();
  readonly #anchors: Map<string, YamlNode>;
  #depth = 0;

  constructor(source: YamlSource, anchors: Map<string, YamlNode>) {
    this.#scanner = new Scanner(source);
    this.#anchors = anchors;
  }

  document(): YamlNode | undefined {
    if (this.#is('stream-end')) return undefined;
    const isExplicit = this.#is('version-directive', 'tag-directive', 'document-start');
    this.#readDirectives();
    if (isExplicit) this.#take('document-start', '<document start>');
    const isEmpty = isExplicit && this.#is(...outside);
    const root = isEmpty ? empty(this.#line) : this.#node('block');
    // Unreadable text right after a document makes it invalid.
    this.#scanner.peek();
    return root;
  }

  #readDirectives(): void {
    let hasVersion = false;
    for (let token = this.#scanner.peek(); ; token = this.#scanner.peek()) {
      if (token.type === 'version-directive') {
        if (hasVersion) throw broken(token, 'found duplicate %YAML directive');
        if (token.major !== 1 || token.minor !== 1) {
          throw broken(token, 'found incompatible YAML document');
        }
        hasVersion = true;
      } else if (token.type === 'tag-directive') {
        if (this.#handles.has(token.handle)) {
          throw broken(token, 'found duplicate %TAG directive');
        }
        this.#handles.set(token.handle, token.prefix);
      } else {
        break;
      }
      this.#scanner.take();
    }
    for (const [handle, prefix] of standardHandles) {
      if (!this.#handles.has(handle)) this.#handles.set(handle, prefix);
    }
  }

  #node(place: Place): YamlNode {
    const first = this.#scanner.peek();
    const { line } = first.start;
    if (first.type === 'alias') return this.#alias(first);
    const { anchor, tag } = this.#readProperties();
    const token = this.#scanner.peek();
    const type = collectionType(token.type, place);
    let node: YamlNode;
    if (type !== undefined) {
      node = { type, line, tag, children: [] };
    } else if (token.type === 'scalar') {
      this.#scanner.take();
      const isPlain = tag === '!' || (tag === '' && token.style === 'plain');
      node = { type: 'scalar', line, tag, value: token.value, isPlain };
    } else {
      if (first === token) throw this.#missing('node content');
      node = { type: 'scalar', line, tag, value: '', isPlain: tag === '' };
    }
    if (anchor !== undefined) this.#anchors.set(anchor, node);
    if ('children' in node) this.#fill(node.children, token.type);
    return node;
  }

  #alias({ name, start }: Extract<Token, { readonly name: string }>): YamlNode {
    this.#scanner.take();
    const target = this.#anchors.get(name);
    if (target === undefined) throw new BrokenYaml(`unknown anchor '${name}' referenced`);
    return { type: 'alias', line: start.line, name, target };
  }

  #readProperties(): { readonly anchor: string | undefined; readonly tag: string } {
    let anchor: string | undefined;
    let tag: Extract<Token, { readonly type: 'tag' }> | undefined;
    for (let token = this.#scanner.peek(); ; token = this.#scanner.peek()) {
      if (token.type === 'anchor' && anchor === undefined) anchor = token.name;
      else if (token.type === 'tag' && tag === undefined) tag = token;
      else break;
      this.#scanner.take();
    }
    if (tag === undefined) return { anchor, tag: '' };
    if (tag.handle === '') return { anchor, tag: tag.suffix };
    const prefix = this.#handles.get(tag.handle);
    if (prefix === undefined) throw broken(tag, 'found undefined tag handle');
    return { anchor, tag: prefix + tag.suffix };
  }

  /** Reads the content of a collection that starts with a token of this type. */
  #fill(children: YamlNode[], first: TokenType): void {
    if (this.#depth > deepestYaml) throw this.#tooDeep();
    this.#depth++;
    if (first === 'flow-sequence-start') this.#flowSequence(children);
    else if (first === 'flow-mapping-start') this.#flowMapping(children);
    else if (first === 'block-sequence-start') this.#blockSequence(children);
    else if (first === 'block-mapping-start') this.#blockMapping(children);
    else this.#indentlessSequence(children);
    this.#depth--;
  }

  /** Scanner errors in the rest come first, as in yaml.v2, which reads on. */
  #tooDeep(): BrokenYaml {
    while (!this.#is('stream-end')) this.#scanner.take();
    return new BrokenYaml('nested too deeply');
  }

  #blockSequence(items: YamlNode[]): void {
    this.#scanner.take();
    while (this.#is('block-entry')) {
      items.push(this.#behindSign('block', 'block-entry', 'block-end'));
    }
    this.#take('block-end', "'-' indicator");
  }

  /** A sequence that is indented no deeper than the key of which it is the value. */
  #indentlessSequence(items: YamlNode[]): void {
    while (this.#is('block-entry')) {
      items.push(this.#behindSign('block', 'block-entry', 'key', 'value', 'block-end'));
    }
  }

  #blockMapping(children: YamlNode[]): void {
    const ends = ['key', 'value', 'block-end'] as const;
    this.#scanner.take();
    while (!this.#is('block-end')) {
      if (!this.#is('key')) throw this.#missing('key');
      children.push(this.#behindSign('part', ...ends));
      children.push(this.#is('value') ? this.#behindSign('part', ...ends) : empty(this.#line));
    }
    this.#scanner.take();
  }

  /**
   * The node behind the sign of a block's entry, key or value, which is here; nothing where one of the ends follows.
   */
  #behindSign(place: Place, ...ends: readonly TokenType[]): YamlNode {
    const { line } = this.#scanner.take().start;
    return this.#is(...ends) ? empty(line) : this.#node(place);
  }

  #flowSequence(items: YamlNode[]): void {
    this.#scanner.take();
    for (let isFirst = true; !this.#is('flow-sequence-end'); isFirst = false) {
      if (!isFirst) this.#take('flow-entry', "',' or ']'");
      if (this.#is('key')) items.push(this.#pair());
      else if (!this.#is('flow-sequence-end')) items.push(this.#node('flow'));
    }
    this.#scanner.take();
  }

  /** Parses a pair in a flow sequence without braces. */
  #pair(): YamlNode {
    const { line } = this.#scanner.take().start;
    // Skip the token that ends the key, so that the text after it is not read as the key's value.
    const key = this.#is('value', 'flow-entry', 'flow-sequence-end')
      ? empty(this.#scanner.take().start.line)
      : this.#node('flow');
    return {
      type: 'mapping',
      line,
      tag: '',
      children: [key, this.#flowValue('flow-sequence-end')],
    };
  }

  #flowMapping(children: YamlNode[]): void {
    this.#scanner.take();
    for (let isFirst = true; !this.#is('flow-mapping-end'); isFirst = false) {
      if (!isFirst) this.#take('flow-entry', "',' or '}'");
      if (this.#is('key')) {
        this.#scanner.take();
        const isEmpty = this.#is('value', 'flow-entry', 'flow-mapping-end');
        const key = isEmpty ? empty(this.#line) : this.#node('flow');
        children.push(key, this.#flowValue('flow-mapping-end'));
      } else if (!this.#is('flow-mapping-end')) {
        children.push(this.#node('flow'), empty(this.#line));
      }
    }
    this.#scanner.take();
  }

  /** Parses the value of a key in a flow collection that ends with a token of the given type; empty if absent. */
  #flowValue(end: TokenType): YamlNode {
    if (this.#is('value')) {
      this.#scanner.take();
      if (!this.#is('flow-entry', end)) return this.#node('flow');
    }
    return empty(this.#line);
  }

  get #line(): number {
    return this.#scanner.peek().start.line;
  }

  #is(...types: readonly TokenType[]): boolean {
    return types.includes(this.#scanner.peek().type);
  }

  #take(type: TokenType, what: string): void {
    if (!this.#is(type)) throw this.#missing(what);
    this.#scanner.take();
  }

  #missing(what: string): BrokenYaml {
    return broken(this.#scanner.peek(), `did not find expected ${what}`);
  }
}

function collectionType(first: TokenType, place: Place): Collection['type'] | undefined {
  switch (first) {
    case 'flow-sequence-start':
      return 'sequence';
    case 'flow-mapping-start':
      return 'mapping';
    case 'block-sequence-start':
      return place === 'flow' ? undefined : 'sequence';
    case 'block-mapping-start':
      return place === 'flow' ? undefined : 'mapping';
    case 'block-entry':
      return place === 'part' ? 'sequence' : undefined;
    default:
      return undefined;
  }
}

function empty(line: number): YamlNode {
  return { type: 'scalar', line, tag: '', value: '', isPlain: true };
}

// The parser counts lines from 0, and names none for the first.
function broken({ start }: Token, problem: string): BrokenYaml {
  return new BrokenYaml(problem, start);
}
