import { getOrMake } from '@kubeadmit/base';
import { loadSchemas, type Schemas, UnknownVersionError } from '@kubeadmit/schemas';
import { CaseFailure } from './case.ts';

/** Returns the schemas of a Kubernetes version (default: the newest), loading each version once. */
export function createSchemaSource(): (version?: string) => Promise<Schemas> {
  const loaded = new Map<string | undefined, Promise<Schemas>>();
  return async (version) => {
    try {
      return await getOrMake(loaded, version, () =>
        loadSchemas(version === undefined ? {} : { version }),
      );
    } catch (error) {
      if (error instanceof UnknownVersionError) throw new CaseFailure(error.message);
      throw error;
    }
  };
}
