/** The longest text that search engines and previews of links show. */
const longest = 160;

/** The length from which a text is sufficient; a shorter one continues with the next paragraph. */
const enough = 60;

/** Matches blocks other than paragraphs: headings, code, tables, lists, quotes, boxes, HTML and comments. */
const noParagraph = /^(?:#|```|\||[-*+] |\d+\. |>|:::|<)/;

/** Returns the beginning of a page in plain words, for search engines and previews of links; undefined without text. */
export function descriptionOf(markdown: string): string | undefined {
  const withoutCode = markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replaceAll(/^(`{3,})[\s\S]*?^\1$/gm, '');
  let text = '';
  for (const block of withoutCode.split(/\n{2,}/)) {
    if (text.length >= enough) break;
    if (!noParagraph.test(block.trim())) text = `${text} ${plain(block)}`.trim();
  }
  // A sentence that only introduces a list or code says nothing without it.
  const complete = text.replace(/(\. )[^.]*:$/, '$1').trim();
  return text === '' ? undefined : shortened(complete);
}

function plain(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]*>|`|\*\*/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** Cut after a sentence, or after a word if the first sentence is too long. */
function shortened(text: string): string {
  if (text.length <= longest) return text;
  const sentence = text.slice(0, longest).lastIndexOf('. ');
  if (sentence >= enough) return text.slice(0, sentence + 1);
  return `${text.slice(0, text.lastIndexOf(' ', longest - 2))} …`;
}
