import { expect, test } from 'vitest';
import {
  readKnownGaps,
  readRecordedReasons,
  recordedFiles,
  recordedFolders,
} from '../src/cases.ts';
import { areaOf, casesOf, holdCases } from './hold-cases.ts';

holdCases(recordedFolders().filter((folder) => folder !== 'admit'));

const files = recordedFolders().flatMap((folder) =>
  recordedFiles(folder).map((file) => ({ file, folder, area: areaOf(folder, file) })),
);

test('every file of cases belongs to an area', () => {
  expect(files.filter(({ area }) => area === undefined)).toEqual([]);
});

test('describes every file of cases, and no others', () => {
  const names = files.map(({ file, folder }) => `${folder}/${file}`);
  const reasons = [...readRecordedReasons()].filter(([, reason]) => reason !== '');
  expect(reasons.map(([name]) => name).sort()).toEqual(names.sort());
});

test('each case has a unique name, and every known gap is a case with a reason', () => {
  const all = files.flatMap(({ area, file }) =>
    area === undefined ? [] : casesOf(area, file).map(({ name }) => name),
  );
  const names = new Set(all);
  expect(all.filter((name) => !names.delete(name))).toEqual([]);
  const known = new Set(all);
  expect(
    [...readKnownGaps()].filter(([name, reason]) => !known.has(name) || reason === ''),
  ).toEqual([]);
});
