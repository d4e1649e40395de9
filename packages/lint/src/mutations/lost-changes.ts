import { listResources, type Schemas } from '@kubeadmit/schemas';
import { findDefinition } from '@kubeadmit/schemas/definitions';
import type { LeafFinding } from './leaf-values.ts';
import type { MatchedKind } from './matched-kinds.ts';

/** Reports a change that is not stored as it was made. */
export type LostChange = (steps: readonly string[]) => LeafFinding | undefined;

const spares = 'so this is not stored';

/**
 * Returns a function that reports changes at paths that kube-apiserver does not store: it keeps the status apart,
 * and rejects or overwrites parts of the metadata (apiserver registry/rest/create.go and update.go, and the
 * strategies of the resources).
 *
 * @param rows all requests of one kind that the policy matches
 */
export function lostChanges(schemas: Schemas, rows: readonly MatchedKind[]): LostChange {
  const isOnly = (subresource: string): boolean =>
    rows.every((row) => row.subresource === subresource);
  const isOfResource = isOnly('');
  const isOfStatus = isOnly('status');
  const isUpdated = rows.some(({ operation }) => operation === 'UPDATE');
  const keepsStatus = isOfResource && rows.every((row) => hasOwnStatus(schemas, row));
  const isCustom = rows.every(({ kind }) => findDefinition(schemas, kind) !== undefined);
  return ([first = '', second, ...more]) => {
    if (keepsStatus && first === 'status') {
      const message = `\`status\` changes only through the subresource \`status\`, ${spares}`;
      return { code: 'mutation-no-effect', message };
    }
    if (isOfStatus && (first === 'spec' || (isCustom && first === 'metadata'))) {
      const message = `requests for the subresource \`status\` do not change \`${first}\`, ${spares}`;
      return { code: 'mutation-no-effect', message };
    }
    if (!isOfResource || first !== 'metadata' || more.length > 0) return undefined;
    if (second === 'namespace') {
      const message =
        'the namespace of the provided object does not match the namespace sent on the request';
      return { code: 'mutation-invalid-value', message };
    }
    if ((second === 'name' || second === 'uid') && isUpdated) {
      const message = `metadata.${second}: field is immutable, so updates are rejected`;
      return { code: 'mutation-invalid-value', message };
    }
    return undefined;
  };
}

// Nodes are created with their status.
function hasOwnStatus(schemas: Schemas, { resource, operation }: MatchedKind): boolean {
  const { group, version, resource: plural } = resource;
  if (group === '' && plural === 'nodes' && operation === 'CREATE') return false;
  return listResources(schemas).some(
    (each) =>
      each.group === group &&
      each.version === version &&
      each.resource === plural &&
      each.subresources.some(({ name }) => name === 'status'),
  );
}
