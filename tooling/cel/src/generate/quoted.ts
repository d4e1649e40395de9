import { phrases, type Random } from '@kubeadmit/random';

const plain = [
  '',
  ...phrases`
    a  abc  b  héllo  1  true  a,b,c  🙂x  k1  x-y  10.0.0.1  1.2.3  hello wörld  A  constructor
    __proto__
  `,
  ...[' ', 'aXbX', 'ß', 'ÀÉ', 'tab\there', '2023-01-02T03:04:05Z'],
];

const pieces = [
  ...['a', 'B', '0', ' '],
  ...phrases`é  🙂  \n  \t  \\  \"  \'  \u00e9  \U0001F642  \x41  \101  \a  \?`,
  '\\`',
  ...phrases`%  {  \u0000  \uFFFD  \v`,
  ...['\u200b', 'ﬀ', 'İ', '\u0301', '\ufeff'],
];

// Mistakes that the lexer or the reader of escapes finds.
const wrong = ['\\q', '\\ud800', '\\U00110000', '\\x4', '\\400', '\\u12', '\ud800', '\\'];

/** A string literal: mostly a plain one, else with escapes and in one of the ways to quote. */
export function stringLiteral(random: Random): string {
  if (random.chance(0.75)) return JSON.stringify(random.pick(plain));
  return quote(random, body(random), random.chance(0.15) ? random.pick(['r', 'R']) : '');
}

export function bytesLiteral(random: Random): string {
  if (random.chance(0.6)) {
    return random.pick(['b"abc"', 'b""', 'b"\\xff"', "b'é'", 'b"\\001\\377"', 'b"a"']);
  }
  return quote(random, body(random), random.pick(['b', 'B', 'br', 'bR', 'rb']));
}

function body(random: Random): string {
  const count = random.below(5);
  return Array.from({ length: count }, () =>
    random.chance(0.03) ? random.pick(wrong) : random.pick(pieces),
  ).join('');
}

function quote(random: Random, inner: string, prefix: string): string {
  const mark = random.pick(['"', '"', "'", '"""', "'''"]);
  const line =
    mark.length === 3 && random.chance(0.3) ? random.pick(['\n', '\r\n', '\r', '"']) : '';
  return `${prefix}${mark}${inner}${line}${mark === '"""' && line === '"' ? ' ' : ''}${mark}`;
}
