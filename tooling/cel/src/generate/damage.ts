import { phrases, type Random, words } from '@kubeadmit/random';

const insertions = [
  ...words('( ) [ ] . , " + ? : & in'),
  ' x ',
  ...words('{ } ! - @ `a`'),
  ' && ',
  ' || ',
  '\n',
  ...phrases`
    //  /*  0x  1u  .5  e9  '  \
  `,
  ' for ',
  ...words('.in ?. é 🙂'),
  '\ud800',
];

/** Breaks a text in one place. */
export function damage(random: Random, expression: string): string {
  const at = random.below(expression.length + 1);
  switch (random.below(4)) {
    case 0:
      return expression.slice(0, at) + expression.slice(at + 1);
    case 1:
      return expression.slice(0, at);
    case 2: {
      const from = random.below(expression.length + 1);
      return expression.slice(0, at) + expression.slice(from, from + 4) + expression.slice(at);
    }
    default:
      return expression.slice(0, at) + random.pick(insertions) + expression.slice(at);
  }
}
