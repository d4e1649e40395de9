import { readdirSync, readFileSync } from 'node:fs';
import { Random } from '@kubeadmit/random';
import { describe, expect, test } from 'vitest';
import { readPlainYaml } from '../src/plain-yaml.ts';
import { parseYaml } from '../src/yaml.ts';

const texts = (name: string) =>
  readFileSync(new URL(`cases/${name}`, import.meta.url), 'utf8').split(/^---\n/m);

describe('YAML as most manifests are written', () => {
  test.each(texts('plain.yaml'))('is read as the parser of all YAML does: %#', (text) => {
    const read = readPlainYaml(text);
    // A marker of a document's end is left to the parser, and changes nothing.
    const [parsed] = parseYaml(`${text}...\n`);
    expect(parsed?.problems).toEqual([]);
    expect(read).toEqual({ value: parsed?.value, start: parsed?.start });
  });

  test.each(texts('not-plain.yaml'))('leaves other YAML to the parser: %#', (text) => {
    expect(readPlainYaml(text)).toBeUndefined();
  });

  test('is read as the parser does, or left to it, whatever is changed in it', () => {
    const random = new Random(20261121);
    let plain = 0;
    for (let count = 0; count < 4_000; count++) {
      const text = edited(random);
      const read = readPlainYaml(text);
      if (read === undefined) continue;
      plain++;
      const ended = `${text}${text.endsWith('\n') ? '' : '\n'}...\n`;
      const [parsed, ...more] = parseYaml(ended);
      expect(more, text).toEqual([]);
      expect(parsed?.problems, text).toEqual([]);
      expect(read, text).toEqual({ value: parsed?.value, start: parsed?.start });
    }
    expect(plain).toBeGreaterThan(1_000);
  });

  test.each(['a: 1\n\u00a0b: 2\n', 'a:\u30001\n', 'a: b\fc\n'])(
    'leaves text with space of other kinds to the parser: %j',
    (text) => {
      expect(readPlainYaml(text)).toBeUndefined();
    },
  );

  test('lines are read in the same way however often they occur', () => {
    const line = 'a: { b: [1, x] }\nc: 1.5\nd: ~\ne: "f" # g\n';
    const text = `- ${line.replaceAll('\n', '\n  ').trimEnd()}\n`.repeat(3);
    const item = { a: { b: [1, 'x'] }, c: 1.5, d: null, e: 'f' };
    const read = readPlainYaml(text)?.value;
    expect(read).toEqual([item, item, item]);
    const [first, second] = read as (typeof item)[];
    expect(first?.a).not.toBe(second?.a);
  });

  test.each(['', '\n', '# a\n', '  # a\n\n# b: c', ' '])('%j holds no document', (text) => {
    expect(parseYaml(text)).toEqual([]);
  });
});

const manifests = [...texts('plain.yaml'), ...texts('not-plain.yaml'), ...examples()];

/** Strings that have a meaning in YAML, at least in some places. */
const marks: readonly string[] = JSON.parse(`[
  "- ", ": ", " ", "\\n", "  ", "\\"", "'", "#", " #", "[", "]", "{", "}", ", ", "|", ">", "|-", ">-",
  "&a", "*a", "!", "%", "@", "~", "null", "yes", "0x1", "1e3", "01", "0o7", "1_000", ".5", "<<: ",
  "?", "? ", "-", "--- ", ":", "a:b", "é", "\\\\", "\\\\n", "2024-01-01", ".inf", "=", "\\u0060", "\\n\\n",
  "    ", "''", "\\"\\"", " : ", "on", "x: 1\\n", "+1", "1.", "1:30"
]`);

/** A few lines of a manifest, moved to the margin or not, with marks put in and characters left out. */
function edited(random: Random): string {
  const lines = random.pick(manifests).split('\n');
  const at = random.below(lines.length);
  let text = `${lines.slice(at, at + 1 + random.below(12)).join('\n')}${random.pick(['\n', '\n', ''])}`;
  if (random.chance(0.5)) {
    const margin = new RegExp(`^ {0,${/^ */.exec(text)?.[0].length}}`, 'gm');
    text = text.replace(margin, '');
  }
  for (let edits = random.below(4); edits > 0; edits--) {
    const place = random.below(text.length + 1);
    const left = random.chance(0.4) ? random.below(3) : 0;
    text = text.slice(0, place) + random.pick([...marks, '']) + text.slice(place + left);
  }
  return text;
}

function examples(): string[] {
  const folder = new URL('../../../examples/', import.meta.url);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.yaml'))
    .sort()
    .flatMap((name) => readFileSync(new URL(name, folder), 'utf8').split(/^---.*\n/m));
}
