import { phrases, type Random, words } from '@kubeadmit/random';

const expressions = [
  ...phrases`
    a.s  a.n  a.nul  a.m  a.missing  a.missing || 'd'  a.s.x.y  a.l[9].q  a.tmpl  a.{{ a.key }}
    a.labels."k8s.io/app"  {x: a.s}  {x: {y: a.s}}
  `,
  '',
  ...phrases`
    a..s  a.l  - a.tmpl  -a.s  @  a.l[*].q  request.object.metadata.name  length(a.l)  x  a.html
    'lit'
  `,
  ...words('`[1,2]` a.big a.t2 {{a.key}} request.object'),
];
const references = [
  ...words('./../b ../b /b ../c ./../../x /s/c/0/y <../b >=./../b !../b ../m ../nul ../flag'),
  '',
  ...phrases`/  ../a b  1-2  /l/0`,
];
const plain = ['x', 'x-', ' ', '\\', '\\{{ a.s }}', '$(', '\\$(../b)', 'é', '}}', '{', 'a|b'];

function text(random: Random): string {
  if (random.chance(0.35)) return `{{ ${random.pick(expressions)} }}`;
  let made = '';
  for (let part = random.below(4); part >= 0; part--) {
    const kind = random.below(6);
    if (kind < 2) made += `{{${random.pick(['', ' '])}${random.pick(expressions)}}}`;
    else if (kind === 2) made += `$(${random.pick(references)})`;
    else made += random.pick(plain);
  }
  return made;
}

function document(random: Random, depth: number): unknown {
  const kind = random.below(depth > 0 ? 8 : 5);
  if (kind < 4) return text(random);
  if (kind === 4) return random.pick<unknown>([1, 1.5, null, true, '3', {}, []]);
  if (kind === 5) return random.list(0, 2, () => document(random, depth - 1));
  const made: Record<string, unknown> = {};
  const keys = phrases`
    b  c  m  (k)  =(a/b)  x  s  foreach  nul  flag  {{ a.s }}  {{ a.n }}  p-{{ a.key }}
  `;
  for (let left = random.below(3); left >= 0; left--)
    made[random.pick(keys)] = document(random, depth - 1);
  if (random.chance(0.4)) made['b'] = random.pick<unknown>(['3', 5, 1.5, true, null, 'q']);
  return made;
}

/** A random case for `substitute`. */
export function generateSubstitute(random: Random): object {
  const context = {
    a: {
      s: 'str',
      n: random.pick([5, 1.5, 1e21, -0.001]),
      nul: null,
      m: { b: 1, a: 'x', '<': '>' },
      tmpl: '{{ a.s }}',
      t2: 'q{{ a.tmpl }}',
      key: 's',
      labels: { 'k8s.io/app': 'L' },
      l: [{ q: 'Q' }, { q: '{{ a.s }}' }],
      html: '<&>\u2028"\\',
      big: 1.5e19,
    },
    request: {
      operation: random.pick(['CREATE', 'DELETE']),
      object: { metadata: { name: 'new' } },
      oldObject: { metadata: { name: 'old' } },
    },
  };
  return { context, document: document(random, 3) };
}
