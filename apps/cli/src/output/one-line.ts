const longest = 300;

/** An expression without line breaks, cut off after 300 UTF-16 units. */
export function oneLine(expression: string): string {
  const text = expression.trim().replaceAll(/\s*\n\s*/g, ' ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
