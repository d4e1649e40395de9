import { describe, expect, test } from 'vitest';
import { dependencies, dependenciesPage } from '../src/build/dependencies-page.ts';

/** The licences whose terms the packages of this project meet. */
const accepted =
  /^(?:MIT|ISC|0BSD|Apache-2\.0|BSD-[23]-Clause|BlueOak-1\.0\.0|Unlicense|MPL-2\.0|CC0-1\.0|Python-2\.0)$/;

const all = dependencies();

describe('the dependencies of published packages', () => {
  test('are the imports of the sources and their dependencies', () => {
    const names = all.map(({ name }) => name);
    for (const name of ['commander', 'express', 'fast-json-patch', 'yaml']) {
      expect(names).toContain(name);
    }
    // express uses it; no source of this project does.
    expect(names).toContain('body-parser');
    expect(names.filter((name) => name === 'vitest' || name.startsWith('@kubeadmit/'))).toEqual([]);
  });

  test.each(all)('$name $version has a licence, a maintainer and a user', (dependency) => {
    const { licence, maintainer, usedBy } = dependency;
    for (const each of licence.replaceAll(/[()]/g, '').split(/ (?:OR|AND) /)) {
      expect(each).toMatch(accepted);
    }
    expect(maintainer).not.toBe('');
    expect(usedBy).not.toEqual([]);
  });

  test('of the bundled program are those in its bundle', () => {
    const names = all
      .filter(({ usedBy }) => usedBy.includes('@kubeadmit/cli'))
      .map(({ name }) => name);
    expect(names).toContain('@modelcontextprotocol/sdk');
    expect(names).toContain('zod');
    // The SDK depends on these for servers over HTTP, which the program does not start.
    for (const name of ['express', 'hono', 'cors', 'jose']) expect(names).not.toContain(name);
  });

  test('are rows of the page', () => {
    const rows = dependenciesPage().markdown.match(/^\| \[`/gm);
    expect(rows).toHaveLength(all.length);
  });
});
