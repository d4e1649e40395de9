import { project } from '@kubeadmit/vitest-config';

// The tests change the working folder, which threads cannot. They take long: a run waits for them at its end, with all
// processors.
export default project({
  test: { pool: 'forks', maxWorkers: '100%', globalSetup: ['test/build.ts'] },
});
