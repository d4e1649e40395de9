import { project } from '@kubeadmit/vitest-config';

// These take longest: a run waits for them at its end, with all processors.
export default project({ test: { maxWorkers: '100%' } });
