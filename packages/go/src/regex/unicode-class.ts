import type { ClassPart } from './code-point-set.ts';

const exact =
  'Cc Cf Cn Co Cs L Ll Lm Lo Lt Lu M Mc Me Mn N Nd Nl No P Pc Pd Pe Pf Pi Po Ps S Sc Sk Sm So Z Zl Zp Zs';
/** The same as JavaScript calls them too. */
const long =
  'Close_Punctuation cntrl Combining_Mark Connector_Punctuation Control Currency_Symbol Dash_Punctuation Decimal_Number digit Enclosing_Mark Final_Punctuation Format Initial_Punctuation Letter Letter_Number Line_Separator Lowercase_Letter Mark Math_Symbol Modifier_Letter Modifier_Symbol Nonspacing_Mark Number Open_Punctuation Other_Letter Other_Number Other_Punctuation Other_Symbol Paragraph_Separator Private_Use punct Punctuation Separator Space_Separator Spacing_Mark Surrogate Symbol Titlecase_Letter Unassigned Uppercase_Letter';
const cased = '\\p{Lu}\\p{Ll}\\p{Lt}';
/** Without code points that stand for nothing, which JavaScript counts. */
const other = '\\p{Cc}\\p{Cf}\\p{Co}\\p{Cs}';

/** Sources of classes of JavaScript, by the canonical names of categories. */
const categories: ReadonlyMap<string, string> = new Map([
  ...`${exact} ${long}`
    .split(' ')
    .map((name): [string, string] => [canonicalName(name), `\\p{${name}}`]),
  ['Any', '\\u{0}-\\u{10ffff}'],
  ['Ascii', '\\u{0}-\\u{7f}'],
  ['Assigned', '\\P{Cn}'],
  ['C', other],
  ['Other', other],
  ['Lc', cased],
  ['Casedletter', cased],
]);

// JavaScript knows scripts by abbreviations too, all of which have four letters; these are names.
const shortScripts: ReadonlySet<string> = new Set(
  'Ahom Cham Kawi Lisu Modi Newa Thai Toto'.split(' '),
);
// Of Unicode 16 and later, which Go does not know yet, and no scripts.
const unknownScripts: ReadonlySet<string> = new Set(
  'Garay Sidetic Sunuwar Todhri Unknown'.split(' '),
);

/**
 * The source of a class of JavaScript for a group of Unicode by its name; `undefined` where Go knows none.
 *
 * As in Go 1.25 the case of names does not count, nor do spaces, `_` and `-`; which is why no script whose name has
 * several words is found there.
 */
export function unicodeClass(name: string): string | undefined {
  const canonical = canonicalName(name);
  const category = categories.get(canonical);
  if (category !== undefined) return category;
  const isAbbreviated = canonical.length === 4 && !shortScripts.has(canonical);
  if (isAbbreviated || unknownScripts.has(canonical) || !/^[A-Z][a-z]+$/.test(canonical)) {
    return undefined;
  }
  const source = `\\p{Script=${canonical}}`;
  try {
    new RegExp(source, 'u');
    return source;
  } catch {
    return undefined;
  }
}

function canonicalName(name: string): string {
  const plain = name.replaceAll(/[ _-]/g, '').toLowerCase();
  return plain.slice(0, 1).toUpperCase() + plain.slice(1);
}

// Classes of ASCII, by the first and the last character of each of their ranges: those of POSIX, and those of Perl.
const posix: Readonly<Record<string, string>> = {
  alnum: '09AZaz',
  alpha: 'AZaz',
  ascii: '\0\x7f',
  blank: '\t\t  ',
  cntrl: '\0\x1f\x7f\x7f',
  digit: '09',
  graph: '!~',
  lower: 'az',
  print: ' ~',
  punct: '!/:@[`{~',
  space: '\t\r  ',
  upper: 'AZ',
  word: '09AZ__az',
  xdigit: '09AFaf',
};
const perl: Readonly<Record<string, string>> = { d: '09', s: '\t\n\f\r  ', w: '09AZ__az' };

/** Parses a class such as `[:alpha:]` or `[:^alpha:]`. Returns `undefined` if there is none. */
export function posixClass(text: string): ClassPart | undefined {
  const [, negation, name = ''] = /^\[:(\^?)([a-z]+):\]$/.exec(text) ?? [];
  return asciiClass(posix, name, negation === '^');
}

/** The class of an escape such as `\d`; `undefined` where the text begins with none. */
export function perlClass(text: string): ClassPart | undefined {
  const name = text[0] === '\\' ? (text[1] ?? '') : '';
  return asciiClass(perl, name.toLowerCase(), name !== name.toLowerCase());
}

function asciiClass(
  classes: Readonly<Record<string, string>>,
  name: string,
  isNegated: boolean,
): ClassPart | undefined {
  if (!Object.hasOwn(classes, name)) return undefined;
  return { members: Array.from(classes[name] ?? '', (each) => each.charCodeAt(0)), isNegated };
}
