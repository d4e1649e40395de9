import { project } from '@kubeadmit/vitest-config';

const config = project({ test: { globalSetup: ['test/build.ts'], testTimeout: 30_000 } });

// What OpenTelemetry has for the condition `module` is for bundlers: Node cannot load it.
export default {
  ...config,
  ssr: { resolve: { conditions: ['@kubeadmit/source', 'node', 'development|production'] } },
};
