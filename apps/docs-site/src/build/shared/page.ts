/** A page that the build writes. */
export interface Page {
  /** The path under the site's root, without its ending: `examples/team-label`. */
  readonly path: string;
  readonly markdown: string;
}

/** A table of Markdown; a bar in a cell is escaped. */
export function table(
  head: readonly string[],
  rows: readonly (readonly (string | number)[])[],
): string {
  const line = (cells: readonly (string | number)[]): string =>
    `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`;
  return [line(head), line(head.map(() => '---')), ...rows.map(line)].join('\n');
}

/** A text as code within a line, whatever back-ticks it has. */
export function code(text: string): string {
  const fence = '`'.repeat(
    Math.max(0, ...[...text.matchAll(/`+/g)].map(([run]) => run.length)) + 1,
  );
  const space = /^`|`$/.test(text) ? ' ' : '';
  return `${fence}${space}${text}${space}${fence}`;
}

/** A block of code. */
export function block(language: string, text: string): string {
  return `\`\`\`${language}\n${text.trimEnd()}\n\`\`\``;
}

/** Markdown whose code may contain `{{ }}`, which the site would otherwise evaluate as a template. */
export function withBraces(markdown: string): string {
  return markdown.replaceAll(/`([^`]*\{\{[^`]*)`/g, '<code v-pre>$1</code>');
}
