import type { Json, JsonObject } from '@kubeadmit/conformance-tools';
import type { Random } from '@kubeadmit/random';
import { objectOf } from './object-of.ts';
import { SchemaMaker } from './schema.ts';

/** Where a server has its definitions. */
export const definitionsPath = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
const group = 'example.com';
const oddFinalizers = ['a', 'b.c', 'b.c/d', 'kubernetes', 'orphan', 'x y', 'a/b/c', 'é"', ''];

/** A kind whose definition takes everything at first. */
export class PlayedKind {
  /** The definition after the update. */
  readonly definition: JsonObject;
  /** The schemas of its versions. */
  readonly schemas: readonly JsonObject[];
  /** How often a value is wrong, from 0 to 1. */
  readonly wrong: number;
  readonly #random: Random;
  readonly #subresources: JsonObject;
  readonly #index: number;

  constructor(random: Random, index: number) {
    this.#random = random;
    this.#index = index;
    this.wrong = random.pick([0.02, 0.08, 0.2]);
    this.#subresources = {
      ...random.some({ status: [0.6, () => ({})] }),
      ...random.some({
        scale: [
          0.3,
          () => ({
            specReplicasPath: '.spec.a',
            statusReplicasPath: '.status.b',
            ...random.some({ labelSelectorPath: [0.6, () => '.status.c'] }),
          }),
        ],
      }),
    } as JsonObject;
    const rules = random.pick([0, 0.15, 0.35, 0.6]);
    const maker = new SchemaMaker(random, { mistakes: 0, rules, limits: 1 });
    this.schemas = random.list(1, random.chance(0.2) ? 2 : 1, () => marked(maker.root()));
    this.definition = this.#definition(this.schemas);
  }

  /** The definition that takes everything. */
  get loose(): JsonObject {
    const schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };
    return this.#definition(this.schemas.map(() => schema));
  }

  get name(): string {
    return `things${this.#index}.${group}`;
  }

  get hasStatus(): boolean {
    return this.#subresources['status'] !== undefined;
  }

  /** The path of its objects in a version. */
  path(version: number, rest = ''): string {
    return `/apis/${group}/v${version}/namespaces/default/things${this.#index}${rest}`;
  }

  object(version: number, metadata: JsonObject, made: Json): JsonObject {
    const { apiVersion: _, kind: __, metadata: ___, ...fields } = objectOf(made);
    return { apiVersion: `${group}/v${version}`, kind: `Thing${this.#index}`, metadata, ...fields };
  }

  request(version: number, rest: JsonObject): JsonObject {
    const own = { group, version: `v${version}` };
    return {
      uid: 'u',
      kind: { ...own, kind: `Thing${this.#index}` },
      resource: { ...own, resource: `things${this.#index}` },
      namespace: 'default',
      userInfo: { username: 'admin', groups: ['system:masters'] },
      ...rest,
    };
  }

  /** Metadata with names of finalizers, some of which the server warns of. */
  finalizers(): JsonObject {
    const random = this.#random;
    if (random.chance(0.7)) return {};
    return { finalizers: random.list(1, 3, () => random.pick(oddFinalizers)) };
  }

  #definition(schemas: readonly JsonObject[]): JsonObject {
    const index = this.#index;
    const names = { plural: `things${index}`, singular: `thing${index}`, kind: `Thing${index}` };
    return {
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: this.name },
      spec: {
        group,
        scope: 'Namespaced',
        names,
        versions: schemas.map((openAPIV3Schema, at) => ({
          name: `v${at + 1}`,
          served: true,
          storage: at === 0,
          schema: { openAPIV3Schema },
          subresources: this.#subresources,
        })),
      },
    };
  }
}

/** Generates kinds with distinct names. */
export class KindMaker {
  readonly #random: Random;
  #made = 0;

  constructor(random: Random) {
    this.#random = random;
  }

  make(): PlayedKind {
    return new PlayedKind(this.#random, this.#made++);
  }
}

// By the marker it shows whether a server has taken notice of a schema. Rules of the whole object are left out: the
// server's record of who set which field is a part of it.
function marked(schema: JsonObject): JsonObject {
  const { 'x-kubernetes-validations': _, ...rest } = schema;
  return {
    ...rest,
    properties: { ...objectOf(schema['properties']), marker: { type: 'integer' } },
  };
}

const policyGroup = 'admissionregistration.k8s.io/v1';
/** A policy that warns with the values that it reads, and its binding, with the paths of both. */
export const telling: readonly (readonly [path: string, object: JsonObject])[] = [
  [
    `/apis/${policyGroup}/validatingadmissionpolicies`,
    {
      apiVersion: policyGroup,
      kind: 'ValidatingAdmissionPolicy',
      metadata: { name: 'told' },
      spec: {
        matchConstraints: {
          resourceRules: [
            { apiGroups: [group], apiVersions: ['*'], operations: ['*'], resources: ['*/*'] },
          ],
        },
        validations: [
          {
            expression: 'false',
            messageExpression:
              "'%s'.format([[object, oldObject].map(o, o == null ? [] : [dyn(o).?spec.orValue(null), dyn(o).?status.orValue(null), dyn(o).metadata.?finalizers.orValue([]), dyn(o).metadata.?generation.orValue(0)])])",
          },
        ],
      },
    },
  ],
  [
    `/apis/${policyGroup}/validatingadmissionpolicybindings`,
    {
      apiVersion: policyGroup,
      kind: 'ValidatingAdmissionPolicyBinding',
      metadata: { name: 'told' },
      spec: { policyName: 'told', validationActions: ['Warn'] },
    },
  ],
];
