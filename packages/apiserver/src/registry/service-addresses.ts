import {
  Allocation,
  isServiceWrite,
  placesOf,
  RangeFullError,
  type ServicePlaces,
  type ServiceSpec,
  specOf,
  type ServiceWrite as WrittenService,
} from '@kubeadmit/admission/writes';
import { type KubernetesObject, member } from '@kubeadmit/apimachinery';
import { invalidObject, plainFailure } from '../errors/failures.ts';
import type { Machinery } from '../machinery/machinery.ts';
import { nameOf, withMember } from '../objects/metadata.ts';

export interface ServiceWrite extends WrittenService {
  /** Stands for the request, which takes the addresses until it is over; see `ServiceClaims`. None: nothing is taken. */
  readonly claimant: object | undefined;
}

/**
 * Returns a service with addresses and node ports, none of which is reachable: its own, the requested ones, or free
 * ones (core service `storage.Allocators`). Other objects are returned unchanged. Throws the 422 for an unavailable
 * address or port.
 */
export async function withServiceAddresses(
  machinery: Machinery,
  write: ServiceWrite,
): Promise<KubernetesObject> {
  const { endpoint, object, old, isDryRun, claimant } = write;
  if (!isServiceWrite(endpoint)) return object;
  const { registry, options } = machinery;
  const choose = async (claimed: readonly ServicePlaces[]): Promise<Chosen> => {
    const { entries } = await registry.store.range({ prefix: endpoint.keyPrefix });
    const others = entries
      .map((entry) => registry.cache.objectOf(entry))
      .filter((each) => member(each['metadata'], 'uid') !== member(old?.['metadata'], 'uid'));
    const allocation = new Allocation([...others.map(specOf).map(placesOf), ...claimed], () =>
      Number.parseInt(options.randomUid().slice(0, 8), 16),
    );
    const spec = orPlainFailure(() =>
      allocation.fill(specOf(object), old && specOf(old), isDryRun),
    );
    if (allocation.errors.length > 0) {
      throw invalidObject({ group: '', name: 'Service' }, nameOf(object), allocation.errors);
    }
    return { spec, ...newPlaces(placesOf(spec), old && placesOf(specOf(old))) };
  };
  const takesNothing = isDryRun || claimant === undefined;
  const { spec } = takesNothing
    ? await choose([])
    : await registry.serviceClaims.take(claimant, choose);
  return withMember(object, 'spec', spec);
}

interface Chosen extends ServicePlaces {
  readonly spec: ServiceSpec;
}

// A service keeps its own addresses.
function newPlaces(places: ServicePlaces, before: ServicePlaces | undefined): ServicePlaces {
  return {
    addresses: places.addresses.filter((address) => before?.addresses.includes(address) !== true),
    ports: places.ports.filter((port) => before?.ports.includes(port) !== true),
  };
}

function orPlainFailure<Result>(choose: () => Result): Result {
  try {
    return choose();
  } catch (error) {
    throw error instanceof RangeFullError ? plainFailure(error.message) : error;
  }
}
