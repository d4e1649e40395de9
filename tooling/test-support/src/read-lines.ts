import { readFileSync } from 'node:fs';

/**
 * Returns the values in an NDJSON file, parsed as JSON or with another parser.
 *
 * @throws Error if the file has no lines, since nothing would be tested
 */
export function readLines<Line>(
  file: string | URL,
  parse?: (line: string) => unknown,
): readonly Line[] {
  const lines = parseLines<Line>(readFileSync(file, 'utf8'), parse);
  if (lines.length === 0) throw new Error(`${file} has no lines`);
  return lines;
}

/** Returns the values in the lines of a text; empty lines are skipped. */
export function parseLines<Line>(
  text: string,
  parse: (line: string) => unknown = JSON.parse,
): readonly Line[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => parse(line) as Line);
}
