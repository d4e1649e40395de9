import { project } from '@kubeadmit/vitest-config';

export default project();
