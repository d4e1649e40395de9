import { defineConfig } from 'vite';

// One program with all that it needs, so that a container holds nothing but Node and these files; they lie
// in one folder, where the program finds `worker.js` beside itself.
export default defineConfig({
  ssr: { noExternal: true, resolve: { conditions: ['@kubeadmit/source', 'module'] } },
  build: {
    ssr: true,
    target: 'node20.19',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: {
        main: 'src/main.ts',
        serve: 'src/serve.ts',
        worker: 'src/worker.ts',
        'webhook-command': 'src/webhook-command.ts',
      },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'part-[name].js' },
    },
  },
});
