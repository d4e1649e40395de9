import { defineConfig } from 'vite';

/**
 * One file for each entry and one for the data of each Go package: Node takes longer to find fifty small files than to
 * run what is in them.
 */
export default defineConfig({
  build: {
    target: 'es2023',
    minify: false,
    sourcemap: true,
    emptyOutDir: false,
    lib: { entry: { index: 'src/index.ts', cel: 'src/cel.ts' }, formats: ['es'] },
    rolldownOptions: {
      external: [/^@kubeadmit\//],
      output: { entryFileNames: '[name].js', chunkFileNames: 'data/[name].js' },
    },
  },
});
