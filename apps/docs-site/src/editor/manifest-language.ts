import { foldService, StreamLanguage, type StringStream } from '@codemirror/language';
import type { Extension } from '@codemirror/state';

/** Where a text of YAML is in its line and in the block around it. */
interface Position {
  /** The block scalar that is being read: the indentation of its key, and whether it holds an expression. */
  block: { readonly indent: number; readonly isExpression: boolean } | undefined;
  /** Whether the rest of the line is an expression. */
  inExpression: boolean;
}

const expressionKey = /^(?:expression|messageExpression|valueExpression|rule|fieldPath)$/;

/**
 * A small highlighter for YAML with CEL in the fields that contain expressions.
 *
 * It distinguishes only tokens with different colors; the engines parse the files.
 */
const yaml = StreamLanguage.define<Position>({
  name: 'manifest',
  startState: () => ({ block: undefined, inExpression: false }),
  copyState: (state) => ({ ...state }),
  token(stream, state) {
    if (stream.sol()) beginLine(stream, state);
    if (stream.eatSpace()) return null;
    if (state.block !== undefined && !stream.match(/^:\s*[|>][-+\d]*/)) {
      if (state.block.isExpression) return celToken(stream);
      stream.skipToEnd();
      return 'string';
    }
    if (state.inExpression) return stream.match(/^:(?=\s)/) ? 'punctuation' : celToken(stream);
    return yamlToken(stream, state);
  },
  languageData: { commentTokens: { line: '#' } },
});

function beginLine(stream: StringStream, state: Position): void {
  state.inExpression = false;
  const isBlank = /^\s*$/.test(stream.string);
  if (state.block !== undefined && !isBlank && stream.indentation() <= state.block.indent) {
    state.block = undefined;
  }
}

function yamlToken(stream: StringStream, state: Position): string | null {
  if (stream.match(/^#.*/)) return 'comment';
  if (stream.match(/^(?:---|\.\.\.)(?=\s|$)/)) return 'meta';
  if (stream.match(/^-(?=\s|$)/)) return 'punctuation';
  const key = stream.match(
    /^(?:"[^"]*"|'[^']*'|[^\s#:[\]{},&*!|>'"%@`][^:#[\]{},]*?)(?=\s*:(?:\s|$))/,
  );
  if (typeof key === 'object' && key !== null) {
    state.inExpression = false;
    afterKey(stream, state, key[0] ?? '');
    return 'propertyName';
  }
  if (stream.match(/^[[\]{},:]/)) return 'punctuation';
  if (stream.match(/^[&*!][^\s,\]}]*/)) return 'meta';
  if (stream.match(/^"(?:[^"\\]|\\.)*"?/) || stream.match(/^'(?:[^']|'')*'?/)) return 'string';
  if (stream.match(/^[|>][-+\d]*/)) return 'meta';
  if (stream.match(/^-?\d[\d_.]*(?:[eE][-+]?\d+)?(?=[\s,\]}]|$)/)) return 'number';
  if (stream.match(/^(?:true|false|null|~|yes|no|on|off)(?=[\s,\]}]|$)/)) return 'bool';
  stream.match(/^[^\s#,\]}:]+|^./);
  return 'content';
}

/** Handles the text after a key: an expression on the same line, or a block that may contain one. */
function afterKey(stream: StringStream, state: Position, key: string): void {
  const rest = stream.string.slice(stream.pos);
  const isExpression = expressionKey.test(key);
  if (/^\s*:\s*[|>][-+\d]*\s*(?:#.*)?$/.test(rest)) {
    state.block = { indent: keyColumn(stream, key), isExpression };
  } else if (isExpression && /^\s*:\s+\S/.test(rest)) {
    state.inExpression = true;
  }
}

function keyColumn(stream: StringStream, key: string): number {
  return stream.pos - key.length;
}

function celToken(stream: StringStream): string | null {
  if (stream.match(/^\/\/.*/)) return 'comment';
  if (stream.match(/^[rRbB]{0,2}(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*')/)) return 'string';
  if (stream.match(/^\d[\w.]*/)) return 'number';
  if (stream.match(/^(?:true|false|null|in)\b/)) return 'keyword';
  if (stream.match(/^[A-Za-z_]\w*(?=\s*\()/)) return 'variableName.function';
  if (stream.match(variables)) return 'variableName.special';
  if (stream.match(/^[A-Za-z_]\w*/)) return 'variableName';
  stream.next();
  return null;
}

const variables =
  /^(?:object|oldObject|request|params|namespaceObject|variables|authorizer|self|oldSelf|Object|JSONPatch|images|resource)\b/;

/** Folds a line with the more indented ones below it. */
const folding = foldService.of((state, start) => {
  const line = state.doc.lineAt(start);
  const indent = indentationOf(line.text);
  if (indent === undefined) return null;
  let last = line.number;
  for (let number = line.number + 1; number <= state.doc.lines; number++) {
    const below = indentationOf(state.doc.line(number).text);
    if (below === undefined) continue;
    if (below <= indent) break;
    last = number;
  }
  return last === line.number ? null : { from: line.to, to: state.doc.line(last).to };
});

function indentationOf(text: string): number | undefined {
  return text.trim() === '' ? undefined : text.length - text.trimStart().length;
}

/** The language of manifests for the editor. */
export const manifestLanguage: Extension = [yaml, folding];
