import { type Document, isAlias, isMap, isScalar, isSeq, visit, type YAMLError } from 'yaml';

/** A problem of a text and its position, as an index of UTF-16 code units. */
export interface Problem {
  readonly message: string;
  readonly offset: number;
  /** The position of the bracket or quote that is not closed. */
  readonly opened?: number;
  /** Whether it is a key that a mapping names twice, of which the last counts. */
  readonly isDuplicate?: boolean;
}

/** Returns the problem of a document, or `undefined` if it is valid. */
export function problemIn(document: Document.Parsed): Problem | undefined {
  // Problems after the first syntax error are mostly consequences of it.
  const [error] = document.errors;
  if (error === undefined) return misnamedProblem(document);
  const [offset] = error.pos;
  const opened = openingOf(document, error);
  return { message: errorText(error), offset, ...(opened === undefined ? {} : { opened }) };
}

function errorText({ message }: YAMLError): string {
  // The parser goes as deep as the stack does.
  if (message.startsWith('Maximum call stack')) return 'nested too deeply';
  return message.charAt(0).toLowerCase() + message.slice(1);
}

/** The names of anchors and aliases that goyaml accepts; YAML allows more. */
const yamlName = /^[\w-]+$/;

// Texts that begin with `*` or `&`, such as the name of a host, are meant more often than anchors and aliases.
function misnamedProblem(document: Document.Parsed): Problem | undefined {
  let problem: Problem | undefined;
  visit(document, {
    Node(_key, node) {
      const written = isAlias(node) ? `*${node.source}` : node.anchor && `&${node.anchor}`;
      if (written === undefined || yamlName.test(written.slice(1))) return undefined;
      const what = isAlias(node) ? 'an alias' : 'an anchor';
      const message = `did not find expected alphabetic or numeric character: \`${written}\` is ${what} in YAML; quote it to make it a string`;
      problem = { message, offset: node.range?.[0] ?? 0 };
      return visit.BREAK;
    },
  });
  return problem;
}

/** The parser's messages for unclosed brackets and quotes, each with the nodes that they refer to. */
const unclosed: readonly (readonly [RegExp, (node: unknown) => boolean])[] = [
  [/^Missing closing /, (node) => isScalar(node) && node.type?.startsWith('QUOTE') === true],
  [/^Flow map .*end with a \}/, (node) => isMap(node)],
  [/^Flow sequence .*end with a \]/, (node) => isSeq(node)],
];

/** Returns the position of the innermost bracket or quote that an error reports as unclosed. */
function openingOf(document: Document.Parsed, { message, pos }: YAMLError): number | undefined {
  const isMeant = unclosed.find(([text]) => text.test(message))?.[1];
  if (isMeant === undefined) return undefined;
  let opened: number | undefined;
  visit(document, {
    Node(_key, node) {
      const [start, end] = node.range ?? [];
      // Inner nodes are visited later.
      if (end === pos[0] && isMeant(node)) opened = start;
    },
  });
  return opened;
}
