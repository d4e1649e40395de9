import { expect, test } from 'vitest';
import { Lexer } from '../src/syntax/lexer.ts';
import cases from './cases/tokens.json' with { type: 'json' };

function tokensOf(text: string): readonly string[] {
  const lexer = new Lexer(text);
  const tokens: string[] = [];
  for (let token = lexer.next(); token.kind !== 'end'; token = lexer.next()) {
    tokens.push(`${token.kind} ${text.slice(token.start, token.end)}`);
    if (token.kind === 'error' && token.end === token.start) {
      tokens.push('stuck');
      break;
    }
  }
  return tokens;
}

test.each(cases)('tokens of $text', ({ text, tokens }) => {
  expect(tokensOf(text)).toEqual(tokens);
});
