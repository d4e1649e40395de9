import { describe, expect, test } from 'vitest';
import { AREAS } from '../src/areas.ts';
import { readKnownGaps, readRecorded, recordedFiles, recordedFolders } from '../src/cases.ts';
import { judge, nameCase } from '../src/judge.ts';

/** Cases in one test: few enough to find one's way, many enough that counting tests costs nothing. */
const CHUNK = 100;

/** Differences that a failed test shows. */
const SHOWN = 10;

const gaps = readKnownGaps();
const names = new Set<string>();
const unclaimed: string[] = [];

for (const folder of recordedFolders()) {
  for (const file of recordedFiles(folder)) {
    const area = AREAS.find((each) => each.folder === folder && file.startsWith(each.prefix ?? ''));
    if (area === undefined) {
      unclaimed.push(`${folder}/${file}`);
      continue;
    }
    const cases = readRecorded(folder, file).map((text, index) =>
      nameCase(area, file, text, index + 1),
    );
    for (const { name } of cases) {
      if (names.has(name)) throw new Error(`two cases are called ${name}`);
      names.add(name);
    }
    describe(`${folder}/${file}`, () => {
      for (let start = 0; start < cases.length; start += CHUNK) {
        const chunk = cases.slice(start, start + CHUNK);
        test(`cases ${start + 1} to ${start + chunk.length}`, async () => {
          const complaints: string[] = [];
          for (const recorded of chunk) {
            const complaint = await judge(recorded, gaps.get(recorded.name));
            if (complaint !== undefined) complaints.push(`${recorded.name}\n${complaint}`);
          }
          if (complaints.length > 0) throw withoutStack(summary(complaints));
        });
      }
    });
  }
}

test('every file of cases belongs to an area', () => {
  expect(unclaimed).toEqual([]);
});

test('every known gap is a recorded case and has a reason', () => {
  expect([...gaps].filter(([name, reason]) => !names.has(name) || reason === '')).toEqual([]);
});

function summary(complaints: readonly string[]): string {
  const shown = complaints.slice(0, SHOWN).join('\n');
  return `${complaints.length} of these cases went wrong\n${shown}`;
}

/** An error whose place in this file would say nothing. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
