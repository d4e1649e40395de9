import { forbiddenError } from '../errors/failures.ts';
import type { Exchange } from '../machinery/machinery.ts';
import { metadataOf } from '../objects/metadata.ts';
import type { AdmissionAttributes } from './attributes.ts';

/** Throws the 403 of a new custom resource whose definition is being deleted (apiextensions forbidCreateAdmission). */
export function checkDefinition(
  { machinery }: Exchange,
  { endpoint, operation, name, object }: AdmissionAttributes,
): void {
  const { definition: owner } = endpoint.resource;
  if (operation !== 'CREATE' || owner === undefined) return;
  const definition = machinery.cluster.definition(owner);
  if (definition === undefined || !metadataOf(definition).deletionTimestamp) return;
  const shown = name || (object === null ? '' : (metadataOf(object).name ?? ''));
  const text = 'create not allowed while custom resource definition is terminating';
  throw forbiddenError(endpoint.name, shown, text);
}
