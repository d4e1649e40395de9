import { project, workspaceConditions } from '@kubeadmit/vitest-config';
import type { ViteUserConfig } from 'vitest/config';

// These take longest: a run waits for them at its end, with all processors.
const config: ViteUserConfig = {
  ...project({ test: { globalSetup: ['test/build.ts'], maxWorkers: '100%' } }),
  // OpenTelemetry's files for the condition `module` are for bundlers; Node cannot load them.
  ssr: { resolve: { conditions: [...workspaceConditions, 'node', 'development|production'] } },
};

export default config;
