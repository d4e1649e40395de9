/** The parts of a document path such as `/spec/a\/b/0`, as the variable `{{@}}` understands it. */
function splitPath(path: string): readonly string[] {
  const parts: string[] = [];
  let part = '';
  let isEscaped = false;
  let isQuoted = false;
  for (const character of path) {
    if (isEscaped) {
      part += character;
      isEscaped = false;
    } else if (character === '\\') {
      isEscaped = true;
    } else if (character === '"') {
      isQuoted = !isQuoted;
    } else if (character === '/' && !isQuoted) {
      if (part !== '') parts.push(part);
      part = '';
    } else {
      part += character;
    }
  }
  if (part !== '') parts.push(part);
  return parts;
}

/** The expression for the place of the object that a place in a rule stands for. */
export function expressionForPlace(path: string, root: readonly string[]): string {
  const parts = splitPath(path);
  const inEntry = parts.slice(parts.indexOf('foreach') + 1);
  const place = inEntry.length > 2 ? inEntry.slice(2) : [];
  return toExpression([...root, ...place]);
}

function toExpression(parts: readonly string[]): string {
  let expression = '';
  for (const part of parts) {
    if (/^\d+$/.test(part)) {
      expression += `[${part}]`;
      continue;
    }
    if (expression !== '') expression += '.';
    const isPlain = /^[A-Za-z_][)\w]*$/.test(part);
    expression += isPlain ? part : JSON.stringify(part);
  }
  return expression;
}
