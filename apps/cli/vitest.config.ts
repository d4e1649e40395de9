import { project } from '@kubeadmit/vitest-config';

// The tests change the working folder, which threads cannot.
export default project({
  test: { pool: 'forks', globalSetup: ['test/build.ts'] },
});
