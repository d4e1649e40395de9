import { type Random, words } from '@kubeadmit/random';

const token =
  /[ \t\n]+|(?:[bB]?[rR]?)(?:"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*')|`[^`]*`|[A-Za-z_]\w*|0x\w+|\d+(?:\.\d+)?\w*|==|!=|<=|>=|&&|\|\||[\s\S]/gu;

const pieces: readonly string[] = [
  ...'== != < <= > >= && || [ ] { } ( ) . , - ! ? : + * / % in true false null'.split(' '),
  ...'a b1 _c has size map all exists exists_one filter optMap optFlatMap sortBy let if'.split(' '),
  ...'x __result__ transformList transformMap transformMapEntry Object as namespace'.split(' '),
  ...`1 0x1F 2u 0xfU 3.5 .5 1e9 1e400 9223372036854775808 18446744073709551616u 007 1.`.split(' '),
  ...`'s' "t" r'\\' b"u" br'v' """w""" '''y''' "\\u00e9" "\\ud800" "\\U00110000" b"\\u0041"`.split(
    ' ',
  ),
  ...`"\\q" "\\x4" '\\400' ''' """ " ' \` \`a-b\` \`\` r" b' \\ \\n`.split(' '),
  ...'= & | @ # $ ; ^ ~ é 😀 \u2028 … === <> -> ++ -- ** // /* .? [? {? a.b x.y.z f( a{ .a'.split(
    ' ',
  ),
  ...[' ', '\n', '\t', '\r\n', '\r', '\f', '\u00a0', '\u0000', '\ud800', '\ufeff'],
];

function tokensOf(expression: string): string[] {
  return expression.match(token) ?? [];
}

function edit(tokens: string[], random: Random): void {
  const index = random.below(tokens.length + 1);
  switch (random.below(8)) {
    case 0:
      tokens.splice(index, 1);
      break;
    case 1:
      tokens.splice(index, 0, random.pick(pieces));
      break;
    case 2:
      tokens.splice(index, 1, random.pick(pieces));
      break;
    case 3:
      tokens.splice(index, 0, tokens[index] ?? ',');
      break;
    case 4: {
      const other = random.below(tokens.length + 1);
      const [moved = ''] = tokens.splice(index, 1);
      tokens.splice(other, 0, moved);
      break;
    }
    case 5:
      tokens.splice(index, random.below(6));
      break;
    case 6:
      tokens.length = Math.min(tokens.length, index);
      break;
    default: {
      const text = tokens[index] ?? '';
      const cut = random.below(text.length + 1);
      const inserted = random.below(2) === 0 ? '' : random.pick(pieces);
      tokens[index] = text.slice(0, cut) + inserted + text.slice(cut + random.below(2));
    }
  }
}

function soup(random: Random): string {
  const length = 1 + random.below(random.below(8) === 0 ? 60 : 12);
  const separators = random.pick([[''], [' '], ['', ' ', '\n']]);
  return Array.from({ length }, () => random.pick(pieces) + random.pick(separators)).join('');
}

const openings: readonly string[] = words('( [ { {1: f( a.b( ! - a[ T{f: 1+(');
const repeats: readonly string[] = [
  ...words('+1 .a [0] &&a ||a ?b: , ==1'),
  ' a',
  ...words('.f() " @ )'),
];

function repetition(random: Random): string {
  const count = random.pick([3, 20, 40, 99, 105, 124, 125, 160, 248, 249, 250, 251, 252, 300]);
  const repeated = random.pick(random.below(2) === 0 ? openings : repeats).repeat(count);
  const middle = random.pick(['', 'a', '1', 'a.', ')']);
  const after = random
    .pick(['', ')', ']', '}', random.pick(repeats)])
    .repeat(random.pick([0, 1, count]));
  return random.pick(['', 'a', '1', '(']) + repeated + middle + after;
}

/** An expression that is likely to be wrong: edited, made of random tokens, or of a repeated one. */
export function brokenExpression(corpus: readonly string[], random: Random): string {
  const kind = random.below(40);
  if (kind === 0) return repetition(random);
  if (kind < 10) return soup(random);
  const tokens = tokensOf(random.pick(corpus));
  if (kind < 14) {
    const other = tokensOf(random.pick(corpus));
    tokens.splice(random.below(tokens.length), random.below(8), ...other);
  }
  const edits = 1 + random.below(random.below(3) === 0 ? 8 : 3);
  for (let count = 0; count < edits; count += 1) edit(tokens, random);
  return tokens.join('');
}
