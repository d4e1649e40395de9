import { isObject, type JsonObject } from '@kubeadmit/apimachinery';
import { formatComposite, formatType, formatValue, quote } from '@kubeadmit/go';
import { field, objectField, stringField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { toJson } from '../jmespath/steps/to-json.ts';
import { foundOf } from '../trace/rule-trace.ts';
import { substitute } from '../variables/substitute.ts';
import type { EntryLoader } from './deferred-entries.ts';
import type { JsonContext } from './json-context.ts';
import { splitDottedName } from './merge.ts';
import { foreignPathProblem } from './namespaced-path.ts';
import { withDoubles } from './numbers.ts';
import type { ContextSources, SourceAnswer } from './sources.ts';

/** Marks a missing value: a variable of the same name keeps its value. */
const unavailable = Symbol('unavailable');

/** An entry that is loaded, and where. */
interface LoadingEntry {
  readonly context: JsonContext;
  readonly name: string;
  /** The definition under the name of the entry's kind. */
  readonly source: JsonObject;
  readonly sources: ContextSources;
  readonly policyNamespace: string;
}

/** How entries get their values, by their sorts in the order in which they are looked for. */
const loads = {
  configMap: loadConfigMap,
  apiCall: loadApiCall,
  globalReference: loadGlobalReference,
  imageRegistry: (entry: LoadingEntry) =>
    loadNamed(entry, 'reference', entry.sources.imageRegistry),
  variable: loadVariable,
};

const sorts = Object.keys(loads) as (keyof typeof loads)[];

/**
 * Registers the context entries of a rule or a loop; a `Failure` for one that cannot be registered.
 *
 * Entries whose source is not given are left out, so that their names stay unknown keys.
 */
export function loadEntries(
  context: JsonContext,
  entries: readonly JsonObject[],
  sources: ContextSources,
  policyNamespace: string,
): Failure | undefined {
  if (sources.values !== undefined) {
    for (const [name, value] of sources.values) context.add(splitDottedName(name), value);
  }
  for (const entry of entries) {
    const name = stringField(entry, 'name');
    if (sources.isGiven?.(name) === true) continue;
    const loader = makeLoader(context, entry, name, sources, policyNamespace);
    if (loader === 'unavailable') continue;
    if (loader === undefined || !context.defer(name, loader)) {
      return new Failure(`failed to create deferred loader for context entry ${name}`);
    }
  }
  return undefined;
}

function makeLoader(
  context: JsonContext,
  entry: JsonObject,
  name: string,
  sources: ContextSources,
  policyNamespace: string,
): EntryLoader | 'unavailable' | undefined {
  for (const sort of sorts) {
    const source = objectField(entry, sort);
    if (source === undefined) continue;
    if (sort !== 'variable' && sources[sort] === undefined) return 'unavailable';
    const how = sort === 'variable' ? 'replace' : 'add';
    const loading = { context, name, source, sources, policyNamespace };
    return loaderOf(context, entry, how, () => loads[sort](loading));
  }
  return undefined;
}

function loaderOf(
  context: JsonContext,
  source: JsonObject,
  how: 'add' | 'replace',
  evaluate: () => unknown,
): EntryLoader {
  const name = stringField(source, 'name');
  let isLoaded = false;
  const load = (): unknown => {
    const value = evaluate();
    if (value instanceof Failure) return value;
    isLoaded = true;
    if (value === unavailable) return undefined;
    const text = toJson(value);
    if (text instanceof Failure) return text;
    const problem = context.countSize(text.length);
    if (problem !== undefined) return problem;
    const shown = withDoubles(JSON.parse(text));
    context[how]([name], shown);
    return shown;
  };
  return {
    isLoaded: () => isLoaded,
    load: () => {
      const { trace } = context;
      trace?.open();
      const value = load();
      trace?.close({ kind: 'entry', name, source, ...foundOf(value) });
      return value instanceof Failure ? value : undefined;
    },
  };
}

function loadVariable({ context, name, source: variable }: LoadingEntry): unknown {
  const substituted = (source: unknown): unknown => {
    const result = substitute(context, withDoubles(source));
    if (!(result instanceof Failure)) return result;
    return new Failure(
      `failed to substitute variables in context entry ${name} ${textOf(source)}: ${result.message}`,
    );
  };
  const jmesPath = stringField(variable, 'jmesPath');
  const path = jmesPath === '' ? '' : substituted(jmesPath);
  if (path instanceof Failure) return path;
  if (typeof path !== 'string') {
    return new Failure(`jmespath value must be a string ${name} ${jmesPath}: <nil>`);
  }
  const given = field(variable, 'default');
  const fallback = given === undefined ? null : substituted(given);
  if (fallback instanceof Failure) return fallback;
  const value = field(variable, 'value');
  const output =
    value === undefined
      ? queriedValue(context, path, fallback)
      : givenValue(context, path, substituted(value), fallback);
  if (output !== null) return output;
  return new Failure(`failed to add context entry for variable ${name} since it evaluated to nil`);
}

function givenValue(
  context: JsonContext,
  path: string,
  value: unknown,
  fallback: unknown,
): unknown {
  if (value instanceof Failure || path === '') return value;
  return orFallback(path, context.search(path, value), fallback);
}

function queriedValue(context: JsonContext, path: string, fallback: unknown): unknown {
  return path === '' ? fallback : (orFallback(path, context.query(path), fallback) ?? fallback);
}

function orFallback(path: string, result: unknown, fallback: unknown): unknown {
  if (!(result instanceof Failure)) return result;
  if (fallback !== null) return fallback;
  return new Failure(`failed to apply jmespath ${path} to variable <nil>: ${result.message}`);
}

/** Formats a JSON value other than null as Go's `%s` does. */
function textOf(value: unknown): string {
  return formatComposite(value, (scalar) =>
    scalar === null || typeof scalar === 'string'
      ? formatValue(scalar)
      : `%!s(${formatType(scalar)}=${formatValue(scalar)})`,
  );
}

function loadConfigMap(loading: LoadingEntry): unknown {
  const { context, name: entry, source, sources, policyNamespace } = loading;
  const problem = (text: string): Failure =>
    new Failure(`failed to retrieve config map for context entry ${entry}: ${text}`);
  const texts: string[] = [];
  for (const part of ['name', 'namespace']) {
    const written = stringField(source, part);
    const result = substitute(context, written);
    if (typeof result !== 'string') {
      const reason =
        result instanceof Failure ? result.message : `expected string, got ${formatType(result)}`;
      return problem(
        `failed to substitute variables in context ${entry} configMap.${part} ${written}: ${reason}`,
      );
    }
    texts.push(result);
  }
  const [name = '', written = ''] = texts;
  const namespace = written || policyNamespace || 'default';
  if (policyNamespace !== '' && namespace !== policyNamespace) {
    return problem(
      `context entry ${entry}: configMap namespace ${quote(namespace)} is different from policy namespace ${quote(policyNamespace)}`,
    );
  }
  const found = sources.configMap?.(namespace, name);
  if (found === undefined) {
    return problem(
      `failed to get configmap ${namespace}/${name} : configmaps ${quote(name)} not found`,
    );
  }
  return { data: field(found, 'data') ?? null, metadata: field(found, 'metadata') ?? {} };
}

function loadApiCall(loading: LoadingEntry): unknown {
  const { context, name, source, sources, policyNamespace } = loading;
  const { default: written, ...call } = source;
  const problem = (text: string): Failure =>
    new Failure(`failed to fetch data for APICall: ${text}`);
  const substituted = substitute(context, call);
  if (substituted instanceof Failure) {
    const entry = `${name} ${stringField(source, 'urlPath')}`;
    return problem(
      `failed to substitute variables in context entry ${entry}: ${substituted.message}`,
    );
  }
  if (!isObject(substituted)) return new Failure(`context entry ${name} is not an API call`);
  const foreign = foreignPathProblem(stringField(substituted, 'urlPath'), policyNamespace);
  if (foreign !== undefined) return problem(foreign);
  const answer = sources.apiCall?.(substituted, policyNamespace) ?? 'unavailable';
  if (answer === 'unavailable') return unavailable;
  if ('data' in answer) {
    return projected(loading, stringField(substituted, 'jmesPath'), answer.data);
  }
  if (written !== undefined && written !== null) return written;
  return problem(answer.error);
}

function loadGlobalReference(loading: LoadingEntry): unknown {
  const { name, sources, policyNamespace } = loading;
  if (policyNamespace !== '') {
    return new Failure(
      `context entry ${name}: globalReference is not allowed in namespaced policies`,
    );
  }
  return loadNamed(loading, 'name', sources.globalReference);
}

/** Loads an entry from a source whose name is a string member. */
function loadNamed(
  loading: LoadingEntry,
  member: string,
  ask: ((text: string) => SourceAnswer) | undefined,
): unknown {
  const { context, source } = loading;
  if (ask === undefined) return unavailable;
  const reference = substitute(context, stringField(source, member));
  if (reference instanceof Failure) return reference;
  const answer = ask(String(reference));
  if ('error' in answer) return new Failure(answer.error);
  return projected(loading, stringField(source, 'jmesPath'), answer.data);
}

function projected({ context, name }: LoadingEntry, jmesPath: string, data: unknown): unknown {
  if (jmesPath === '') return data;
  const path = substitute(context, jmesPath);
  if (path instanceof Failure) {
    return new Failure(
      `failed to substitute variables in context entry ${name} JMESPath ${jmesPath}: ${path.message}`,
    );
  }
  const result = context.search(String(path), data);
  if (!(result instanceof Failure)) return result;
  return new Failure(
    `failed to apply JMESPath ${path} for context entry ${name}: ${result.message}`,
  );
}
