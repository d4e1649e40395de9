import type { InputProblem, Manifest, Path, TextRange } from '@kubeadmit/manifest';

/** The position of a problem in a manifest. */
export type Located = Omit<InputProblem, 'message'>;

/** The part of a field that an issue refers to. */
export type Part = 'value' | 'key' | TextRange;

/**
 * The place of a field, its value or its key (where it has none, the last value on the way), or of a part of its
 * text, given in UTF-16 units.
 */
export function located(manifest: Manifest, path: Path, part: Part = 'value'): Located {
  const { file, origin } = manifest;
  const { source } = origin;
  if (typeof part === 'object') {
    const range = manifest.range(path, part);
    const whole = manifest.range(path, { start: 0, end: 0 });
    return {
      file,
      source,
      place: source.placeAt(range.start),
      range,
      from: source.placeAt(whole.start).line,
    };
  }
  const range = (part === 'key' ? manifest.keyRange(path) : undefined) ?? manifest.range(path);
  return { file, source, place: source.placeAt(range.start), range };
}

/** A token of an expression: a field with its dot, a name, a string, an operator. */
const token =
  /\.\??\s*`?[A-Za-z_]\w*`?|\[[^[\]]*\]|[A-Za-z_]\w*|\d[\w.]*|[rRbB]*(?:"""[\s\S]*?"""|'''[\s\S]*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*')|&&|\|\||[=!<>]==?|\s*\S/y;

/**
 * Returns the range of an error at a position of an expression: the token there, and the name of a called function.
 */
export function tokenAt(expression: string, start: number): TextRange {
  token.lastIndex = start;
  const end = token.test(expression) ? token.lastIndex : expression.length;
  if (expression[start] !== '(' && expression[start] !== '{') return { start, end };
  const run = /(?<![\w.])[\w.]+$/.exec(expression.slice(0, start).trimEnd());
  const name = run?.[0].search(/\b[A-Za-z_]/) ?? -1;
  if (run === null || name === -1) return { start, end };
  return { start: run.index + name, end: start };
}
