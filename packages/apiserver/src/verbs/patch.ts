import { decodeManifest, plainObject } from '@kubeadmit/admission/writes';
import { formatGroupVersion, type KubernetesObject } from '@kubeadmit/apimachinery';
import { isPlainObject } from '@kubeadmit/base';
import { kubernetesNumbers } from '@kubeadmit/cel/unstable-internal';
import { decodeUtf8Leniently, formatJson, quote, readYaml } from '@kubeadmit/go';
import { applyJsonPatch, type Json, type PatchOperation } from '@kubeadmit/mutator';
import { structOf } from '@kubeadmit/schemas/types';
import { withCustomDefaults } from '@kubeadmit/schemas/unstable-internal';
import { otherKindProblem } from '../decoding/decode-object.ts';
import { duplicateText, takeBody, yamlFindingsText } from '../decoding/read-body.ts';
import { unmarshalProblem } from '../decoding/unmarshal-problem.ts';
import {
  badRequest,
  conflict,
  invalidObject,
  notFound,
  unprocessable,
  unsupportedByRouter,
  unsupportedMediaType,
} from '../errors/failures.ts';
import { applyFields } from '../fields/apply.ts';
import { headerOf } from '../http/request.ts';
import type { ApiResponse } from '../http/response.ts';
import type { ResourceExchange } from '../machinery/machinery.ts';
import { groupVersionOf } from '../objects/group-version.ts';
import { metadataOf, timeNow, withMetadata } from '../objects/metadata.ts';
import { readWriteOptions, type WriteOptions } from '../options/write-options.ts';
import { goMapText } from '../patches/go-map-text.ts';
import { readOperations, scanPatch } from '../patches/json-patch.ts';
import { applyMergePatch } from '../patches/merge-patch.ts';
import { applyStrategicMerge } from '../patches/strategic-merge.ts';
import { unstructuredProblem } from '../patches/unstructured-problem.ts';
import { inNamespace } from '../registry/create-object.ts';
import { bodyKind, withResetRecord } from './decode-request.ts';
import { resourceResponse } from './response.ts';
import { checkName, storeChange } from './update.ts';

const jsonPatch = 'application/json-patch+json';
const mergePatch = 'application/merge-patch+json';
const strategicPatch = 'application/strategic-merge-patch+json';
export const applyPatch = 'application/apply-patch+yaml';

/** The media types of the patches that an endpoint takes. */
function patchTypes({ endpoint }: ResourceExchange): readonly string[] {
  return endpoint.isCustom
    ? [jsonPatch, mergePatch, applyPatch]
    : [jsonPatch, mergePatch, strategicPatch, applyPatch];
}

/** Throws the 415 of a patch of an unknown type, which comes before everything else. */
export function checkPatchType(exchange: ResourceExchange): string {
  const [given = ''] = (headerOf(exchange.request, 'content-type') ?? '').split(';');
  const type = given.trim();
  if (patchTypes(exchange).includes(type)) return type;
  throw exchange.endpoint.isCustom
    ? unsupportedMediaType(patchTypes(exchange))
    : unsupportedByRouter();
}

/** Answers `patch` (handlers.PatchResource). */
export async function patchResource(exchange: ResourceExchange): Promise<ApiResponse> {
  const { endpoint, info } = exchange;
  const { type, options, change } = await readPatch(exchange);
  const { object, isCreated } = await storeChange(exchange, {
    options,
    operation: type === applyPatch ? 'apply' : 'patch',
    change: async (existing) => {
      if (existing === undefined && type !== applyPatch) throw notFound(endpoint.name, info.name);
      const patched = change(existing);
      if (existing === undefined) checkWithoutUid(exchange, patched);
      const placed = inNamespace(patched, endpoint, info.namespace);
      checkName(placed, info.name);
      return placed;
    },
  });
  return resourceResponse(exchange, isCreated ? 201 : 200, object);
}

// An uid names an object that exists (handlers `patcher.applyPatch`).
function checkWithoutUid({ endpoint, info }: ResourceExchange, object: KubernetesObject): void {
  const uid = metadataOf(object).uid ?? '';
  if (uid === '') return;
  const text = `uid mismatch: the provided object specified uid ${uid}, and no existing object was found`;
  throw conflict(endpoint.name, info.name, text);
}

/** A patch that has been read. */
export interface ReadPatch {
  readonly type: string;
  readonly options: WriteOptions;
  readonly change: Change;
}

/** Takes in a patch; applying it waits for the object. */
export async function readPatch(exchange: ResourceExchange): Promise<ReadPatch> {
  const { request } = exchange;
  const type = checkPatchType(exchange);
  const options = readWriteOptions(request.query, 'PatchOptions', type);
  const bytes = await takeBody(request);
  const text = decodeUtf8Leniently(bytes);
  return { type, options, change: changeOf(exchange, { type, bytes, text, options }) };
}

interface Patch {
  readonly type: string;
  readonly bytes: Uint8Array;
  /** The text of the body, with U+FFFD for bytes that are not UTF-8. */
  readonly text: string;
  readonly options: WriteOptions;
}

type Change = (existing: KubernetesObject | undefined) => KubernetesObject;

function changeOf(exchange: ResourceExchange, patch: Patch): Change {
  if (patch.type === applyPatch) return applyChange(exchange, patch);
  if (patch.type === jsonPatch) return jsonChange(exchange, patch);
  const isStrategic = patch.type === strategicPatch;
  const { value, findings } = readJsonPatch(patch.text, isStrategic);
  return (existing = {}) => {
    const patched = isStrategic
      ? strategic(exchange, existing, value)
      : applyMergePatch(existing, value);
    return decodePatched(exchange, patched, {
      options: patch.options,
      findings,
      shown: isStrategic ? () => goMapText(value) : undefined,
    });
  };
}

function readJsonPatch(
  text: string,
  isStrategic: boolean,
): { readonly value: KubernetesObject; readonly findings: readonly string[] } {
  const { value, duplicates } = scanPatch(text);
  if (value === null) throw badRequest('Invalid JSON Patch');
  if (!isPlainObject(value)) {
    const why = unmarshalProblem(value, 'map[string]interface {}');
    throw badRequest(isStrategic ? why : `error decoding patch: ${why}`);
  }
  return { value, findings: duplicates.map(duplicateText) };
}

function strategic(
  exchange: ResourceExchange,
  existing: KubernetesObject,
  patch: KubernetesObject,
): unknown {
  const { schemas } = exchange.machinery.cluster;
  const struct = structOf(schemas, bodyKind(exchange));
  if (struct === undefined) throw unsupportedByRouter();
  return applyStrategicMerge(schemas, struct, { original: existing, patch });
}

function jsonChange(exchange: ResourceExchange, { text, options }: Patch): Change {
  const { operations, findings } = readOperations(text);
  return (existing = {}) => {
    if (
      operations.some(
        (operation) => !isPlainObject(operation) || typeof operation['path'] !== 'string',
      )
    ) {
      throw unprocessable();
    }
    const result = applyJsonPatch(existing as Json, operations as readonly PatchOperation[]);
    if (result.outcome !== 'patched' || result.document === null) throw unprocessable();
    return decodePatched(exchange, result.document, { options, findings, shown: undefined });
  };
}

interface PatchFindings {
  readonly options: WriteOptions;
  readonly findings: readonly string[];
  /** The object that a rejection's message shows (default: the patched object). */
  readonly shown: (() => string) | undefined;
}

// The patched object as the server holds it, or its 422 (handlers.patcher `applyPatchToObject`).
function decodePatched(
  exchange: ResourceExchange,
  patched: unknown,
  { options, findings, shown }: PatchFindings,
): KubernetesObject {
  const { machinery } = exchange;
  const kind = bodyKind(exchange);
  const { fieldValidation } = options;
  const given = isPlainObject(patched) ? patched : {};
  const apiVersion = given['apiVersion'] ?? formatGroupVersion(kind);
  const named = { ...given, apiVersion, kind: given['kind'] ?? kind.kind };
  const mode = fieldValidation === 'Ignore' ? 'Ignore' : 'Warn';
  const own = { ...groupVersionOf(String(apiVersion)), kind: String(named.kind) };
  const decoded = decodeManifest(machinery.cluster.schemas, named, {
    fieldValidation: mode,
    now: timeNow(machinery.options.clock),
    kind: exchange.endpoint.isCustom ? kind : own,
  });
  const refuse = (why: string): Error => {
    const value = shown?.() ?? formatJson(patched);
    const body = `Invalid value: ${quote(value)}: ${why}`;
    return invalidObject({ group: '', name: '' }, '', [
      { type: 'FieldValueInvalid', field: 'patch', body },
    ]);
  };
  if (exchange.endpoint.isCustom && given['kind'] === undefined) {
    throw refuse(`Object 'Kind' is missing in '${formatJson(patched)}'`);
  }
  if (decoded.object === undefined || decoded.error !== undefined) {
    const { schemas } = machinery.cluster;
    const struct = shown === undefined ? undefined : structOf(schemas, kind);
    const own = struct && unstructuredProblem(schemas, struct, patched);
    throw refuse(own ?? decoded.error ?? '');
  }
  const problem = exchange.endpoint.isCustom
    ? undefined
    : otherKindProblem(own, kind, machinery.cluster.schemas);
  if (problem !== undefined) throw refuse(problem);
  const all = [...findings, ...(decoded.warnings ?? [])];
  if (fieldValidation === 'Strict' && all.length > 0) {
    throw refuse(`strict decoding error: ${all.join(', ')}`);
  }
  if (fieldValidation === 'Warn') exchange.warnings.push(...all);
  return withResetRecord(plainObject(decoded.object as KubernetesObject), patched);
}

function applyChange(exchange: ResourceExchange, patch: Patch): Change {
  const { machinery, endpoint } = exchange;
  const { options } = patch;
  const configuration = readConfiguration(exchange, patch);
  const { schemas } = machinery.cluster;
  const kind = bodyKind(exchange);
  const own = String(configuration['kind'] ?? '');
  const given = String(configuration['apiVersion'] ?? '');
  if (own !== kind.kind || given !== formatGroupVersion(kind)) {
    const slash = given.includes('/') ? given : `/${given}`;
    throw badRequest(`invalid object type: ${slash}, Kind=${own}`);
  }
  const now = timeNow(machinery.options.clock);
  return (existing) => {
    const applied = applyFields({
      endpoint,
      schemas,
      manager: options.fieldManager,
      now,
      live: existing ?? {},
      configuration,
      isForced: options.force ?? false,
    });
    if (existing !== undefined && applied === existing) return existing;
    const { managedFields } = metadataOf(applied);
    // Nulls stay, so that they are found invalid (handlers.applyPatcher).
    if (endpoint.isCustom && kind.kind === endpoint.kind.kind) {
      return withCustomDefaults(schemas, kind, applied) as KubernetesObject;
    }
    const { object, error } = decodeManifest(schemas, applied, { kind, now });
    if (object === undefined) throw badRequest(error ?? '');
    return withMetadata(plainObject(object as KubernetesObject), { managedFields });
  };
}

function readConfiguration(
  exchange: ResourceExchange,
  { bytes, text, options: { fieldValidation } }: Patch,
): KubernetesObject {
  const read = readYaml(bytes, { numbers: kubernetesNumbers });
  if ('error' in read) {
    const isFlow = text.trimStart().startsWith('{');
    const doing = isFlow ? 'decoding patch: error converting YAML to JSON' : 'encoding patch';
    throw badRequest(`error ${doing}: ${read.error}`);
  }
  if (fieldValidation === 'Strict' && read.findings.length > 0) {
    const why = `error converting YAML to JSON: ${yamlFindingsText(read.findings)}`;
    throw badRequest(`error strict decoding patch: ${why}`);
  }
  if (fieldValidation === 'Warn') exchange.warnings.push(...read.findings);
  const value = read.value ?? {};
  if (!isPlainObject(value)) {
    const why = unmarshalProblem(value, 'map[string]interface {}');
    throw badRequest(`error decoding patch: error unmarshaling JSON: while decoding JSON: ${why}`);
  }
  return value;
}
