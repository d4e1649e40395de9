export function libraryBuild(manifest, chunks = 'shared') {
  const entries = Object.values(manifest.exports)
    .filter((entry) => typeof entry === 'object')
    .map(({ '@kubeadmit/source': source, default: built }) => [
      built.replace(/^\.\/dist\/(.*)\.js$/, '$1'),
      source,
    ]);
  const dependencies = Object.keys(manifest.dependencies ?? {});
  return {
    build: {
      target: 'es2023',
      minify: false,
      sourcemap: true,
      emptyOutDir: false,
      lib: { entry: Object.fromEntries(entries), formats: ['es'] },
      rolldownOptions: {
        external: (id) => dependencies.some((name) => id === name || id.startsWith(`${name}/`)),
        output: { entryFileNames: '[name].js', chunkFileNames: `${chunks}/[name].js` },
      },
    },
  };
}
