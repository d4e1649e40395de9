import { project, workspaceConditions } from '@kubeadmit/vitest-config';
import type { ViteUserConfig } from 'vitest/config';

const config: ViteUserConfig = {
  ...project({ test: { globalSetup: ['test/build.ts'] } }),
  // What OpenTelemetry has for the condition `module` is for bundlers: Node cannot load it.
  ssr: { resolve: { conditions: [...workspaceConditions, 'node', 'development|production'] } },
};

export default config;
