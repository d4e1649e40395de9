import type { InputProblem } from '../manifest/documents.ts';
import { type Path, parseFieldPath, valueAt } from '../manifest/locate.ts';
import type { Manifest } from '../manifest/manifest.ts';
import { expressionOffset } from '../manifest/source.ts';
import { problemOf } from './configuration.ts';

/** Why kube-apiserver would refuse to create an object. */
export interface Refusal {
  /** `Kind/name`. */
  readonly resource: string;
  readonly message: string;
  /** Complete texts of the field errors; none when the object could not be decoded. */
  readonly fields?: readonly string[];
}

/**
 * A refusal as problems with places in the file: one for each field error, and one for each issue
 * of an expression that does not compile.
 */
export function refusalProblems(manifest: Manifest, refusal: Refusal): InputProblem[] {
  const { fields } = refusal;
  if (fields === undefined || fields.length === 0) {
    const field = wrongType.exec(refusal.message)?.[1] ?? '';
    const path = parseFieldPath(field);
    return [problemOf(manifest, path, `${manifest.title}: ${refusal.message}`)];
  }
  return fields.flatMap((text) => fieldProblems(manifest, text));
}

/** Where Go's decoder names the field that has the wrong type, list indexes left out. */
const wrongType = /Go struct field \w+\.(\S+) of type/;
const compilation = 'compilation failed: ';
const issue = /^ERROR: <input>:(\d+):(\d+): (.*)$/gm;

function fieldProblems(manifest: Manifest, text: string): InputProblem[] {
  const end = fieldEnd(text);
  const field = text.slice(0, end);
  const path = parseFieldPath(field);
  const start = text.indexOf(compilation, end);
  const expression = valueAt(manifest.object as never, path);
  if (start === -1 || typeof expression !== 'string') return [problemOf(manifest, path, text)];
  const issues = [...text.slice(start + compilation.length).matchAll(issue)];
  if (issues.length === 0) return [problemOf(manifest, path, text)];
  return issues.map(([, line = '1', column = '1', message = '']) => {
    const within = expressionOffset(expression, Number(line), Number(column) - 1);
    return expressionProblem(manifest, path, within, `${message} (${field})`);
  });
}

/** A problem at one place of an expression, with the expression from its first line on. */
function expressionProblem(
  manifest: Manifest,
  path: Path,
  within: number,
  message: string,
): InputProblem {
  return {
    file: manifest.file,
    message,
    place: manifest.place(path, within),
    source: manifest.origin.source,
    from: manifest.place(path, 0).line,
  };
}

/** Where the field path of a field error ends: at the first `: ` outside of brackets. */
function fieldEnd(text: string): number {
  let depth = 0;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '[') depth++;
    else if (text[at] === ']') depth--;
    else if (depth === 0 && text.startsWith(': ', at)) return at;
  }
  return 0;
}
