import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Random, words } from '@kubeadmit/random';

/** Small documents of many forms. */
const small = [
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
  '%YAML 1.1\n---\na: !!str 1\nb: !x y\n',
  '%TAG !e! tag:e.com,2000:\n---\na: !e!x b\n',
  'a: &x {b: 1}\nc: *x\nd:\n  <<: *x\n',
  '? a\n: b\n? [c, d]\n: e\n',
  'a: [b: c, ? d : e, {f, g: h, ? i}]\n',
  "a: \"x\\n\\\n  y \\u0041 \\x41\"\nb: 'it''s\n\n  z'\n",
  'a: |+2\n    x\n   y\n\nb: >-\n  f\n  g\n\n  h\n',
];

const examples = join(import.meta.dirname, '../../../examples');

let longer: readonly string[] | undefined;

/** The documents of the examples, but for the longest ones. */
function manifests(): readonly string[] {
  longer ??= readdirSync(examples, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.ya?ml$/.test(name))
    .sort()
    .flatMap((name) => readFileSync(join(examples, name), 'utf8').split(/^---$/m))
    .filter((text) => text.trim() !== '' && text.length < 1200);
  return longer;
}

const marks = [
  ...['"', "'", ':', ': ', '- '],
  ...words('[ ] { } , #'),
  ...[' #', '\n', '\t', '  ', ' '],
  ...words('& * ! % @ ` | > ?'),
  ...['? ', 'x', '"q"', '\\', '---\n', '...\n', '0', '\n\n', ' "z" ', '{"n":1}', '\r'],
  ...['\u0085', '\u2028', '\u0007'],
  ...words('é !< !! |2'),
  ...['&a ', '*a ', '<<: ', '~', '\n- ', '\n? ', '\n: ', ' x: y', '!a!b ', '[]: '],
  ...['{}: ', '\\x4', '%41'],
];

/** A case for `jmespath` that reads a document of YAML with a few marks too many, too few, or elsewhere. */
export function generateYaml(random: Random): object {
  let text = random.pick(random.chance(0.5) ? small : manifests());
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
