import { type JsonObject, listOf } from '@kubeadmit/apimachinery';

/**
 * Fields below a struct that follow from others, and so are not taken over even where they are
 * unchanged; lists stand for their elements.
 */
export interface Dependent {
  readonly [field: string]: Dependent;
}

const containers: Dependent = { resources: { requests: {} }, ports: {} };

/** By the name of their struct: the fields that defaulting and the storage form change because of another field. */
const dependents: ReadonlyMap<string, Dependent> = new Map(
  Object.entries<Dependent>({
    'apps.v1.StatefulSet': { spec: { updateStrategy: { rollingUpdate: {} } } },
    'batch.v1.Job': { metadata: {} },
    'core.v1.LimitRangeItem': { default: {}, defaultRequest: {} },
    'core.v1.Namespace': { metadata: { labels: {} } },
    'core.v1.Node': { spec: { podCIDRs: {} }, status: { allocatable: {} } },
    'core.v1.Pod': {
      metadata: { annotations: {} },
      spec: {
        containers,
        initContainers: containers,
        resources: { limits: {}, requests: {} },
      },
    },
    'core.v1.ReplicationController': { metadata: {}, spec: {} },
    'core.v1.Secret': { data: {} },
    'core.v1.Service': { status: { loadBalancer: { ingress: {} } } },
    'flowcontrol.v1beta3.PriorityLevelConfiguration': { spec: { limited: {} } },
  }),
);

/** Kinds whose annotations and fields follow from each other. */
const unshared: ReadonlySet<string> = new Set([
  'autoscaling.v1.HorizontalPodAutoscaler',
  'autoscaling.v2.HorizontalPodAutoscaler',
]);

const changing = new WeakSet<JsonObject>();

/** Notes that an object would be another one when it were decoded again. */
export function forbidSharing(object: JsonObject): void {
  changing.add(object);
}

/** Whether unchanged parts can be reused from an object of a kind. */
export function canShare(struct: string, live: JsonObject): boolean {
  return !unshared.has(struct) && !struct.endsWith('List') && !changing.has(live);
}

/** Returns the parts below a struct that must not be reused, depending on its surroundings. */
export function dependentOf(struct: string, around: Dependent | undefined): Dependent | undefined {
  const inner = dependents.get(struct);
  if (around === undefined || inner === undefined) return around ?? inner;
  return { ...around, ...inner };
}

/** The element of an earlier list that an element is, else the one in its place. */
export class LiveElements {
  readonly #list: readonly unknown[];
  #all: ReadonlySet<unknown> | undefined;

  constructor(live: unknown) {
    this.#list = listOf(live);
  }

  for(item: unknown, index: number): unknown {
    const inPlace = this.#list[index];
    if (inPlace === item || this.#list.length === 0) return inPlace;
    this.#all ??= new Set(this.#list);
    return this.#all.has(item) ? item : inPlace;
  }
}

/**
 * The elements of lists that were read, each with the element of the earlier list from which its members were taken
 * over: itself where it was taken over as a whole. Members need no such note: they are the same values in the same
 * places.
 */
export type Origins = Map<object, object>;

/** A decoded object, and the values that were reused from it. */
export interface Sharing {
  readonly live: JsonObject;
  readonly origins: Origins;
}
