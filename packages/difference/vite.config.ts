import { libraryBuild } from '@kubeadmit/library-build';
import manifest from './package.json' with { type: 'json' };

export default libraryBuild(manifest);
