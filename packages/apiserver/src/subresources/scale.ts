import { type KubernetesObject, listOf, member } from '@kubeadmit/apimachinery';
import { invalid } from '@kubeadmit/apimachinery/field-errors';
import { mutate, validate } from '../admission/admission-chain.ts';
import { invalidObject, notFound } from '../errors/failures.ts';
import type { ApiResponse } from '../http/response.ts';
import { type Endpoint, endpointOf } from '../kinds/endpoint.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import {
  type FieldsEntry,
  metadataOf,
  nameOf,
  withMember,
  withMetadata,
} from '../objects/metadata.ts';
import { readWriteOptions, type WriteOptions } from '../options/write-options.ts';
import { updateObject } from '../registry/update-object.ts';
import { decodeRequest, tracked } from '../verbs/decode-request.ts';
import { applyPatch, readPatch } from '../verbs/patch.ts';
import { objectResponse } from '../verbs/response.ts';
import { admissionOptions, checkName } from '../verbs/update.ts';
import { managersOfParent, managersOfScale } from './scale-managers.ts';
import { type ScalePaths, scalePaths, setAt, valueAt } from './scale-paths.ts';

/** Answers `get`, `update` and `patch` of a scale (`autoscaling/v1` Scale of a workload or a custom resource). */
export async function answerScale(exchange: ResourceExchange): Promise<ApiResponse> {
  const { machinery, endpoint, info, request, negotiated } = exchange;
  if (info.verb === 'get') {
    const object = await machinery.registry.require(endpoint, info.namespace, info.name);
    return objectResponse(200, scaleOf(object, pathsOf(exchange)), negotiated);
  }
  if (info.verb === 'patch') {
    const { options, change, type } = await readPatch(exchange);
    return storeScale(exchange, { options, change, isApply: type === applyPatch });
  }
  const options = readWriteOptions(request.query, 'UpdateOptions');
  const scale = await decodeRequest(exchange, options);
  checkName(scale, info.name);
  return storeScale(exchange, { options, change: () => scale, isApply: false });
}

interface ScaleChange {
  readonly options: WriteOptions;
  readonly change: (scale: KubernetesObject) => KubernetesObject;
  /** Whether the change is a server-side apply, which records its managers itself. */
  readonly isApply: boolean;
}

async function storeScale(
  exchange: ResourceExchange,
  { options, change, isApply }: ScaleChange,
): Promise<ApiResponse> {
  const { machinery, endpoint, info, negotiated } = exchange;
  const paths = pathsOf(exchange);
  const main: Endpoint = endpointOf(machinery.cluster.schemas, endpoint.resource);
  const attributes = {
    endpoint,
    operation: 'UPDATE',
    namespace: info.namespace,
    name: info.name,
    options: admissionOptions(options, 'UpdateOptions'),
    isDryRun: options.isDryRun,
  } as const;
  const { object } = await updateObject(machinery, {
    endpoint: main,
    namespace: info.namespace,
    name: info.name,
    isDryRun: options.isDryRun,
    isPatch: true,
    change: async (existing) => {
      if (existing === undefined) throw notFound(endpoint.name, info.name);
      const before = scaleOf(existing, paths);
      const { managedFields } = metadataOf(existing);
      const ofScale = managersOfScale(managedFields ?? [], paths.specReplicas);
      const applied = change(isApply ? withMetadata(before, { managedFields: ofScale }) : before);
      const wanted = withMetadata(applied, { managedFields: undefined });
      const mutated =
        (await mutate(exchange, { ...attributes, object: wanted, oldObject: before })) ?? wanted;
      await validate(exchange, { ...attributes, object: mutated, oldObject: before });
      const replicas = Number(member(member(mutated, 'spec'), 'replicas') ?? 0);
      if (replicas < 0) throw negativeReplicas(endpoint, info.name, replicas);
      const scaled = setAt(existing, paths.specReplicas, replicas);
      const versioned = withMetadata(scaled, {
        resourceVersion: metadataOf(mutated).resourceVersion,
      });
      const recorded = isApply
        ? withScaleManagers(versioned, metadataOf(applied).managedFields ?? [], paths)
        : tracked(exchange, options, existing, versioned);
      return withoutScaleTimes(recorded);
    },
    admit: async () => {},
    warn: (text) => void exchange.warnings.push(text),
  });
  return objectResponse(200, scaleOf(object, paths), negotiated);
}

function withScaleManagers(
  object: KubernetesObject,
  ofScale: readonly FieldsEntry[],
  { specReplicas }: ScalePaths,
): KubernetesObject {
  const managedFields = managersOfParent(metadataOf(object).managedFields ?? [], ofScale, {
    apiVersion: String(object['apiVersion']),
    replicasPath: specReplicas,
  });
  return withMetadata(object, { managedFields });
}

// The server keeps no time of changes through this subresource (managedfields `ScaleHandler`).
function withoutScaleTimes(object: KubernetesObject): KubernetesObject {
  const entries = metadataOf(object).managedFields?.map((entry) => {
    const { time: _, ...rest } = entry;
    return entry.subresource === 'scale' ? rest : entry;
  });
  const managedFields = entries?.sort((a, b) => timeOrder(a) - timeOrder(b));
  return withMetadata(object, { managedFields });
}

function timeOrder({ operation, time }: FieldsEntry): number {
  return (operation === 'Apply' ? 0 : 2) + (time === undefined ? 0 : 1);
}

function negativeReplicas(
  { isCustom, kind }: ResourceExchange['endpoint'],
  name: string,
  replicas: number,
): Error {
  if (isCustom) {
    const why = 'should be a non-negative integer';
    const own = invalid('.spec.replicas', replicas, why);
    return invalidObject({ group: kind.group, name: kind.kind }, name, [own]);
  }
  const error = invalid('spec.replicas', replicas, 'must be greater than or equal to 0');
  return invalidObject({ group: 'autoscaling', name: 'Scale' }, name, [error]);
}

function pathsOf({ machinery, endpoint }: ResourceExchange): ScalePaths {
  return scalePaths(machinery, endpoint);
}

function scaleOf(object: KubernetesObject, paths: ScalePaths): KubernetesObject {
  const { namespace, uid, resourceVersion, creationTimestamp } = metadataOf(object);
  const selector = selectorText(paths, object);
  return withMember(
    {
      kind: 'Scale',
      apiVersion: 'autoscaling/v1',
      metadata: {
        name: nameOf(object),
        ...(namespace === undefined ? {} : { namespace }),
        uid,
        resourceVersion,
        creationTimestamp,
      },
      spec: { ...replicas(valueAt(object, paths.specReplicas)) },
    },
    'status',
    {
      replicas: Number(valueAt(object, paths.statusReplicas) ?? 0),
      ...(selector === '' ? {} : { selector }),
    },
  );
}

function replicas(value: unknown): KubernetesObject {
  return Number(value ?? 0) === 0 ? {} : { replicas: Number(value) };
}

function selectorText({ selector }: ScalePaths, object: KubernetesObject): string {
  if (selector === '') return '';
  const value = valueAt(object, selector);
  if (typeof value === 'string') return value;
  const labels = Object.entries((member(value, 'matchLabels') ?? value ?? {}) as object)
    .filter(([, label]) => typeof label === 'string')
    .map(([key, label]) => `${key}=${String(label)}`)
    .sort();
  const expressions = member(value, 'matchExpressions');
  const others = listOf(expressions).map(requirementText);
  return [...labels, ...others].join(',');
}

function requirementText(requirement: unknown): string {
  const key = String(member(requirement, 'key') ?? '');
  const operator = member(requirement, 'operator');
  const values = ((member(requirement, 'values') ?? []) as readonly string[]).join(',');
  if (operator === 'Exists') return key;
  if (operator === 'DoesNotExist') return `!${key}`;
  return `${key} ${operator === 'In' ? 'in' : 'notin'} (${values})`;
}
