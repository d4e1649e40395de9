/** Where a text is read, which decides how strict the check is. */
export type Audience = 'documents' | 'program texts' | 'comments' | 'test names';

/** One piece of prose of a file. */
export interface Prose {
  readonly audience: Audience;
  readonly line: number;
  readonly text: string;
}

/** One place that breaks a rule of the writing guide. */
export interface ProseHit {
  readonly audience: Audience;
  readonly path: string;
  readonly line: number;
  readonly rule: string;
  readonly excerpt: string;
}

interface ProseRule {
  readonly name: string;
  readonly pattern: RegExp;
  /** The audiences that the rule applies to (default: all). */
  readonly audiences?: readonly Audience[];
}

const turn = (name: string, pattern: RegExp): ProseRule => ({ name, pattern });

/** Turns of phrase that need rewriting. "There is no X" is plain English; "X is no Y" is not. */
const RULES: readonly ProseRule[] = [
  {
    name: 'a comment starts with "What"',
    pattern: /^(?:\/\*\*?|\/\/)?[\s*]*What\b(?! (?:does|do|is|are|should|happens)\b[^.]*\?)/,
    audiences: ['comments'],
  },
  turn('"is none"', /(?<!\b(?:there|if) )\b(?:is|are|was|were) none\b/i),
  turn(
    '"is no"',
    /(?<!\bthere )\b(?:is|are|was|were) no\b(?! (?:longer|more|different|fewer|less)\b)/i,
  ),
  turn('"that there is not"', /\bthere (?:is|are|was|were) not\b(?! enough| yet| any)/i),
  turn('"stands"', /\bstands\b(?! for\b)/i),
  turn('"told of"', /\b(?:tells?|told) (?:of|what|where|whether)\b/i),
  turn('"is told"', /\b(?:is|are|was|were|be|being) told\b/i),
  turn('"says of"', /\b(?:say|says|said) of\b/i),
  turn('"asked of"', /\b(?:is|are|was|were|be) asked\b|\basked (?:of|about)\b/i),
  turn('"nobody"', /\bnobody\b/i),
  turn('"besides"', /\bbesides\b/i),
  turn('"hardly"', /\bhardly\b/i),
  turn('"anew"', /\banew\b/i),
  turn('"in turns"', /\bin turns\b/i),
  turn('"passed over"', /\bpass(?:ed|es)? over\b/i),
  turn('"lets in"', /\blets? (?:in|pass)\b/i),
  turn('"the way out"', /\bway out\b/i),
  turn('"a word for"', /\ba word for\b/i),
  turn('"of its own"', /\bof (?:its|their) own\b/i),
  turn('"as it is"', /\bas it is\b/i),
  turn('"worth it"', /\bwhere (?:that|it) is worth\b/i),
  turn('"such a one"', /\bsuch a one\b/i),
  turn('"of that name" by "called"', /\bis called so\b/i),
  turn('"whoever"', /\bwhoever\b/i),
  turn('"somebody"', /\b(?:somebody|anybody)\b/i),
  turn('"what is wrong"', /\bwhat is wrong (?:with|is)\b/i),
  turn('"is held"', /\b(?:is|are|was|were|be|being) held\b|\bheld against\b/i),
  turn('"first asked for"', /\bfirst asked\b|\bwithout being asked\b/i),
  turn('"tells apart"', /\b(?:tells?|told|telling) (?:\w+ ){0,5}apart\b/i),
  turn('"that there is"', /\bthat there (?:is|are|was|were)(?=[.,;:)]| \*\/|$)/im),
  turn('"under way"', /\bunder way\b/i),
  turn('"takes down"', /\btakes? down\b|\btakes? note of\b/i),
  turn('"let go of"', /\blets? go of\b/i),
  {
    name: '"Returns what"',
    pattern: /\b(?:Adds|Finds|Gives|Makes|Prints|Reads|Returns|Takes|Tells|Writes) what\b/,
  },
  {
    name: '"is what"',
    pattern: /\b(?:is|are|was|were) what\b(?! (?:does|do|is|are)\b[^.]*\?)/i,
    audiences: ['documents', 'program texts', 'comments'],
  },
];

const LONGEST_SENTENCE = 35;

const SOURCE = /^(?:packages|apps|tooling|conformance)\/.*\.(?:tsx?|js|mjs)$/;
/** Files whose descriptions or comments become reference pages, forms or help of other programs. */
const SETTINGS =
  /\.schema\.json$|^apps\/webhook\/chart\/values\.yaml$|^action\.yml$|^\.github\/ISSUE_TEMPLATE\/.*\.yml$/;
const TEST = /\/(?:test|bench)\/|\.test\.ts$/;
const GENERATED = /\/src\/data\/|\.data\.ts$|\/api\.md$|CHANGELOG\.md$/;
const TOKEN =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`(?:\\.|[^`\\])*`/g;
const DESCRIPTION =
  /(?:^[ \t]*#[ \t]+|^[ \t-]*"?(?:about|description|label|markdownDescription|name|title)"?:[ \t]*)(\S.*)$/gm;
const TEST_NAME = /\b(?:test|it|describe)(?:\.\w+)*\(\s*(['"`])((?:\\.|(?!\1).)+)\1/g;

/** Whether the file holds prose that the check reads. */
export function isProseFile(path: string): boolean {
  if (GENERATED.test(path) || path.startsWith('tooling/house-rules/')) return false;
  return SOURCE.test(path) || SETTINGS.test(path) || path.endsWith('.md');
}

/** Returns every piece of prose of a file: comments, texts and test names of sources, paragraphs of Markdown. */
export function proseOf(path: string, content: string): readonly Prose[] {
  if (path.endsWith('.md')) return paragraphs(content);
  if (SETTINGS.test(path)) return descriptions(content);
  return TEST.test(path)
    ? [...comments(content), ...testNames(content)]
    : [...comments(content), ...programTexts(path, content)];
}

/** Returns the places of a file that break a rule. */
export function proseHits(path: string, content: string): readonly ProseHit[] {
  return proseOf(path, content).flatMap(({ audience, line, text }) => {
    const broken = RULES.filter(
      (rule) => (rule.audiences?.includes(audience) ?? true) && rule.pattern.test(text),
    ).map(({ name, pattern }) => ({ rule: name, at: text.search(pattern) }));
    const long = audience === 'program texts' ? undefined : longSentence(text);
    if (long !== undefined) broken.push({ rule: 'a sentence of more than 35 words', at: long });
    return broken.map(({ rule, at }) => ({
      audience,
      path,
      line: line + text.slice(0, at).split('\n').length - 1,
      rule,
      excerpt: text.slice(Math.max(0, at - 20), at + 80).replace(/\s+/g, ' '),
    }));
  });
}

/** Returns where the first sentence begins that is too long, or `undefined`. */
function longSentence(text: string): number | undefined {
  let at = 0;
  for (const sentence of text.split(/(?<=[.:;?!])\s/)) {
    const words = sentence.split(/\s+/).filter((word) => /\p{L}/u.test(word));
    if (words.length > LONGEST_SENTENCE) return at;
    at += sentence.length + 1;
  }
  return undefined;
}

/** Descriptions of a JSON Schema, and comments, names and descriptions of a YAML file. */
function descriptions(content: string): Prose[] {
  return [...content.matchAll(DESCRIPTION)].map((found) => ({
    audience: 'documents',
    line: lineAt(content, found.index),
    text: found[1] as string,
  }));
}

function comments(content: string): Prose[] {
  return tokens(content, (token) => token.startsWith('/')).map(({ line, text }) => ({
    audience: 'comments',
    line,
    text: text.replace(/^[ \t]*\*(?!\/)/gm, ''),
  }));
}

/** Strings with at least three words; shorter ones are names. */
function programTexts(path: string, content: string): Prose[] {
  if (!/^(?:packages|apps)\/[^/]+\/(?:src|bundle|\.vitepress)\//.test(path)) return [];
  return tokens(content, (token) => !token.startsWith('/'))
    .filter(({ text }) => (text.match(/\p{L}{2,}/gu)?.length ?? 0) >= 3)
    .map(({ line, text }) => ({ audience: 'program texts', line, text }));
}

function testNames(content: string): Prose[] {
  return [...content.matchAll(TEST_NAME)].map((found) => ({
    audience: 'test names',
    line: lineAt(content, found.index),
    text: found[2] as string,
  }));
}

/** Paragraphs, list items and table rows outside of code blocks; code spans count as one word. */
function paragraphs(content: string): Prose[] {
  const found: Prose[] = [];
  let isCode = false;
  content.split('\n').forEach((line, index) => {
    if (/^\s*(?:```|~~~)/.test(line)) isCode = !isCode;
    else if (!isCode && line.trim() !== '') {
      const text = line.replace(/`[^`]*`/g, 'code').replace(/\]\([^)]*\)/g, ']');
      for (const cell of text.split(/\s\|\s/)) {
        found.push({ audience: 'documents', line: index + 1, text: cell });
      }
    }
  });
  return found;
}

function tokens(
  content: string,
  isWanted: (token: string) => boolean,
): { line: number; text: string }[] {
  return [...content.matchAll(TOKEN)]
    .filter(([token]) => isWanted(token))
    .map((found) => ({ line: lineAt(content, found.index), text: found[0] }));
}

function lineAt(content: string, index: number): number {
  return content.slice(0, index).split('\n').length;
}
