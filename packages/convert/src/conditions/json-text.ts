/** A regular expression for a text that is a number, a boolean or null in JSON. */
export const jsonScalar =
  '^\\s*(?:-?(?:0|[1-9]\\d*)(?:[.]\\d+)?(?:[eE][+-]?\\d+)?|true|false|null)\\s*$';
const scalar: RegExp = new RegExp(jsonScalar);
const enclosed = /^\s*(?:\[[\s\S]*\]|\{\s*(?:\}|"[\s\S]*\})|"[\s\S]*")\s*$/;

/** Whether Kyverno may read a text as JSON where it looks for something in it. */
export function looksLikeJson(text: string): boolean {
  return scalar.test(text) || enclosed.test(text);
}

/** The strings of a text that is a list in JSON; undefined for JSON of another kind. */
export function stringsOfJson(text: string): readonly string[] | undefined {
  try {
    const value: unknown = JSON.parse(text);
    if (value === null) return [];
    const isList = Array.isArray(value) && value.every((item) => typeof item === 'string');
    return isList ? (value as readonly string[]) : undefined;
  } catch {
    return [text];
  }
}
