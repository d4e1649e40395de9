/** Gives numbers from 0 up to a limit, the same ones for the same seed (a linear congruence). */
export function randomNumbers(seed: number): (limit: number) => number {
  let state = seed >>> 0;
  return (limit) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * limit);
  };
}

const operators = '+ - * / % == != < <= > >= in && ||'.split(' ');
const leaves = [
  'a',
  '.a',
  'true',
  'null',
  '1',
  '-1',
  '0',
  '2u',
  '1.5',
  '-2.5',
  '1e30',
  '"s"',
  "b'b'",
  '[]',
  '{}',
];

/** The text of a random expression, with all its parentheses and sometimes more. */
export function randomExpression(random: (limit: number) => number, depth: number): string {
  const inner = (): string => `(${randomExpression(random, depth - 1)})`;
  const leaf = (): string => leaves[random(leaves.length)] ?? 'a';
  if (depth === 0 || random(6) === 0) return leaf();
  switch (random(14)) {
    case 0:
      return `${random(2) === 0 ? '-' : '!'}${inner()}`;
    case 1:
      return `${inner()}.b`;
    case 2:
      return `${inner()}.f(${inner()})`;
    case 3:
      return `${inner()}[${inner()}]`;
    case 4:
      return `${inner()} ? ${inner()} : ${inner()}`;
    case 5:
      return `[${inner()}, ?${inner()}]`;
    case 6:
      return `{${inner()}: ${inner()}}`;
    case 7:
      return `${inner()}.${['map', 'filter', 'all', 'exists', 'exists_one'][random(5)]}(x, ${inner()})`;
    case 8:
      return `has(${inner()}.c)`;
    case 9:
      return `${inner()}.?\`d-e\``;
    case 10:
      return `T.U{f: ${inner()}, ?g: ${inner()}}`;
    default:
      return `${inner()} ${operators[random(operators.length)]} ${inner()}`;
  }
}
