/**
 * The expression without each `.orValue(…)` of what is no optional value: Kyverno takes the value itself there
 * (`OrValueCompatEnvOptions`), while kube-apiserver ends in an error. What may be an optional value stays.
 */
function withoutPlainOrValue(expression: string): string {
  let text = expression;
  for (let from = 0; ; ) {
    const at = text.indexOf(callText, from);
    if (at < 0) return text;
    const end = closingAt(text, at + callText.length - 1);
    if (end === undefined) return text;
    if (isPlain(receiverBefore(text, at))) text = text.slice(0, at) + text.slice(end + 1);
    else from = at + callText.length;
  }
}

const callText = '.orValue(';

// Fields of what has a name, none of them optional; a variable of the policy may be optional as a whole.
function isPlain(receiver: string): boolean {
  return (
    /^[A-Za-z_]\w*(?:\.[A-Za-z_]\w*|\['[^']*'\]|\["[^"]*"\]|\[\d+\])+$/.test(receiver) &&
    !/^variables\.\w+$/.test(receiver)
  );
}

// The chain of members that ends before a place.
function receiverBefore(text: string, end: number): string {
  let start = end;
  while (start > 0 && /[\w.?\])'"[-]/.test(text.charAt(start - 1))) start--;
  return text.slice(start, end);
}

// Where the parenthesis that opens at a place closes; texts in quotes may hold others.
function closingAt(text: string, open: number): number | undefined {
  let depth = 0;
  let quote = '';
  for (let at = open; at < text.length; at++) {
    const char = text.charAt(at);
    if (quote !== '') {
      if (char === '\\') at++;
      else if (char === quote) quote = '';
    } else if (char === "'" || char === '"') quote = char;
    else if (char === '(') depth++;
    else if (char === ')' && --depth === 0) return at;
  }
  return undefined;
}

/** The same for every expression of a part of a policy. */
export function withPlainValues(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withPlainValues);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      typeof item === 'string' && /[eE]xpression$/.test(key)
        ? withoutPlainOrValue(item)
        : withPlainValues(item),
    ]),
  );
}
