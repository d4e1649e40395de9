import { chmodSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig, type Plugin } from 'vite';

/** Resolves the entries of the language server's library that exist for Node alone; browser conditions hide them. */
const nodeEntries: Plugin = {
  name: 'node-entries',
  enforce: 'pre',
  resolveId: {
    filter: { id: /^vscode-(?:languageserver(?:-protocol)?|jsonrpc)\/node$/ },
    handler: (id, importer) => createRequire(importer ?? import.meta.url).resolve(id),
  },
};

/** Marks the output as CommonJS, which Node starts a fifth faster than modules. */
const commonJs: Plugin = {
  name: 'common-js',
  generateBundle() {
    const source = `${JSON.stringify({ type: 'commonjs' })}\n`;
    this.emitFile({ type: 'asset', fileName: 'package.json', source });
  },
};

/** Makes the program executable again after a build, for `npm install --global ./apps/cli`, which only links it. */
const executable: Plugin = {
  name: 'executable',
  writeBundle({ dir = '' }) {
    chmodSync(join(dir, 'main.js'), 0o755);
  },
};

/** Copies the policies of `examples/` with their tests, for `kubeadmit init --from`. */
const policyLibrary: Plugin = {
  name: 'policy-library',
  generateBundle() {
    const examples = new URL('../../examples/', import.meta.url);
    for (const file of readdirSync(examples, { recursive: true, encoding: 'utf8' })) {
      if (!/^[^/]+\/[^/]+\.yaml$/.test(file)) continue;
      const source = readFileSync(new URL(file, examples), 'utf8');
      this.emitFile({ type: 'asset', fileName: `policies/${file}`, source });
    }
  },
};

// The program without dependencies: a file for each dynamic import, and files for the code that several of them share.
export default defineConfig({
  ssr: { noExternal: true, resolve: { conditions: ['@kubeadmit/source', 'module'] } },
  plugins: [nodeEntries, commonJs, executable, policyLibrary],
  build: {
    ssr: true,
    target: 'node20.19',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { main: 'src/main.ts' },
      output: {
        format: 'cjs',
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name].js',
        minify: {
          compress: { keepNames: { function: true, class: true } },
          mangle: { keepNames: true },
          codegen: { removeWhitespace: true },
        },
      },
    },
  },
});
