import { BrokenYaml, type YamlSource } from './characters.ts';
import { Scanner } from './scanner.ts';
import type { Token, TokenType } from './token.ts';

/** What the parser tells of the first document of a text, one after the other. */
export type YamlEvent =
  | { readonly type: 'end'; readonly line: number }
  | { readonly type: 'collection-end'; readonly line: number }
  | { readonly type: 'alias'; readonly line: number; readonly name: string }
  | ({
      readonly type: 'scalar';
      readonly line: number;
      readonly value: string;
      /** Whether the text decides about the type: it is neither in quotes nor a block, nor has it a tag but `!`. */
      readonly isPlain: boolean;
    } & NodeProperties)
  | ({ readonly type: 'sequence' | 'mapping'; readonly line: number } & NodeProperties);

/** What may stand before a node. */
interface NodeProperties {
  readonly anchor?: string | undefined;
  /** In its long form; empty without one. */
  readonly tag: string;
}

type State = () => YamlEvent;

/** The prefixes of tags' handles that need no directive. */
const standardHandles: readonly (readonly [string, string])[] = [
  ['!', '!'],
  ['!!', 'tag:yaml.org,2002:'],
];

/** What does not belong to a document's content. */
const outside = [
  'version-directive',
  'tag-directive',
  'document-start',
  'document-end',
  'stream-end',
] as const;

/** Tells what the first document of a text consists of (yaml.v2's parser; the grammar of YAML 1.1, as libyaml has it). */
export class YamlEvents {
  readonly #scanner: Scanner;
  readonly #handles = new Map<string, string>();
  /** Where to go on when a node has ended. */
  readonly #after: State[] = [];
  #state: State = () => this.#documentStart();

  constructor(source: YamlSource) {
    this.#scanner = new Scanner(source);
  }

  /** The next event; throws {@link BrokenYaml} where there is none. */
  next(): YamlEvent {
    return this.#state();
  }

  #documentStart(): YamlEvent {
    const { line } = this.#peek().start;
    if (this.#is('stream-end')) return { type: 'end', line };
    const isExplicit = this.#is('version-directive', 'tag-directive', 'document-start');
    this.#readDirectives();
    if (isExplicit) {
      if (!this.#is('document-start')) throw this.#missing('<document start>');
      this.#scanner.take();
    }
    this.#after.push(() => this.#documentEnd());
    return isExplicit ? this.#documentContent() : this.#node();
  }

  #readDirectives(): void {
    let hasVersion = false;
    for (let token = this.#peek(); ; token = this.#peek()) {
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

  #documentContent(): YamlEvent {
    if (!this.#is(...outside)) return this.#node();
    this.#leave();
    return empty(this.#peek().start.line);
  }

  #documentEnd(): YamlEvent {
    return { type: 'end', line: this.#peek().start.line };
  }

  /** A node in a block collection, or in a flow collection, where no block collection may begin. */
  #node({ isFlow = false, allowsEntry = false } = {}): YamlEvent {
    const first = this.#peek();
    const { line } = first.start;
    if (first.type === 'alias') {
      this.#scanner.take();
      this.#leave();
      return { type: 'alias', line, name: first.name };
    }
    const properties = this.#readProperties();
    const token = this.#peek();
    if (token.type === 'scalar') {
      this.#scanner.take();
      this.#leave();
      const { tag } = properties;
      const isPlain = tag === '!' || (tag === '' && token.style === 'plain');
      return { type: 'scalar', line, value: token.value, isPlain, ...properties };
    }
    const collection = this.#collection(token.type, { isFlow, allowsEntry });
    if (collection !== undefined) {
      this.#state = collection.first;
      return { type: collection.type, line, ...properties };
    }
    if (first === token) throw this.#missing('node content');
    this.#leave();
    return { type: 'scalar', line, value: '', isPlain: properties.tag === '', ...properties };
  }

  #readProperties(): NodeProperties {
    let anchor: string | undefined;
    let tag: Extract<Token, { readonly type: 'tag' }> | undefined;
    for (let token = this.#peek(); ; token = this.#peek()) {
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

  #collection(
    type: TokenType,
    { isFlow, allowsEntry }: { readonly isFlow: boolean; readonly allowsEntry: boolean },
  ): { readonly type: 'sequence' | 'mapping'; readonly first: State } | undefined {
    if (type === 'block-entry' && allowsEntry) {
      return { type: 'sequence', first: () => this.#indentlessEntry() };
    }
    if (type === 'flow-sequence-start') {
      return { type: 'sequence', first: () => this.#opened(() => this.#flowEntry(true)) };
    }
    if (type === 'flow-mapping-start') {
      return { type: 'mapping', first: () => this.#opened(() => this.#flowKey(true)) };
    }
    if (isFlow) return undefined;
    if (type === 'block-sequence-start') {
      return { type: 'sequence', first: () => this.#opened(() => this.#blockEntry()) };
    }
    if (type !== 'block-mapping-start') return undefined;
    return { type: 'mapping', first: () => this.#opened(() => this.#blockKey()) };
  }

  #opened(entry: State): YamlEvent {
    this.#scanner.take();
    return entry();
  }

  #blockEntry(): YamlEvent {
    if (this.#is('block-entry')) {
      const { line } = this.#scanner.take().start;
      const again = (): YamlEvent => this.#blockEntry();
      if (this.#is('block-entry', 'block-end')) return this.#emptyThen(again, line);
      return this.#nodeThen(again);
    }
    if (!this.#is('block-end')) throw this.#missing("'-' indicator");
    return this.#collectionEnd(true);
  }

  /** An entry of a sequence that is indented no deeper than the key of which it is the value. */
  #indentlessEntry(): YamlEvent {
    if (!this.#is('block-entry')) return this.#collectionEnd(false);
    const { line } = this.#scanner.take().start;
    const again = (): YamlEvent => this.#indentlessEntry();
    if (this.#is('block-entry', 'key', 'value', 'block-end')) return this.#emptyThen(again, line);
    return this.#nodeThen(again);
  }

  #blockKey(): YamlEvent {
    if (this.#is('block-end')) return this.#collectionEnd(true);
    if (!this.#is('key')) throw this.#missing('key');
    const { line } = this.#scanner.take().start;
    return this.#blockPart(() => this.#blockValue(), line);
  }

  #blockValue(): YamlEvent {
    const key = (): YamlEvent => this.#blockKey();
    if (!this.#is('value')) return this.#emptyThen(key);
    const { line } = this.#scanner.take().start;
    return this.#blockPart(key, line);
  }

  #blockPart(after: State, line: number): YamlEvent {
    if (this.#is('key', 'value', 'block-end')) return this.#emptyThen(after, line);
    return this.#nodeThen(after, { allowsEntry: true });
  }

  #flowEntry(isFirst: boolean): YamlEvent {
    if (!this.#is('flow-sequence-end')) {
      if (!isFirst) this.#takeComma(']');
      const { line } = this.#peek().start;
      if (this.#is('key')) {
        this.#scanner.take();
        this.#state = () => this.#pairKey();
        return { type: 'mapping', line, tag: '' };
      }
      if (!this.#is('flow-sequence-end')) {
        return this.#nodeThen(() => this.#flowEntry(false), { isFlow: true });
      }
    }
    return this.#collectionEnd(true);
  }

  /** The key of a pair that stands in a flow sequence without braces. */
  #pairKey(): YamlEvent {
    const value = (): YamlEvent => this.#pairValue();
    if (!this.#is('value', 'flow-entry', 'flow-sequence-end')) {
      return this.#nodeThen(value, { isFlow: true });
    }
    // What ends the key is left behind with it, so that what follows is not read as its value.
    return this.#emptyThen(value, this.#scanner.take().start.line);
  }

  #pairValue(): YamlEvent {
    const end = (): YamlEvent => this.#pairEnd();
    if (this.#is('value')) {
      this.#scanner.take();
      if (!this.#is('flow-entry', 'flow-sequence-end')) {
        return this.#nodeThen(end, { isFlow: true });
      }
    }
    return this.#emptyThen(end);
  }

  #pairEnd(): YamlEvent {
    this.#state = () => this.#flowEntry(false);
    return { type: 'collection-end', line: this.#peek().start.line };
  }

  #flowKey(isFirst: boolean): YamlEvent {
    if (!this.#is('flow-mapping-end')) {
      if (!isFirst) this.#takeComma('}');
      if (this.#is('key')) {
        this.#scanner.take();
        return this.#flowPart(() => this.#flowValue(), 'value');
      }
      if (!this.#is('flow-mapping-end')) {
        return this.#nodeThen(() => this.#emptyThen(() => this.#flowKey(false)), { isFlow: true });
      }
    }
    return this.#collectionEnd(true);
  }

  #flowValue(): YamlEvent {
    const key = (): YamlEvent => this.#flowKey(false);
    if (!this.#is('value')) return this.#emptyThen(key);
    this.#scanner.take();
    return this.#flowPart(key);
  }

  #flowPart(after: State, ...ends: readonly TokenType[]): YamlEvent {
    if (this.#is('flow-entry', 'flow-mapping-end', ...ends)) return this.#emptyThen(after);
    return this.#nodeThen(after, { isFlow: true });
  }

  #takeComma(end: ']' | '}'): void {
    if (!this.#is('flow-entry')) throw this.#missing(`',' or '${end}'`);
    this.#scanner.take();
  }

  #collectionEnd(isToken: boolean): YamlEvent {
    const { line } = this.#peek().start;
    if (isToken) this.#scanner.take();
    this.#leave();
    return { type: 'collection-end', line };
  }

  #nodeThen(after: State, context: { isFlow?: boolean; allowsEntry?: boolean } = {}): YamlEvent {
    this.#after.push(after);
    return this.#node(context);
  }

  #emptyThen(after: State, line = this.#peek().start.line): YamlEvent {
    this.#state = after;
    return empty(line);
  }

  #leave(): void {
    const state = this.#after.pop();
    if (state !== undefined) this.#state = state;
  }

  #peek(): Token {
    return this.#scanner.peek();
  }

  #is(...types: readonly TokenType[]): boolean {
    return types.includes(this.#peek().type);
  }

  #missing(what: string): BrokenYaml {
    return broken(this.#peek(), `did not find expected ${what}`);
  }
}

function empty(line: number): YamlEvent {
  return { type: 'scalar', line, value: '', isPlain: true, tag: '' };
}

// The parser counts lines from 0, and names none for the first.
function broken({ start }: Token, problem: string): BrokenYaml {
  return new BrokenYaml(problem, start);
}
