import { defineConfig } from 'vite';

/** Packages with native binaries or definition files, which cannot be bundled. */
const packages = ['classic-level', '@grpc/grpc-js', '@grpc/proto-loader'];

export default defineConfig({
  ssr: {
    noExternal: true,
    external: packages,
    resolve: { conditions: ['@kubeadmit/source', 'module'] },
  },
  build: {
    ssr: true,
    target: 'node20.19',
    sourcemap: true,
    license: { fileName: 'licenses.md' },
    rolldownOptions: {
      input: { main: 'src/main.ts', index: 'src/index.ts', 'run-program': 'src/run-program.ts' },
      output: { format: 'es', entryFileNames: '[name].js', chunkFileNames: 'part-[name].js' },
    },
  },
});
