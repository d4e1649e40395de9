import { readFileSync } from 'node:fs';

/**
 * What the lines of an NDJSON file hold, as JavaScript reads JSON, or as another reader does.
 *
 * @throws Error where there are none, since nothing would be tested
 */
export function readLines<Line>(
  file: string | URL,
  parse?: (line: string) => unknown,
): readonly Line[] {
  const lines = parseLines<Line>(readFileSync(file, 'utf8'), parse);
  if (lines.length === 0) throw new Error(`${file} has no lines`);
  return lines;
}

/** What the lines of a text hold; empty ones count for nothing. */
export function parseLines<Line>(
  text: string,
  parse: (line: string) => unknown = JSON.parse,
): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => parse(line) as Line);
}
