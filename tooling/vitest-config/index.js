import { defaultClientConditions, defaultServerConditions } from 'vite';
import { mergeConfig } from 'vitest/config';

// A cache folder for compiled TypeScript, which `.ci/run` sets to run the same sources on several versions of Node.
// Do not set it for daily work: Vitest would look for a moved module in its old place.
const modules = process.env.TRANSFORMED_MODULES;
const experimental =
  modules === undefined ? {} : { fsModuleCache: true, fsModuleCachePath: modules };

// Turbo has built the packages that a package needs before it runs its tests: they are given to Node as they are
// published, which takes a fraction of the time that their sources take. Vitest runs without a build outside of Turbo.
const built = process.env.TURBO_HASH !== undefined;

/** Where the packages of the workspace are found, before other conditions of exports. */
export const workspaceConditions = built ? [] : ['@kubeadmit/source'];

export function project(overrides = {}) {
  return mergeConfig(
    {
      resolve: { conditions: [...workspaceConditions, ...defaultClientConditions] },
      ssr: { resolve: { conditions: [...workspaceConditions, ...defaultServerConditions] } },
      test: {
        include: ['test/**/*.test.ts'],
        // The packages have no state that test files could share, and loading them again for each file takes longer
        // than most files do.
        pool: 'threads',
        isolate: false,
        experimental,
        server: { deps: { external: built ? [/\/dist\/.*\.js$/] : [] } },
        benchmark: { include: ['bench/**/*.bench.ts'] },
        // Tests of several packages run in parallel on busy machines, so an expected event can come late. These limits
        // are for events that never come.
        testTimeout: 240_000,
        hookTimeout: 240_000,
        expect: { poll: { timeout: 60_000 } },
      },
    },
    overrides,
  );
}
