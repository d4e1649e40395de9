import { tokenKind as kind, type TokenKind } from './token.ts';

/** The rules of the grammar. */
export type RuleName =
  | 'start'
  | 'expression'
  | 'or'
  | 'and'
  | 'relation'
  | 'calculation'
  | 'unary'
  | 'member'
  | 'primary'
  | 'arguments'
  | 'listItems'
  | 'fieldItems'
  | 'fieldName'
  | 'mapItems'
  | 'name'
  | 'item'
  | 'literal';

/** How many tokens the parser looks at to choose: the next one, or as many as it takes. */
export type Lookahead = 'one' | 'any';

/** A part of a rule. */
export type Part =
  | { readonly form: 'token'; readonly kinds: readonly TokenKind[] }
  | { readonly form: 'call'; readonly rule: RuleName; readonly precedence: number }
  | { readonly form: 'precedence'; readonly atLeast: number; readonly alternative: number }
  | { readonly form: 'sequence'; readonly parts: readonly Part[] }
  | { readonly form: 'choice'; readonly parts: readonly Part[]; readonly lookahead: Lookahead }
  | { readonly form: 'optional'; readonly part: Part }
  | { readonly form: 'any'; readonly part: Part; readonly lookahead: Lookahead }
  | { readonly form: 'some'; readonly part: Part; readonly lookahead: Lookahead };

const token = (...kinds: TokenKind[]): Part => ({ form: 'token', kinds });
const call = (rule: RuleName, precedence = 0): Part => ({ form: 'call', rule, precedence });
const sequence = (...parts: Part[]): Part => ({ form: 'sequence', parts });
const choice = (lookahead: Lookahead, ...parts: Part[]): Part => ({
  form: 'choice',
  parts,
  lookahead,
});
const optional = (...parts: Part[]): Part => ({ form: 'optional', part: sequence(...parts) });
const any = (lookahead: Lookahead, part: Part): Part => ({ form: 'any', part, lookahead });
const some = (lookahead: Lookahead, part: Part): Part => ({ form: 'some', part, lookahead });
/** The continuation of a left-recursive rule that binds at least as tightly as given. */
const tail = (atLeast: number, alternative: number, ...parts: Part[]): Part =>
  sequence({ form: 'precedence', atLeast, alternative }, ...parts);

const optionalMark = optional(token(kind.questionMark));
const optionalComma = optional(token(kind.comma));
const optionalDot = optional(token(kind.dot));
const identifier = token(kind.identifier);
const argumentList = sequence(
  token(kind.leftParenthesis),
  optional(call('arguments')),
  token(kind.rightParenthesis),
);
const keyAndValue = (key: RuleName): Part =>
  sequence(call(key), token(kind.colon), call('expression'));
const separated = (part: Part): Part =>
  sequence(part, any('any', sequence(token(kind.comma), part)));

/**
 * The grammar of CEL (CEL specification, "Syntax") in the order of rules and alternatives of cel-go's
 * parser/gen/CEL.g4: this order decides which alternative a message is about. Rules that call
 * themselves on the left are written as loops whose tails carry a binding strength.
 */
export const grammar: Readonly<Record<RuleName, Part>> = {
  start: sequence(call('expression'), token(kind.endOfInput)),
  expression: sequence(
    call('or'),
    optional(token(kind.questionMark), call('or'), token(kind.colon), call('expression')),
  ),
  or: sequence(call('and'), any('one', sequence(token(kind.or), call('and')))),
  and: sequence(call('relation'), any('one', sequence(token(kind.and), call('relation')))),
  relation: sequence(
    call('calculation'),
    any(
      'any',
      tail(
        1,
        2,
        token(
          kind.less,
          kind.lessEquals,
          kind.greaterEquals,
          kind.greater,
          kind.equals,
          kind.notEquals,
          kind.in,
        ),
        call('relation', 2),
      ),
    ),
  ),
  calculation: sequence(
    call('unary'),
    any(
      'any',
      choice(
        'any',
        tail(2, 2, token(kind.star, kind.slash, kind.percent), call('calculation', 3)),
        tail(1, 3, token(kind.plus, kind.minus), call('calculation', 2)),
      ),
    ),
  ),
  unary: choice(
    'any',
    call('member'),
    sequence(some('one', token(kind.not)), call('member')),
    sequence(some('any', token(kind.minus)), call('member')),
  ),
  member: sequence(
    call('primary'),
    any(
      'any',
      choice(
        'any',
        tail(3, 2, token(kind.dot), optionalMark, call('name')),
        tail(2, 3, token(kind.dot), identifier, argumentList),
        tail(
          1,
          4,
          token(kind.leftBracket),
          optionalMark,
          call('expression'),
          token(kind.rightBracket),
        ),
      ),
    ),
  ),
  primary: choice(
    'any',
    sequence(optionalDot, identifier),
    sequence(optionalDot, identifier, argumentList),
    sequence(token(kind.leftParenthesis), call('expression'), token(kind.rightParenthesis)),
    sequence(
      token(kind.leftBracket),
      optional(call('listItems')),
      optionalComma,
      token(kind.rightBracket),
    ),
    sequence(
      token(kind.leftBrace),
      optional(call('mapItems')),
      optionalComma,
      token(kind.rightBrace),
    ),
    sequence(
      optionalDot,
      identifier,
      any('one', sequence(token(kind.dot), identifier)),
      token(kind.leftBrace),
      optional(call('fieldItems')),
      optionalComma,
      token(kind.rightBrace),
    ),
    call('literal'),
  ),
  arguments: sequence(
    call('expression'),
    any('one', sequence(token(kind.comma), call('expression'))),
  ),
  listItems: separated(call('item')),
  fieldItems: separated(keyAndValue('fieldName')),
  fieldName: sequence(optionalMark, call('name')),
  mapItems: separated(keyAndValue('item')),
  name: choice('one', identifier, token(kind.escapedIdentifier)),
  item: sequence(optionalMark, call('expression')),
  literal: choice(
    'any',
    sequence(optional(token(kind.minus)), token(kind.int)),
    token(kind.uint),
    sequence(optional(token(kind.minus)), token(kind.double)),
    token(kind.string),
    token(kind.bytes),
    token(kind.true),
    token(kind.false),
    token(kind.null),
  ),
};
