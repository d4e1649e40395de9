import { project } from '@kubeadmit/vitest-config';

// One file after the other: each starts a browser, which takes all that two processors have.
export default project({
  test: { fileParallelism: false },
});
