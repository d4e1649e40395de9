import {
  type BrokenYaml,
  Characters,
  codes,
  isBlank,
  isBreak,
  isSpaceOrEnd,
  type YamlSource,
} from './characters.ts';
import { scanAnchor } from './scan-anchor.ts';
import { scanBlock } from './scan-block.ts';
import { scanDirective } from './scan-directive.ts';
import { scanPlain } from './scan-plain.ts';
import { scanQuoted } from './scan-quoted.ts';
import { scanTag } from './scan-tag.ts';
import { SimpleKeys } from './simple-keys.ts';
import type { SignType, Token } from './token.ts';
import { TokenQueue } from './token-queue.ts';

/** How deep flow collections, and how deep block collections, may lie within each other. */
const deepest = 10_000;

/** The signs of flow collections. */
const flowSigns: ReadonlyMap<string, SignType> = new Map([
  ['[', 'flow-sequence-start'],
  [']', 'flow-sequence-end'],
  ['{', 'flow-mapping-start'],
  ['}', 'flow-mapping-end'],
  [',', 'flow-entry'],
]);

/** Characters that cannot start a plain scalar. */
const signs = '-?:,[]{}#&*!|>\'"%@`';

/** Makes tokens of a text, one after the other (yaml.v2's scanner; YAML 1.1, chapter 5). */
export class Scanner {
  readonly #characters: Characters;
  readonly #queue = new TokenQueue();
  readonly #keys: SimpleKeys;
  readonly #indents: number[] = [];
  /** The column of the innermost block collection; -1 outside of all. */
  #indent = -1;
  #flowLevel = 0;
  /** Whether a key that needs no `?` may begin here. */
  #allowsKey = true;
  #isReady = false;

  constructor(source: YamlSource) {
    this.#characters = new Characters(source);
    this.#keys = new SimpleKeys(this.#characters);
  }

  /** The next token. */
  peek(): Token {
    if (!this.#isReady) {
      // Whether a token begins a key is only known after the tokens that follow it.
      while (this.#queue.isEmpty || this.#keys.mayBeKey(this.#queue.taken)) this.#fetch();
      this.#isReady = true;
    }
    return this.#queue.first;
  }

  /** The next token, which is then left behind. */
  take(): Token {
    const token = this.peek();
    this.#queue.shift();
    this.#isReady = false;
    return token;
  }

  #fetch(): void {
    const characters = this.#characters;
    this.#skipSpace();
    this.#closeBlocks(characters.column);
    characters.require(4);
    const sign = String.fromCharCode(characters.code());
    const flowSign = flowSigns.get(sign);
    const isIndicator = isSpaceOrEnd(characters.code(1));
    if (characters.code() === codes.end) this.#fetchEnd();
    else if (characters.column === 0 && sign === '%') this.#fetchDirective();
    else if (characters.isDocumentMark('-')) this.#fetchDocumentMark('document-start');
    else if (characters.isDocumentMark('.')) this.#fetchDocumentMark('document-end');
    else if (flowSign !== undefined) this.#fetchFlowSign(flowSign);
    else if (sign === '-' && isIndicator) this.#fetchEntry();
    else if (sign === '?' && (this.#flowLevel > 0 || isIndicator)) this.#fetchKey();
    else if (sign === ':' && (this.#flowLevel > 0 || isIndicator)) this.#fetchValue();
    else this.#fetchContent(sign);
  }

  #fetchContent(sign: string): void {
    const characters = this.#characters;
    const start = characters.mark;
    const isFlow = this.#flowLevel > 0;
    if ((sign === '|' || sign === '>') && !isFlow) {
      this.#keys.forget();
      this.#allowsKey = true;
      const context = { parentIndent: this.#indent, isLiteral: sign === '|' };
      const value = scanBlock(characters, context);
      this.#queue.push({ type: 'scalar', start, value, style: 'block' });
    } else if (sign === '*' || sign === '&') {
      this.#beginKey();
      const name = scanAnchor(characters);
      this.#queue.push({ type: sign === '*' ? 'alias' : 'anchor', start, name });
    } else if (sign === '!') {
      this.#beginKey();
      this.#queue.push({ type: 'tag', start, ...scanTag(characters) });
    } else if (sign === "'" || sign === '"') {
      this.#beginKey();
      const value = scanQuoted(characters, sign);
      this.#queue.push({ type: 'scalar', start, value, style: 'quoted' });
    } else if (this.#isPlain(sign)) {
      this.#beginKey();
      const { value, endsLine } = scanPlain(characters, { parentIndent: this.#indent, isFlow });
      this.#allowsKey = endsLine;
      this.#queue.push({ type: 'scalar', start, value, style: 'plain' });
    } else {
      throw characters.broken('found character that cannot start any token');
    }
  }

  #isPlain(sign: string): boolean {
    const next = this.#characters.code(1);
    if (sign === '-') return !isBlank(next);
    if (sign === '?' || sign === ':') return this.#flowLevel === 0 && !isSpaceOrEnd(next);
    return !isSpaceOrEnd(sign.charCodeAt(0)) && !signs.includes(sign);
  }

  /** Advances to the next token, over comments and line ends. */
  #skipSpace(): void {
    const characters = this.#characters;
    for (;;) {
      const allowsTab = this.#flowLevel > 0 || !this.#allowsKey;
      while (characters.is(' ') || (allowsTab && characters.is('\t'))) characters.skip();
      characters.skipComment();
      if (!isBreak(characters.code())) return;
      characters.skipBreak();
      if (this.#flowLevel === 0) this.#allowsKey = true;
    }
  }

  /** Records that a key may start here, and that no other one starts right after it. */
  #beginKey(): void {
    if (this.#allowsKey) {
      const isRequired = this.#flowLevel === 0 && this.#indent === this.#characters.column;
      this.#keys.begin(this.#queue.next, isRequired);
    }
    this.#allowsKey = false;
  }

  /** Opens a block collection where it is indented deeper than the one around it. */
  #openBlock(type: SignType, start = this.#characters.mark, number = this.#queue.next): void {
    if (this.#flowLevel > 0 || this.#indent >= start.column) return;
    this.#indents.push(this.#indent);
    this.#indent = start.column;
    if (this.#indents.length > deepest) throw this.#tooDeep();
    this.#queue.insert(number, { type, start });
  }

  /** Closes the block collections that are indented deeper than a column. */
  #closeBlocks(column: number): void {
    if (this.#flowLevel > 0) return;
    while (this.#indent > column) {
      this.#queue.push({ type: 'block-end', start: this.#characters.mark });
      this.#indent = this.#indents.pop() ?? -1;
    }
  }

  #fetchEnd(): void {
    this.#characters.endLine();
    this.#closeBlocks(-1);
    this.#keys.forget();
    this.#allowsKey = false;
    this.#queue.push({ type: 'stream-end', start: this.#characters.mark });
  }

  #fetchDirective(): void {
    this.#closeBlocks(-1);
    this.#keys.forget();
    this.#allowsKey = false;
    this.#queue.push(scanDirective(this.#characters));
  }

  #fetchDocumentMark(type: SignType): void {
    this.#closeBlocks(-1);
    this.#keys.forget();
    this.#allowsKey = false;
    this.#pushSign(type, 3);
  }

  #fetchFlowSign(type: SignType): void {
    if (type === 'flow-sequence-start' || type === 'flow-mapping-start') {
      this.#beginKey();
      this.#keys.open(this.#queue.next);
      this.#flowLevel++;
      if (this.#flowLevel > deepest) throw this.#tooDeep();
    } else {
      this.#keys.forget();
      if (type !== 'flow-entry' && this.#flowLevel > 0) {
        this.#flowLevel--;
        this.#keys.close();
      }
    }
    this.#allowsKey = type !== 'flow-sequence-end' && type !== 'flow-mapping-end';
    this.#pushSign(type);
  }

  #fetchEntry(): void {
    if (this.#flowLevel === 0) {
      if (!this.#allowsKey) {
        throw this.#characters.broken('block sequence entries are not allowed in this context');
      }
      this.#openBlock('block-sequence-start');
    }
    this.#keys.forget();
    this.#allowsKey = true;
    this.#pushSign('block-entry');
  }

  #fetchKey(): void {
    if (this.#flowLevel === 0) {
      if (!this.#allowsKey) {
        throw this.#characters.broken('mapping keys are not allowed in this context');
      }
      this.#openBlock('block-mapping-start');
    }
    this.#keys.forget();
    this.#allowsKey = this.#flowLevel === 0;
    this.#pushSign('key');
  }

  #fetchValue(): void {
    const key = this.#keys.take();
    if (key !== undefined) {
      this.#queue.insert(key.number, { type: 'key', start: key.start });
      this.#openBlock('block-mapping-start', key.start, key.number);
      this.#allowsKey = false;
    } else {
      if (this.#flowLevel === 0) {
        if (!this.#allowsKey) {
          throw this.#characters.broken('mapping values are not allowed in this context');
        }
        this.#openBlock('block-mapping-start');
      }
      this.#allowsKey = this.#flowLevel === 0;
    }
    this.#pushSign('value');
  }

  #pushSign(type: SignType, length = 1): void {
    this.#queue.push({ type, start: this.#characters.mark });
    this.#characters.skip(length);
  }

  #tooDeep(): BrokenYaml {
    return this.#characters.broken(`exceeded max depth of ${deepest}`);
  }
}
