const mostCharacters = 4096;
const cutCharacters = 256;

/**
 * The values of `Warning` headers: each text once, none with control characters. Where all are too long together, long
 * ones are cut and those beyond the limit left out (apiserver filters.WithWarningRecorder, apimachinery
 * net.NewWarningHeader). Lengths are in code points.
 */
export function warningHeaders(texts: readonly string[]): readonly string[] {
  const distinct = [...new Set(texts)].filter((text) => text !== '');
  const whole = distinct.filter(isWritable);
  const total = whole.reduce((sum, text) => sum + [...text].length, 0);
  return (total > mostCharacters ? cutToLimit(distinct) : whole).map(warningHeader);
}

function cutToLimit(texts: readonly string[]): readonly string[] {
  const kept: string[] = [];
  let written = 0;
  for (const text of texts) {
    const characters = [...text].slice(0, cutCharacters);
    const cut = characters.join('');
    if (written >= mostCharacters || !isWritable(cut)) continue;
    written += characters.length;
    kept.push(cut);
  }
  return kept;
}

function isWritable(text: string): boolean {
  return !/\p{Cc}/u.test(text);
}

function warningHeader(text: string): string {
  return `299 - "${text.replace(/["\\]/g, '\\$&')}"`;
}
