import { project } from '@kubeadmit/vitest-config';

export default project({ test: { testTimeout: 60_000, hookTimeout: 120_000 } });
