import { findCommand } from '@kubeadmit/conformance-tools';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Answer, AREAS } from '../src/areas.ts';
import { readKnownGaps, readRecorded, recordedFiles, recordedFolders } from '../src/cases.ts';
import { judge, nameCase } from '../src/judge.ts';

const gaps = readKnownGaps();
const names = new Set<string>();

for (const area of AREAS) {
  for (const file of recordedFiles(area.folder)) {
    const command = findCommand(area.commandOf(file));
    if (command === undefined) throw new Error(`${area.folder}/${file}: no such command`);
    const cases = readRecorded(area.folder, file).map((line) =>
      nameCase(area.folder, command, line),
    );
    describe(`${area.folder}/${file}`, () => {
      let answer: Answer;
      beforeAll(async () => {
        answer = await area.load(command.name);
      });
      for (const recorded of cases) {
        if (names.has(recorded.name)) throw new Error(`two cases are called ${recorded.name}`);
        names.add(recorded.name);
        test(recorded.name, async () => {
          const complaint = await judge(recorded, answer, gaps.get(recorded.name));
          if (complaint !== undefined) throw withoutStack(`${recorded.name}\n${complaint}`);
        });
      }
    });
  }
}

test('every folder of cases belongs to an area', () => {
  const known = new Set(AREAS.map((area) => area.folder));
  expect(recordedFolders().filter((folder) => !known.has(folder))).toEqual([]);
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
