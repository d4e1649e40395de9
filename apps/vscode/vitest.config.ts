import { project } from '@kubeadmit/vitest-config';

export default project({ test: { testTimeout: 30_000 } });
