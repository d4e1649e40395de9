import { deepestYaml } from '@kubeadmit/go/unstable-internal';
import { Composer, type CST, type Document, Lexer, Parser, type YAMLError } from 'yaml';

/** Collections lie too deep within each other. */
export class TooDeep extends RangeError {
  readonly offset: number;

  constructor(offset: number) {
    super();
    this.offset = offset;
  }
}

/**
 * The trees of the YAML documents of a text: scalars are strings, nothing is resolved.
 *
 * @throws TooDeep for collections that lie too deep within each other.
 */
export function composeYaml(text: string): Document.Parsed[] {
  const documents = composeWith(new Lexer(), text);
  if (!documents.some(({ errors }) => errors.some(isOpen))) return documents;
  const others = composeWith(laxLexer(), text);
  // If no other reading is better, the first one reports the bracket or quote that is not closed.
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

/** A token of a parser of YAML, as far as nesting goes: a document, a collection with its items, or something else. */
interface Token {
  readonly offset?: number;
  readonly value?: unknown;
  readonly items?: readonly { readonly key?: unknown; readonly value?: unknown }[];
}

/** Where the first collection begins that lies deeper than {@link deepestYaml} in the document of a token. */
function tooDeepYaml(document: unknown): number | undefined {
  const pending: [token: unknown, depth: number][] = [[document, 0]];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [token, depth] = next;
    if (typeof token !== 'object' || token === null) continue;
    const { offset, value, items } = token as Token;
    if (depth > deepestYaml) return offset ?? 0;
    if (items === undefined) {
      pending.push([value, depth]);
      continue;
    }
    for (const item of items) pending.push([item.key, depth + 1], [item.value, depth + 1]);
  }
  return undefined;
}
