import { defineConfig, type Plugin } from 'vite';

/** Data that most manifests need lies in one file, as in `packages/schemas`. */
const workloads = /\/schemas\/src\/data\/(?:meta|core|apps|batch|networking|policy|rbac)\.v1\.ts$/;

/** Commander starts other programs for commands that are such; loading what that needs takes 5 ms. */
const noOtherPrograms: Plugin = {
  name: 'no-other-programs',
  transform: {
    filter: { id: /\/commander\/lib\/command\.js$/ },
    handler: (code) => {
      const changed = code.replace(/^const childProcess = .*$/m, 'const childProcess = {};');
      if (changed === code) throw new Error('commander starts programs in another way');
      return { code: changed, map: null };
    },
  },
};

/** Says that the program's files are CommonJS, which Node starts sooner than modules, and can keep compiled. */
const commonJs: Plugin = {
  name: 'common-js',
  generateBundle() {
    const source = `${JSON.stringify({ type: 'commonjs' })}\n`;
    this.emitFile({ type: 'asset', fileName: 'package.json', source });
  },
};

// The program with all that it needs as few files: Node takes longer to find a hundred modules than to run
// what is in them. Libraries are taken as they are for browsers, whose modules need no CommonJS.
export default defineConfig({
  ssr: { noExternal: true, resolve: { conditions: ['@kubeadmit/source', 'module'] } },
  plugins: [noOtherPrograms, commonJs],
  build: {
    ssr: true,
    target: 'node20.19',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: 'src/main.ts',
      output: {
        format: 'cjs',
        entryFileNames: '[name].js',
        // INVARIANT: names tell the contents apart; what is kept of compiled code goes by them.
        chunkFileNames: 'parts/[name]-[hash].js',
        codeSplitting: { groups: [{ name: 'workloads', test: workloads }] },
      },
    },
  },
});
