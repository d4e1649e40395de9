import * as admission from '@kubeadmit/admission';
import * as cel from '@kubeadmit/cel';
import * as engine from '@kubeadmit/engine';
import * as kyverno from '@kubeadmit/kyverno';
import * as matcher from '@kubeadmit/matcher';
import * as mutator from '@kubeadmit/mutator';
import * as schemas from '@kubeadmit/schemas';

export const packages = { admission, cel, engine, kyverno, matcher, mutator, schemas };
