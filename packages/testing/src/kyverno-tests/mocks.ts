import type { Value } from '@kubeadmit/cel';
import { isRecord } from '@kubeadmit/manifest';
import {
  eachOf,
  type Fields,
  listOf,
  pathsOf,
  readFields,
  ShapeProblem,
  textOf,
  textsOf,
  within,
} from './fields.ts';

/** The answer that a test gives in the place of an API server or service. */
export interface ApiCallResponse {
  /** An absolute URL, or the path of a request to the API server. */
  readonly url: string;
  /** The method in upper case; empty for any. */
  readonly method: string;
  readonly statusCode: number;
  readonly body: Value;
}

/** The data that a test gives in the place of a GlobalContextEntry. */
export interface GlobalContextEntry {
  readonly name: string;
  readonly data: Value | undefined;
  readonly resources: readonly Value[] | undefined;
  /** Paths of files with the resources. */
  readonly resourceFiles: readonly string[];
  readonly fieldPath: string;
  readonly projections: readonly { readonly name: string; readonly path: string }[];
}

/**
 * Reads the answers of a test (the Kyverno CLI's `ValidateAPICallResponses`).
 *
 * @throws ShapeProblem for answers that the CLI refuses
 */
export function readApiCallResponses(fields: Fields): readonly ApiCallResponse[] {
  const name = 'apiCallResponses';
  const responses = eachOf(fields, name, readApiCallResponse);
  requireUnique(
    name,
    responses.map(({ url, method }) => (method === '' ? url : `${method}:${url}`)),
  );
  return responses;
}

/**
 * Reads the data of a test for GlobalContextEntries (the Kyverno CLI's `ValidateGlobalContextEntries`).
 *
 * @throws ShapeProblem for data that the CLI refuses
 */
export function readGlobalContextEntries(fields: Fields): readonly GlobalContextEntry[] {
  const name = 'globalContextEntries';
  const entries = eachOf(fields, name, readGlobalContextEntry);
  requireUnique(
    name,
    entries.map((entry) => entry.name.trim()),
  );
  return entries;
}

function requireUnique(field: string, keys: readonly string[]): void {
  for (const [index, key] of keys.entries()) {
    if (keys.indexOf(key) === index) continue;
    throw new ShapeProblem(`${field}: duplicate entry for "${key}"`, [field, index]);
  }
}

function readApiCallResponse(entry: Value, index: number): ApiCallResponse {
  const path = `apiCallResponses[${index}]`;
  const fields = readFields(entry, path, 'tests.APICallResponseEntry');
  const response = within(['response'], () =>
    readFields(fields.get('response') ?? {}, `${path}.response`, 'tests.APICallResponse'),
  );
  const url = textOf(fields, 'url').trim();
  const urlPath = textOf(fields, 'urlPath').trim();
  const method = textOf(fields, 'method').trim().toUpperCase();
  const status = response.get('statusCode');
  const statusCode = typeof status === 'number' ? status : 0;
  const body = response.get('body');
  const problem =
    urlProblem(url, urlPath) ??
    (['', 'GET', 'POST'].includes(method) ? undefined : 'method must be GET or POST') ??
    (isRecord(body) ? undefined : 'response.body must be a JSON object') ??
    (statusCode === 0 || (statusCode >= 100 && statusCode <= 599)
      ? undefined
      : `statusCode ${statusCode} must be between 100 and 599`);
  if (problem !== undefined || !isRecord(body)) throw new ShapeProblem(`${path}: ${problem}`);
  return { url: url || urlPath, method, statusCode: statusCode || 200, body };
}

function urlProblem(url: string, urlPath: string): string | undefined {
  if (url === '' && urlPath === '') return 'either url or urlPath is required';
  if (url !== '' && urlPath !== '') return 'url and urlPath are mutually exclusive';
  if (url !== '' && !/^https?:\/\/[^/:?#]/i.test(url)) {
    return `url "${url}" must be an absolute https/http URL`;
  }
  return urlPath === '' || urlPath.startsWith('/')
    ? undefined
    : `urlPath "${urlPath}" must be an absolute path starting with '/'`;
}

function readGlobalContextEntry(entry: Value, index: number): GlobalContextEntry {
  const path = `globalContextEntries[${index}]`;
  const fields = readFields(entry, path, 'tests.GlobalContextEntryValue');
  const name = textOf(fields, 'name');
  if (name.trim() === '') throw new ShapeProblem('globalContextEntries: name is required');
  const title = `globalContextEntries entry "${name}"`;
  requireOneSource(fields, title);
  const data = fields.get('data') ?? undefined;
  if (data !== undefined && !isRecord(data)) {
    throw new ShapeProblem(`${title}: data must be a JSON object`, ['data']);
  }
  return {
    name,
    data,
    resources: readResources(fields, title),
    resourceFiles: readResourceFiles(fields, title),
    fieldPath: textOf(fields, 'fieldPath'),
    projections: eachOf(fields, 'projections', (projection, at) =>
      readProjection(projection, `${path}.projections[${at}]`, title),
    ),
  };
}

function requireOneSource(fields: Fields, title: string): void {
  const { length } = ['data', 'resources', 'resourceFiles'].filter((name) => isGiven(fields, name));
  if (length === 1) return;
  throw new ShapeProblem(
    length === 0
      ? `${title}: one of data, resources, or resourceFiles is required`
      : `${title}: data, resources, and resourceFiles are mutually exclusive`,
  );
}

function isGiven(fields: Fields, name: string): boolean {
  return (fields.get(name) ?? null) !== null;
}

function readResources(fields: Fields, title: string): GlobalContextEntry['resources'] {
  if (!isGiven(fields, 'resources')) return undefined;
  const resources = listOf(fields, 'resources');
  for (const [index, resource] of resources.entries()) {
    if (isRecord(resource)) continue;
    const problem = 'must be a JSON object (Kubernetes resource manifest)';
    throw new ShapeProblem(`${title} resources[${index}]: ${problem}`, ['resources', index]);
  }
  return resources;
}

function readResourceFiles(fields: Fields, title: string): readonly string[] {
  const field = 'resourceFiles';
  const files = pathsOf(fields, field);
  for (const [index, file] of files.entries()) {
    const problem = fileProblem(file.trim());
    if (problem === undefined) continue;
    throw new ShapeProblem(`${title} ${field}[${index}]: file path ${problem}`, [field, index]);
  }
  return files;
}

function readProjection(
  projection: Value,
  path: string,
  title: string,
): GlobalContextEntry['projections'][number] {
  const fields = readFields(projection, path, 'tests.GlobalContextProjection');
  const texts = textsOf(fields, 'name', 'path');
  if (texts.name.trim() === '') throw new ShapeProblem(`${title}: projection name is required`);
  if (texts.path.trim() !== '') return texts;
  throw new ShapeProblem(`${title} projection "${texts.name}": path is required`);
}

/** Returns why the Kyverno CLI does not read a file of resources; files are in the folder of the test. */
function fileProblem(file: string): string | undefined {
  if (file === '') return 'must not be empty';
  if (file.startsWith('/')) return 'must not be absolute';
  let depth = 0;
  for (const step of file.split('/')) {
    if (step === '..') depth--;
    else if (step !== '.' && step !== '') depth++;
    if (depth < 0) return 'must not escape the test directory';
  }
  return undefined;
}
