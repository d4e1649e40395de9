import { plainFileName } from './file-names.ts';

/**
 * Returns a script that repeats the playground's work with kubectl: it applies the policies and their dependencies, and
 * sends the other objects as a dry run.
 *
 * @param tried the files with objects that are tried and not kept
 */
export function kubectlScript(
  files: Readonly<Record<string, string>>,
  tried: ReadonlySet<string>,
): string {
  const entries = Object.entries(files).filter(([, text]) => text.trim() !== '');
  const commandOf = (name: string): string =>
    tried.has(name) ? 'kubectl create --dry-run=server -f -' : 'kubectl apply -f -';
  return [
    ...entries.filter(([name]) => !tried.has(name)),
    ...entries.filter(([name]) => tried.has(name)),
  ]
    .map(([name, text]) => `# ${commentOf(name)}\n${withInput(commandOf(name), text)}\n`)
    .join('\n');
}

/**
 * A file name in a comment. Scripts are pasted into shells that have no comments, such as an interactive zsh, which
 * would run the text after a semicolon.
 */
function commentOf(name: string): string {
  return plainFileName(name).replaceAll(/[^\w./-]/g, '_');
}

/** Characters that a terminal or a shell may act on when a script is pasted: all controls but the line break. */
const controls = /[^\P{Cc}\n]/u;

/**
 * Returns a command with a text as its input. No part of the text is run, whether the script is run from a file or
 * pasted into a terminal, where control characters act as keys: a carriage return enters a line, and Ctrl+C ends the
 * input.
 */
export function withInput(command: string, text: string): string {
  const lines = text.replace(/\r\n?/g, '\n').trimEnd();
  return controls.test(lines)
    ? `base64 -d <<'EOF' | ${command}\n${base64(text)}\nEOF`
    : `${command} <<'${unusedWord(lines)}'\n${lines}\n${unusedWord(lines)}`;
}

/** Returns a word that does not occur as a line of the text. */
function unusedWord(text: string): string {
  const lines = new Set(text.split('\n'));
  let word = 'EOF';
  while (lines.has(word)) word += '_';
  return word;
}

function base64(text: string): string {
  const bytes = new TextEncoder().encode(text);
  const encoded = btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
  return encoded.replace(/.{76}(?=.)/g, '$&\n');
}
