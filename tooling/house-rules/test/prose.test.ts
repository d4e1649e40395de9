import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { proseHits } from '../src/prose.ts';
import {
  countHits,
  limitsFile,
  type ProseLimits,
  repositoryHits,
} from '../src/repository-prose.ts';

const LONGEST_SUBJECT = 72;
/** The last commit before subjects were limited. */
const BEFORE_THE_LIMIT = 'f8721807';

const rulesBroken = (path: string, content: string): readonly string[] =>
  proseHits(path, content).map(({ audience, line, rule }) => `${audience}:${line} ${rule}`);

describe('the prose check', () => {
  test('reports doc comments that start with "What"', () => {
    const content = '/** What is read. */\n/**\n * What stands here.\n */';
    expect(rulesBroken('packages/cel/src/a.ts', content)).toEqual([
      'comments:1 a comment starts with "What"',
      'comments:2 a comment starts with "What"',
      'comments:3 "stands"',
    ]);
  });

  test('reports program texts but not short strings', () => {
    const content = `const a = 'is no';\nconst b = 'this is no name of a kind';`;
    expect(rulesBroken('packages/cel/src/a.ts', content)).toEqual(['program texts:2 "is no"']);
  });

  test('reports test names and ignores data of tests', () => {
    const content = "test('refuses a name that is none', () => run('this text is no name'));";
    expect(rulesBroken('packages/cel/test/a.test.ts', content)).toEqual(['test names:1 "is none"']);
  });

  test('reports paragraphs of documents and ignores code', () => {
    const content = 'Nobody asks.\n```\nnobody\n```\nRun `nobody` now.';
    expect(rulesBroken('README.md', content)).toEqual(['documents:1 "nobody"']);
  });

  test('reports descriptions of schemas and comments of the values of the chart', () => {
    expect(
      rulesBroken('a/b.schema.json', '{\n  "description": "Where health is told."\n}'),
    ).toEqual(['documents:2 "is told"']);
    expect(rulesBroken('apps/webhook/chart/values.yaml', '# What nobody asks.\na: 1')).toEqual([
      'documents:1 "nobody"',
    ]);
  });

  test.each([
    ['/** Made when it is first asked for. */', '"first asked for"'],
    ['/** Reads what a suite names. */', '"Returns what"'],
    ['/** The text of what is wrong with it. */', '"what is wrong"'],
    ['/** The form in which a list is held. */', '"is held"'],
    ['/** The fields that tell the items apart. */', '"tells apart"'],
    ['/** A setting that there is. */', '"that there is"'],
    ['/** An error is what every request meets. */', '"is what"'],
  ])('reports %s', (content, rule) => {
    expect(rulesBroken('packages/cel/src/a.ts', content)).toEqual([`comments:1 ${rule}`]);
    expect(rulesBroken('packages/cel/src/schema/a.tsx', content)).toEqual([`comments:1 ${rule}`]);
  });

  test('reports sentences of more than 35 words', () => {
    const content = `${'word '.repeat(36).trim()}. Short.`;
    expect(rulesBroken('README.md', content)).toEqual([
      'documents:1 a sentence of more than 35 words',
    ]);
  });

  test('accepts plain sentences', () => {
    const content =
      'There is no limit. The rule applies to Pods as well. A value is no longer needed.';
    expect(rulesBroken('README.md', content)).toEqual([]);
  });
});

test('no folder has more hits than `prose-limits.json` allows (`pnpm prose` records fewer)', () => {
  const limits = JSON.parse(readFileSync(limitsFile, 'utf8')) as ProseLimits;
  const hits = repositoryHits();
  const exceeded = Object.entries(countHits(hits)).flatMap(([audience, folders]) =>
    Object.entries(folders)
      .filter(([folder, count]) => count > (limits[audience]?.[folder] ?? 0))
      .map(([folder]) =>
        hits
          .filter(
            (hit) => hit.audience === audience && hit.path.startsWith(folder.replace(/^\.$/, '')),
          )
          .map(({ path, line, rule, excerpt }) => `${path}:${line}: ${rule}: ${excerpt}`),
      ),
  );
  expect(exceeded.flat()).toEqual([]);
});

test('commit subjects have at most 72 characters', ({ skip }) => {
  const log = (range: string): string =>
    execFileSync('git', ['log', '--no-merges', '--format=%s', range], { encoding: 'utf8' });
  let subjects: string;
  try {
    subjects = log(`${BEFORE_THE_LIMIT}..HEAD`);
  } catch {
    return skip('the history of this clone does not reach back far enough');
  }
  expect(subjects.split('\n').filter((subject) => subject.length > LONGEST_SUBJECT)).toEqual([]);
});
