import type { MarkdownOptions } from 'vitepress';

type MarkdownRenderer = Parameters<NonNullable<MarkdownOptions['config']>>[0];

/** A line of output whose mark stands below a place of the line above. */
const mark = /^[ \d|]*\^/m;

/** Marks blocks whose lines must not be wrapped, since what stands below a place would not stand there any more. */
export function keepPlacesInLines(markdown: MarkdownRenderer): void {
  const fence = markdown.renderer.rules.fence;
  if (fence === undefined) throw new Error('VitePress renders blocks of code in another way');
  markdown.renderer.rules.fence = (tokens, index, ...rest) => {
    const html = fence(tokens, index, ...rest);
    const hasMarks = mark.test(tokens[index]?.content ?? '');
    return hasMarks ? html.replace('class="language-', 'class="has-places language-') : html;
  };
}
