import type { Expression } from '@kubeadmit/cel/syntax';

/**
 * Where an expression begins, for people: trees have the place of an operator, of a call's parenthesis
 * or of a select's dot.
 */
export function startOf(expression: Expression, text: string): number {
  const { position } = expression;
  switch (expression.kind) {
    case 'select':
      return expression.test ? before(text, position, 'has') : startOf(expression.operand, text);
    case 'call': {
      const { target, function: name, arguments: values } = expression;
      if (target !== undefined) return startOf(target, text);
      const [first] = values;
      const isInfix = /^(?:_.*[_\]]|@in)$/.test(name) && first !== undefined;
      return isInfix ? startOf(first, text) : before(text, position, name);
    }
    case 'comprehension': {
      const target = expression.macro?.target;
      return target === undefined ? position : startOf(target, text);
    }
    case 'struct':
      return before(text, position, expression.name);
    default:
      return position;
  }
}

/** Returns the start of a name that precedes a position, possibly with spaces between, or the position. */
export function before(text: string, position: number, name: string): number {
  const start = text.slice(0, position).trimEnd();
  const bare = start.endsWith('`') ? start.slice(0, -1) : start;
  return bare.endsWith(name) ? bare.length - name.length : position;
}

/** Where a name begins that is read after a place: `.name`, `.?name`, `["name"]`; else the place. */
export function nameAfter(text: string, position: number, name: string): number {
  for (let at = text.indexOf(name, position); at !== -1; at = text.indexOf(name, at + 1)) {
    const isName = /[.?`["']\s*$/.test(text.slice(position, at));
    if (isName && !/^\w/.test(text.slice(at + name.length))) return at;
  }
  return position;
}
