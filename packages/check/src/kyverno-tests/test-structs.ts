import type { TypeStore } from '@kubeadmit/schemas/internal';
import { programTypes } from '@kubeadmit/schemas/workloads';
import { testTypes } from './test-types.data.ts';

/** The structs of the Kyverno CLI's files, by names such as `tests.Result`. */
export const testStructs: TypeStore = programTypes(36, { tests: testTypes });
