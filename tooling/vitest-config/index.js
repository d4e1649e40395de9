import { defaultClientConditions, defaultServerConditions } from 'vite';
import { mergeConfig } from 'vitest/config';

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
        benchmark: { include: ['bench/**/*.bench.ts'] },
        testTimeout: 60_000,
        hookTimeout: 60_000,
      },
    },
    overrides,
  );
}
