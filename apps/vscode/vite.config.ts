import { defineConfig } from 'vite';

// One file with the client's library in it; the editor gives `vscode`.
export default defineConfig({
  ssr: { noExternal: true, external: ['vscode'], resolve: { conditions: ['node'] } },
  build: {
    ssr: true,
    target: 'node20',
    minify: true,
    rolldownOptions: {
      input: 'src/main.ts',
      external: ['vscode'],
      output: { format: 'cjs', entryFileNames: 'extension.cjs' },
    },
  },
});
