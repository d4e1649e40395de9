/**
 * Commands that CI systems read in logs: GitHub Actions (`::error::` at the start of a line, `##[…]` anywhere), Azure
 * Pipelines (`##vso[…]`, `##[…]`), TeamCity (`##teamcity[…]`).
 */
const marks = /##(?=\[|vso\[|teamcity\[)/gi;
// Without line breaks among the blanks: many empty lines would be looked at again from each of them.
const lineStarts = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm;

/** Whether a CI system would read a command in a text. */
export function hasCommands(text: string): boolean {
  return text.search(marks) !== -1 || text.search(lineStarts) !== -1;
}

/** A text for people in which no CI system reads a command: one character of each is shown as an escape. */
export function withoutCommands(text: string): string {
  return text.replaceAll(lineStarts, '$1\\u003a').replaceAll(marks, '#\\u0023');
}

/** JSON with the same meaning in which no CI system reads a command; its lines never start with a colon. */
export function jsonWithoutCommands(json: string): string {
  return json.replaceAll(marks, '#\\u0023');
}
