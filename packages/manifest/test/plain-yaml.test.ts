import { readFileSync } from 'node:fs';
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
});
