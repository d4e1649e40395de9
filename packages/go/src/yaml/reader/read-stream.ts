import { BrokenYaml } from './characters.ts';
import { composeYaml, type YamlNode } from './compose.ts';
import { YamlDecoder } from './decode.ts';

/** A document of a stream, composed but not decoded. */
export interface YamlDocument {
  readonly root: YamlNode;
  /** The line of the stream that the document begins on, counted from 0; lines of nodes count from there. */
  readonly line: number;
}

/** The documents of a YAML stream, or the parser's error about one of them. */
export type YamlStream =
  | { readonly documents: readonly YamlDocument[] }
  | { readonly error: string };

/**
 * Composes all documents of a YAML stream; documents without content are left out. As in yaml.v3, aliases can refer to
 * anchors of earlier documents.
 */
export function readYamlStream(text: string): YamlStream {
  const documents: YamlDocument[] = [];
  const anchors = new Map<string, YamlNode>();
  for (const { source, line } of splitDocuments(text)) {
    try {
      const root = composeYaml(source, anchors);
      if (root === undefined) continue;
      // Rejects anchors that contain themselves, and excessive aliasing.
      new YamlDecoder().decode(root);
      documents.push({ root, line });
    } catch (error) {
      if (!(error instanceof BrokenYaml)) throw error;
      const place = error.line === 0 ? '' : `line ${line + error.line}: `;
      return { error: `yaml: ${place}${error.problem}` };
    }
  }
  return { documents };
}

/** Splits a stream before each line that begins a document: no scalar can contain such a line. */
function splitDocuments(
  text: string,
): readonly { readonly source: string; readonly line: number }[] {
  const documents: { source: string; line: number }[] = [];
  let lines: string[] = [];
  let start = 0;
  for (const [at, line] of text.split('\n').entries()) {
    if (/^---(?:\s|$)/.test(line) && !lines.every(isPreamble)) {
      documents.push({ source: lines.join('\n'), line: start });
      lines = [];
      start = at;
    }
    lines.push(line);
  }
  return [...documents, { source: lines.join('\n'), line: start }];
}

/** Whether a line can precede the start of a document: a directive, a comment, or nothing. */
function isPreamble(line: string): boolean {
  return /^\s*(?:#.*)?$|^%/.test(line);
}
