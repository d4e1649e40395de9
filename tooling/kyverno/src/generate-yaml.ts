import type { Random } from '@kubeadmit/random';

const documents = [
  '- op: add\n  path: "/a"\n  value: x\n',
  '- op: replace\n  path: /spec/containers/0/image\n  value: {a: 1}\n- op: remove\n  path: /b\n',
  'a: 1\nb: 2\n',
  'a:\n  b: 1\n  c: [1, 2]\n',
  '- a\n- b: {c: d}\n',
  'a: "x"\nb: \'y\'\n',
  'a: |\n  text\n  more\nb: >-\n  x\n',
  'key: value # c\nlist:\n- 1\n- 2\n',
  'x: &a 1\ny: *a\n',
  '{"a": [1, {"b": "c"}]}',
  '- - a\n  - b\n- c\n',
];
const marks = [
  ...[
    '"',
    "'",
    ':',
    ': ',
    '- ',
    '[',
    ']',
    '{',
    '}',
    ',',
    '#',
    ' #',
    '\n',
    '\t',
    '  ',
    ' ',
    '&',
    '*',
  ],
  ...['!', '%', '@', '`', '|', '>', '?', '? ', 'x', '"q"', '\\', '---\n', '...\n', '0', '\n\n'],
  ...[' "z" ', '{"n":1}'],
];

/** A case for `jmespath` that reads a document of YAML with a few marks too many, too few, or elsewhere. */
export function generateYaml(random: Random): object {
  let text = random.pick(documents);
  for (let left = random.pick([1, 1, 1, 2, 3]); left > 0; left--) text = damaged(random, text);
  return { expression: 'parse_yaml(@)', input: text };
}

function damaged(random: Random, text: string): string {
  const at = random.below(text.length + 1);
  const before = text.slice(0, at);
  if (random.chance(0.5)) return before + random.pick(marks) + text.slice(at);
  if (random.chance(0.5)) return before + text.slice(at + 1);
  const lines = text.split('\n');
  const line = random.below(lines.length);
  const old = lines[line] ?? '';
  lines[line] = random.chance(0.5)
    ? random.pick([' ', '  ', '']) + old.trimStart()
    : old + random.pick([' x', ' "y"', ': z', ' ]']);
  return lines.join('\n');
}
