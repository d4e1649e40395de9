import { project } from '@kubeadmit/vitest-config';

export default project({ test: { globalSetup: ['test/build.ts'] } });
