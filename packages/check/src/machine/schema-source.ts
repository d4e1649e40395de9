import { loadSchemas, type Schemas, UnknownVersionError } from '@kubeadmit/schemas';
import { CaseFailure } from './case.ts';

/** Gives the schemas of a Kubernetes version (default: the newest), loading each version once. */
export function createSchemaSource(): (version?: string) => Promise<Schemas> {
  const loaded = new Map<string | undefined, Promise<Schemas>>();
  return async (version) => {
    let schemas = loaded.get(version);
    if (schemas === undefined) {
      schemas = loadSchemas(version === undefined ? {} : { version });
      loaded.set(version, schemas);
    }
    try {
      return await schemas;
    } catch (error) {
      if (error instanceof UnknownVersionError) throw new CaseFailure(error.message);
      throw error;
    }
  };
}
