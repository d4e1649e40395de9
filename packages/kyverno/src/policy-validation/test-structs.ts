import { lazily } from '@kubeadmit/base';
import type { TypeStore } from '@kubeadmit/schemas/types';
import { programTypes } from '@kubeadmit/schemas/workloads';
import { testTypes, userTypes } from './test-types.data.ts';

/** The structs of the Kyverno CLI's files, by names such as `tests.Result`; created on first use. */
export const testStructs: () => TypeStore = lazily(() =>
  programTypes(36, { tests: testTypes, 'auth.v1': userTypes }),
);
