import { defaultClientConditions, defaultServerConditions } from 'vite';
import { mergeConfig } from 'vitest/config';

// What modules were made of TypeScript, for runs of the same sources on several versions of Node: `.ci/run` names a
// folder. Not for every day, since a module that has moved would be looked for where it was.
const modules = process.env.TRANSFORMED_MODULES;
const experimental =
  modules === undefined ? {} : { fsModuleCache: true, fsModuleCachePath: modules };

export function project(overrides = {}) {
  return mergeConfig(
    {
      resolve: { conditions: ['@kubeadmit/source', ...defaultClientConditions] },
      ssr: { resolve: { conditions: ['@kubeadmit/source', ...defaultServerConditions] } },
      test: {
        include: ['test/**/*.test.ts'],
        // The packages hold no state that one file could leave to another, and loading them anew for each file takes
        // longer than most files do.
        pool: 'threads',
        isolate: false,
        experimental,
        benchmark: { include: ['bench/**/*.bench.ts'] },
        // Tests of several packages run beside each other, on machines that do other things too: what is waited for
        // comes, only later. These limits are for what never comes.
        testTimeout: 240_000,
        hookTimeout: 240_000,
        expect: { poll: { timeout: 60_000 } },
      },
    },
    overrides,
  );
}
