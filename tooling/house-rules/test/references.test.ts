import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

/** The package that builds bundle: a development dependency. */
const bundled = '@kubeadmit/base';

interface Manifest {
  readonly dependencies?: object;
  readonly devDependencies?: object;
}

const built = ['packages', 'apps']
  .flatMap((group) => readdirSync(`${ROOT}${group}`).map((name) => `${group}/${name}`))
  .filter((folder) => existsSync(`${ROOT}${folder}/tsconfig.build.json`));

describe('`tsc -b` builds what a package depends on', () => {
  test.each(built)('%s', (folder) => {
    const { dependencies = {}, devDependencies = {} } = read<Manifest>(`${folder}/package.json`);
    const { references = [] } = read<{ references?: readonly { readonly path: string }[] }>(
      `${folder}/tsconfig.build.json`,
    );
    const needed = Object.keys(dependencies).filter((name) => name.startsWith('@kubeadmit/'));
    if (bundled in devDependencies) needed.push(bundled);
    const referenced = references.map(({ path }) => `@kubeadmit/${path.split('/').at(-2)}`);
    expect(referenced.sort()).toEqual(needed.sort());
  });
});

function read<Content>(path: string): Content {
  return JSON.parse(readFileSync(ROOT + path, 'utf8')) as Content;
}
