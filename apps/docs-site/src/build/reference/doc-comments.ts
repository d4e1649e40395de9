/** The text of a doc comment without its stars, and with plain names for links. */
export function commentText(comment: string): string {
  return comment
    .replace(/^\/\*\*\s?/, '')
    .replace(/\s*\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .replaceAll(/\{@link ([^}]+)\}/g, '`$1`')
    .trim();
}

/** An exported declaration of a source text. */
export interface Declaration {
  readonly kind: 'function' | 'class' | 'interface' | 'type' | 'const';
  readonly name: string;
  /** The doc comment's text; empty where there is none. */
  readonly text: string;
  /** The text before the body: parameters and result, or fields. */
  readonly signature: string;
}

const declaration =
  /(\/\*\*(?:(?!\*\/)[\s\S])*\*\/\s*\n)?export (?:declare )?(?:abstract )?(?:async )?(function|class|interface|type|const) (\w+)/g;

/** The exported declarations of a source text by name; of overloads the first. */
export function declarationsOf(source: string): ReadonlyMap<string, Declaration> {
  const found = new Map<string, Declaration>();
  for (const match of source.matchAll(declaration)) {
    const [, comment = '', kind = '', name = ''] = match;
    if (found.has(name)) continue;
    found.set(name, {
      kind: kind as Declaration['kind'],
      name,
      text: commentText(comment.trim()),
      signature: signatureOf(source.slice(match.index + comment.length), kind),
    });
  }
  return found;
}

/** The head of a declaration: up to the body of a function, or whole where it is only a shape. */
function signatureOf(source: string, kind: string): string {
  const lines = source.split('\n');
  const end = lines.findIndex((line, i) => {
    if (kind === 'function') return /[{;]$/.test(line) && !/^\s*[\w?]+: \{$/.test(line);
    if (kind === 'const') return true;
    if (kind === 'class') return true;
    return i === 0 ? /;$/.test(line) || /\}$/.test(line) : /^\S.*[;}]$|^\}/.test(line);
  });
  const text = lines.slice(0, end + 1).join('\n');
  if (kind === 'const') return text.replace(/ = [\s\S]*$/, ';');
  return kind === 'function' || kind === 'class' ? text.replace(/ \{$/, ';') : text;
}
