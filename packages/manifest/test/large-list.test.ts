import { expect, test } from 'vitest';
import { readManifests } from '../src/read.ts';
import { Source } from '../src/source.ts';

const filler = 'x'.repeat(1000);

function list(count: number, indent: string, item: (index: number) => string): string {
  const items = Array.from({ length: count }, (_, index) => {
    const [first = '', ...rest] = item(index).split('\n');
    return [`${indent}- ${first}`, ...rest.map((line) => (line ? `${indent}  ${line}` : line))];
  });
  return ['apiVersion: v1', 'items:', ...items.flat(), 'kind: List', 'metadata: {}', ''].join('\n');
}

function configMap(index: number): string {
  return `apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: c${index}\ndata:\n  filler: ${filler}\n  block: |\n    - a\n\n    - ${index}\n`;
}

test.each(['', '  '])('items of a large list are read one by one (indent %j)', (indent) => {
  const text = list(600, indent, configMap);
  const { manifests, problems } = readManifests(new Source('x.yaml', text));
  expect(problems).toEqual([]);
  expect(manifests).toHaveLength(600);
  expect(manifests[0]?.origin.end).toBeLessThan(2000);
  const last = manifests.at(-1);
  const lines = text.split('\n');
  expect(lines[(last?.line ?? 0) - 1]).toBe(`${indent}- apiVersion: v1`);
  expect(last?.object['data']).toEqual({ filler, block: '- a\n\n- 599\n' });
  const place = last?.place(['data', 'block'], 5);
  expect(lines[(place?.line ?? 0) - 1]).toBe(`${indent}      - 599`);
});

test('a large list with aliases between items is read as a whole', () => {
  const first = `${configMap(0)}shared: &shared yes`;
  const text = list(600, '', (index) => (index === 0 ? first : configMap(index))).replace(
    'c599',
    '*shared',
  );
  const { manifests, problems } = readManifests(new Source('x.yaml', text));
  expect(problems).toEqual([]);
  expect(manifests.at(-1)?.object.metadata).toEqual({ name: true });
});

test('a mistake in a large list has its place', () => {
  const text = list(600, '', configMap).replace('name: c300', 'name: c300\n    name: again');
  const { problems } = readManifests(new Source('x.yaml', text));
  expect(problems).toMatchObject([{ message: 'key "name" already set in map' }]);
  const line = problems[0]?.place?.line ?? 0;
  expect(text.split('\n')[line - 1]).toBe('    name: again');
});

test('reports an item that is not an object', () => {
  const text = list(600, '', (index) => (index === 7 ? 'just a text' : configMap(index)));
  const { problems, manifests } = readManifests(new Source('x.yaml', text));
  expect(manifests).toHaveLength(599);
  expect(problems[0]?.message).toContain('expected a Kubernetes object, found a string');
});

const good = `{apiVersion: v1, kind: ConfigMap, metadata: {name: good}, data: {filler: ${filler.repeat(600)}}}`;
const other = "{apiVersion: v1, kind: ConfigMap, metadata: {name: other}, data: {x: '1'}}";
const start = 'apiVersion: v1\nkind: List\n';

/** Large lists in which `kubectl annotate --local -o json` 1.37 reads the ConfigMap `other`. */
const hiding = [
  ['a second key', `${start}items:\n- ${good}\nmetadata: {}\nitems:\n- ${other}\n`],
  ['a second key in quotes', `${start}items:\n- ${good}\n"items":\n- ${other}\n`],
  ['a second key with a space', `${start}items:\n- ${good}\nitems :\n- ${other}\n`],
  ['a merged mapping', `${start}items:\n- ${good}\n<<: {items: [${other}]}\n`],
  ['a comment that a next line ends', `${start}items: # a\u0085- ${other}\n- ${good}\n`],
  [
    'a key below quotes over several lines',
    `${start}note: "\nitems:\n- ${good}\nx: "\nitems:\n- ${other}\n`,
  ],
  [
    'a key between quotes that begin before the items',
    `{apiVersion: v1, kind: List, a: "\nitems:\n- ${good.slice(0, -2)}, x: ", items: [${other}], b: "}}\n"}\n`,
  ],
] as const;

test.each(hiding)('does not miss an item in %s', (_, text) => {
  const { manifests, problems } = readManifests(new Source('x.yaml', text));
  if (problems.length === 0) expect(manifests.map(({ name }) => name)).toContain('other');
  else expect(problems[0]?.isForeign).not.toBe(true);
});

test('items of a large list with line breaks of Windows are read one by one', () => {
  const text = list(600, '', configMap).replaceAll('\n', '\r\n');
  const { manifests, problems } = readManifests(new Source('x.yaml', text));
  expect(problems).toEqual([]);
  expect(manifests[0]?.origin.end).toBeLessThan(2000);
});
