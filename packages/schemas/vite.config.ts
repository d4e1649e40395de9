import { libraryBuild } from '@kubeadmit/library-build';
import { mergeConfig } from 'vite';
import manifest from './package.json' with { type: 'json' };

/** Data that most manifests need lies in one file, since each file more takes half a millisecond to load. */
const workloads = /\/src\/data\/(?:meta|core|apps|batch|networking|policy|rbac)\.v1\.ts$/;

export default mergeConfig(libraryBuild(manifest, 'data'), {
  build: {
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'workloads', test: workloads }] } },
    },
  },
});
