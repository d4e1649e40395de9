import type { MarkdownOptions } from 'vitepress';

type MarkdownRenderer = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** An output line whose marker points at a column of the line above. */
const mark = /^[ \d|]*\^/m;

/** Disables line wrapping for blocks with markers, which would otherwise point at the wrong column. */
export function keepPlacesInLines(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence;
  if (fence === undefined) throw new Error('unexpected markup of code blocks from VitePress');
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const html = fence(tokens, index, ...rest);
    const hasMarks = mark.test(tokens[index]?.content ?? '');
    return hasMarks ? html.replace('class="language-', 'class="has-places language-') : html;
  };
}
