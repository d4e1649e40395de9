/** Characters with a meaning in a line of Markdown, which are escaped with backslashes. */
const syntax = /[\\`*_{}[\]<>!#|&~]/g;

/**
 * A text that is not ours as markdown that shows it: no links, images, HTML or headings. Words of code between single
 * backticks stay. Definitions and manifests come from repositories of others.
 */
export function escapeMarkdown(text: string): string {
  return text
    .split(/((?<![`\\])`[^`\n]+`(?!`))/)
    .map((part, index) =>
      index % 2 === 1 ? part : part.replace(syntax, '\\$&').replace(/^(?=[=-]{2,}\s*$)/gm, '\\'),
    )
    .join('');
}

export function codeSpan(text: string): string {
  const line = text.replace(/(?<!\s)\s*[\r\n]\s*/g, ' ');
  const ticks = '`'.repeat(longestRun(line, /`+/g) + 1);
  const space = /^`|`$/.test(line) ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

export function codeBlock(text: string, language = 'cel'): string {
  const ticks = '`'.repeat(Math.max(longestRun(text, /`{3,}/g) + 1, 3));
  return `${ticks}${language}\n${text}\n${ticks}`;
}

function longestRun(text: string, runs: RegExp): number {
  return Math.max(0, ...(text.match(runs) ?? []).map(({ length }) => length));
}
