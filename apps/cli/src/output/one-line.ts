const longest = 300;

/** An expression without line breaks, cut off after 300 UTF-16 units. */
export function oneLine(expression: string): string {
  const lines = expression.split('\n').map((line) => line.trim());
  const text = lines.filter((line) => line !== '').join(' ');
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
