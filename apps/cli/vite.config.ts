import { defineConfig } from 'vite';

/** Data that most manifests need lies in one file, as in `packages/schemas`. */
const workloads = /\/schemas\/src\/data\/(?:meta|core|apps|batch|networking|policy|rbac)\.v1\.ts$/;

// The program with all that it needs as few files: Node takes longer to find a hundred modules than to run
// what is in them. Libraries are taken as they are for browsers, whose modules need no CommonJS.
export default defineConfig({
  ssr: { noExternal: true, resolve: { conditions: ['@kubeadmit/source', 'module'] } },
  build: {
    ssr: true,
    target: 'node20.19',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: 'src/main.ts',
      output: {
        entryFileNames: '[name].js',
        chunkFileNames: 'parts/[name].js',
        codeSplitting: { groups: [{ name: 'workloads', test: workloads }] },
      },
    },
  },
});
