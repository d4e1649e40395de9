import type { ClassPart } from './code-point-set.ts';
import { takeEscaped } from './escape.ts';
import type { RegexSource } from './regex-source.ts';
import { RegexSyntaxError } from './syntax.ts';
import { perlClass, posixClass, unicodeClass } from './unicode-class.ts';

/** Takes a class such as `\d`, `\pL`, `\p{Greek}` or `\P{…}`; `undefined` where none comes next. */
export function takeEscapedClass(source: RegexSource): ClassPart | undefined {
  return source.isPerl ? (takeUnicodeClass(source) ?? takePerlClass(source)) : undefined;
}

function takeUnicodeClass(source: RegexSource): ClassPart | undefined {
  const { rest } = source;
  const kind = rest[0] === '\\' ? rest[1] : undefined;
  if (kind !== 'p' && kind !== 'P') return undefined;
  const single = String.fromCodePoint(rest.codePointAt(2) ?? 0xfffd);
  const end = rest.indexOf('}');
  if (single === '{' && end < 0) throw new RegexSyntaxError('invalid character class range', rest);
  const written = single === '{' ? rest.slice(0, end + 1) : rest.slice(0, 2 + single.length);
  const name = single === '{' ? written.slice(3, -1) : written.slice(2);
  const isNegated = name.startsWith('^') !== (kind === 'P');
  const members = unicodeClass(name.replace(/^\^/, ''));
  if (members === undefined) throw new RegexSyntaxError('invalid character class range', written);
  source.skip(written.length);
  return { members, isNegated };
}

function takePerlClass(source: RegexSource): ClassPart | undefined {
  const found = perlClass(source.rest);
  if (found !== undefined) source.skip(2);
  return found;
}

/** Parses a class in brackets: its parts, and whether it is negated. */
export function takeBracket(source: RegexSource): {
  readonly parts: readonly ClassPart[];
  readonly isNegated: boolean;
} {
  const whole = source.rest;
  source.skip(1);
  const isNegated = source.rest.startsWith('^');
  if (isNegated) source.skip(1);
  // Without the flags of Perl no negated class has the end of a line.
  const members: number[] = isNegated && !source.isPerl ? [0x0a, 0x0a] : [];
  const parts: ClassPart[] = [{ members, isNegated: false }];
  for (let isFirst = true; isFirst || source.rest[0] !== ']'; isFirst = false) {
    if (!isFirst && !source.isPerl) refuseHyphen(source.rest);
    const group = takeNamedClass(source) ?? takeEscapedClass(source);
    if (group === undefined) members.push(...takeRange(source, whole));
    else parts.push(group);
  }
  source.skip(1);
  return { parts, isNegated };
}

/** In POSIX a hyphen stands for itself only where it is first or last. */
function refuseHyphen(rest: string): void {
  const [found] = /^-(?:[^\]]|$)/u.exec(rest) ?? [];
  if (found !== undefined) throw new RegexSyntaxError('invalid character class range', found);
}

function takeNamedClass(source: RegexSource): ClassPart | undefined {
  if (!source.rest.startsWith('[:') || source.rest.length < 3) return undefined;
  const end = source.rest.indexOf(':]', 2);
  if (end < 0) return undefined;
  const name = source.rest.slice(0, end + 2);
  const found = posixClass(name);
  if (found === undefined) throw new RegexSyntaxError('invalid character class range', name);
  source.skip(name.length);
  return found;
}

function takeRange(source: RegexSource, whole: string): readonly [from: number, to: number] {
  const written = source.rest;
  const from = takeClassCharacter(source, whole);
  if (source.rest.length < 2 || source.rest[0] !== '-' || source.rest[1] === ']') {
    return [from, from];
  }
  source.skip(1);
  const to = takeClassCharacter(source, whole);
  if (to < from) {
    throw new RegexSyntaxError('invalid character class range', source.takenSince(written));
  }
  return [from, to];
}

function takeClassCharacter(source: RegexSource, whole: string): number {
  if (source.rest === '') throw new RegexSyntaxError('missing closing ]', whole);
  const character = source.rest[0] === '\\' ? takeEscaped(source) : source.take();
  return character.codePointAt(0) ?? 0;
}
