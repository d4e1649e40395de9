import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import dictionary from 'dictionary-en-gb';
import nspell from 'nspell';
import { expect, test } from 'vitest';

const dist = fileURLToPath(new URL('../.vitepress/dist/', import.meta.url));

/** Words of the field, which no dictionary of English has. */
const ours = new Set(
  readFileSync(new URL('words.txt', import.meta.url), 'utf8')
    .trim()
    .toLowerCase()
    .split('\n'),
);

const speller = nspell(Buffer.from(dictionary.aff), Buffer.from(dictionary.dic));

/** The changelog quotes names that are gone. */
const pages = readdirSync(dist, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.md') && path !== 'changelog.md')
  .sort();

test('the speller knows a mistake when it sees one', () => {
  expect(unknownWords('Wether a polcy of `kubectl-foo` concerns a [pod](/pods-of-ours).')).toEqual([
    'Wether',
    'polcy',
  ]);
});

test('the words of every page are spelt rightly', () => {
  expect(pages.length).toBeGreaterThan(80);
  const unknown = pages.flatMap((path) =>
    unknownWords(readFileSync(dist + path, 'utf8')).map((word) => `${path}: ${word}`),
  );
  expect(unknown, 'spell it rightly, or add a word of the field to words.txt').toEqual([]);
});

/** The words of the prose of a page that no dictionary has, without code, links and names. */
function unknownWords(markdown: string): string[] {
  const words = proseOf(markdown).match(WORD) ?? [];
  return [...new Set(words)].filter((word) => {
    if (/\p{Ll}\p{Lu}|^\p{Lu}+s?$/u.test(word)) return false;
    const plain = word.replace('’', "'");
    const stem = plain.replace(/'s$/, '');
    return !ours.has(stem.toLowerCase()) && !speller.correct(plain) && !speller.correct(stem);
  });
}

const WORD = /(?<![\p{L}\w.$/@-])\p{L}[\p{L}’']*\p{L}(?![\p{L}\w/(]|\.\w)/gu;

function proseOf(markdown: string): string {
  return markdown
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^(```+|~~~+)[\s\S]*?^\1$/gm, '')
    .replace(/<script[\s\S]*?<\/script>/g, '')
    .replace(/`[^`]*`|<[^>]+>|\]\([^)]*\)|https?:\S+|&#?\w+;/g, ' ');
}
