/**
 * Commands that CI systems read in logs: GitHub Actions (`::error::` at the start of a line, `##[…]` anywhere), Azure
 * Pipelines (`##vso[…]`, `##[…]`), TeamCity (`##teamcity[…]`).
 */
const marks = /##(?=\[|vso\[|teamcity\[)/gi;
// Without line breaks among the blanks: many empty lines would be looked at again from each of them.
const lineStarts = /^([^\S\n\r\u2028\u2029]*):(?=:)/gm;

/**
 * Characters that JSON allows in strings and terminals act on: C1 controls, line and paragraph separators, and controls
 * of the writing direction.
 */
export const unseen = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

/** Whether a CI system would read a command in a text, or a terminal would act on a character of it. */
export function hasCommands(text: string): boolean {
  return [marks, lineStarts, unseen].some((pattern) => text.search(pattern) !== -1);
}

/** A text for people in which no CI system reads a command: one character of each is shown as an escape. */
export function withoutCommands(text: string): string {
  return text.replaceAll(lineStarts, '$1\\u003a').replaceAll(marks, '#\\u0023');
}

/**
 * JSON with the same meaning in which no CI system reads a command and no terminal acts on a character; its lines never
 * start with a colon.
 */
export function jsonWithoutCommands(json: string): string {
  return json.replaceAll(marks, '#\\u0023').replaceAll(unseen, escaped);
}

/** A character as an escape of JSON. */
export function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}
