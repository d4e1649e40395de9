import { describe, expect, test } from 'vitest';
import { AREAS } from '../src/areas.ts';
import { readKnownGaps, readRecorded, recordedFiles, recordedFolders } from '../src/cases.ts';
import { judge, nameCase } from '../src/judge.ts';

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
    describe(`${folder}/${file}`, () => {
      for (const recorded of cases) {
        if (names.has(recorded.name)) throw new Error(`two cases are called ${recorded.name}`);
        names.add(recorded.name);
        test(recorded.name, async () => {
          const complaint = await judge(recorded, gaps.get(recorded.name));
          if (complaint !== undefined) throw withoutStack(`${recorded.name}\n${complaint}`);
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

/** An error whose place in this file would say nothing. */
function withoutStack(message: string): Error {
  const error = new Error(message);
  error.stack = message;
  return error;
}
