import { describe, test } from 'vitest';
import { AREAS, type Area } from '../src/areas.ts';
import { readKnownGaps, readRecorded, readRecordedReasons, recordedFiles } from '../src/cases.ts';
import { judge, nameCase, type RecordedCase } from '../src/judge.ts';

/** Cases in one test: few enough to find one's way, many enough that counting tests costs nothing. */
const CHUNK = 100;

/** Differences that a failed test shows. */
const SHOWN = 10;

/** The area that a file of cases belongs to. */
export function areaOf(folder: string, file: string): Area | undefined {
  return AREAS.find((each) => each.folder === folder && file.startsWith(each.prefix ?? ''));
}

/** The cases of a file under their names. */
export function casesOf(area: Area, file: string): RecordedCase[] {
  return readRecorded(area.folder, file).map((text, index) =>
    nameCase(area, file, text, index + 1),
  );
}

/** Holds every recorded case of some folders against what the engine answers. */
export function holdCases(folders: readonly string[]): void {
  const gaps = readKnownGaps();
  const reasons = readRecordedReasons();
  for (const folder of folders) {
    for (const file of recordedFiles(folder)) {
      const area = areaOf(folder, file);
      if (area === undefined) continue;
      const cases = casesOf(area, file);
      describe(`${folder}/${file}: ${reasons.get(`${folder}/${file}`)}`, () => {
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
}

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
