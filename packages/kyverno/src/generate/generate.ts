import { isObject, type JsonObject, memberObject } from '@kubeadmit/apimachinery';
import { formatType } from '@kubeadmit/go';
import type { Conditions } from '../conditions/compile.ts';
import { evaluateConditions } from '../conditions/evaluate.ts';
import { loadEntries } from '../context/entries.ts';
import { loopElements } from '../context/loop-elements.ts';
import { withDoubles } from '../context/numbers.ts';
import { objectField, stringField, textsField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import { elementsOf } from '../jmespath/steps/list.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { Rule } from '../rule/rule.ts';
import { matchPattern } from '../validate/pattern.ts';
import { substitute } from '../variables/substitute.ts';
import { asSource, type Generator, withOrigin, withSource } from './labels.ts';
import { NotFound, type ObjectReference, type ObjectStore, referenceOf } from './object-store.ts';
import type { Generation, GenerationLoop } from './rule.ts';

/** A rule that generates objects because of a trigger, and the objects of the cluster. */
export interface GenerationTask {
  readonly state: PolicyRequest;
  readonly rule: Rule;
  readonly generation: Generation;
  readonly generator: Generator;
  /** The object that the rule was matched with. */
  readonly trigger: JsonObject;
  readonly store: ObjectStore;
}

/** An object to be written, or the reason why there is none. */
type Draft =
  | {
      readonly action: 'create' | 'update';
      readonly target: ObjectReference;
      readonly object: JsonObject;
    }
  | { readonly action: 'skip'; readonly problem?: Failure };

/** Generates the objects of a rule; returns the identities of those that it created (Kyverno's `ApplyGeneratePolicy`). */
export function generateObjects(task: GenerationTask): readonly ObjectReference[] | Failure {
  const made = generateByRule(task);
  // Kyverno takes an object that is gone for one that need not be generated.
  return made.problem instanceof NotFound ? [] : (made.problem ?? made.created);
}

/** Says that an object to be cloned does not exist. */
export class MissingSource extends Failure {}

/** The objects that a rule generates, and the first problem. */
export interface Made {
  readonly created: readonly ObjectReference[];
  /** The objects that have to exist, whether they are created or already exist. */
  readonly wanted: readonly JsonObject[];
  readonly problem?: Failure | undefined;
}

/** Generates the objects of a rule until the first problem; a rule with `foreach` continues after one. */
export function generateByRule(task: GenerationTask): Made {
  const { state, rule, generation } = task;
  const problem = loadEntries(state.context, rule.context, state.sources, state.policyNamespace);
  if (problem !== undefined) {
    return failed(`failed to load rule level context: ${problem.message}`);
  }
  const { loops, pattern } = generation;
  return loops === undefined
    ? generate(task, rule.context, rule.preconditions, pattern)
    : generateLoops(task, loops);
}

function failed(text: string): Made {
  return { created: [], wanted: [], problem: new Failure(text) };
}

function generateLoops(task: GenerationTask, loops: readonly GenerationLoop[]): Made {
  const created: ObjectReference[] = [];
  const wanted: JsonObject[] = [];
  const problems: string[] = [];
  let lacksOnlySources = true;
  const { context } = task.state;
  for (const [at, loop] of loops.entries()) {
    const result = context.query(loop.list);
    if (result instanceof Failure) {
      problems.push(`failed to evaluate ${at} foreach list: ${result.message}`);
      lacksOnlySources = false;
      continue;
    }
    const failed: string[] = [];
    const elements = elementsOf(result) ?? [result];
    for (const [index, element] of loopElements(context, elements, 0, false)) {
      context.trace?.open();
      const made = generate(task, loop.context, loop.conditions, loop.pattern);
      context.trace?.close({ kind: 'element', index, element });
      created.push(...made.created);
      wanted.push(...made.wanted);
      if (made.problem === undefined) continue;
      lacksOnlySources &&= made.problem instanceof MissingSource;
      failed.push(`failed to process ${index} element: ${made.problem.message}`);
    }
    if (failed.length === 0) continue;
    problems.push(
      `failed to process ${at} foreach in rule ${task.rule.name}: ${failed.join('; ')}`,
    );
  }
  if (problems.length === 0) return { created, wanted };
  const text = problems.join('; ');
  return {
    created,
    wanted,
    problem: lacksOnlySources ? new MissingSource(text) : new Failure(text),
  };
}

/** Generates the objects of one pattern (Kyverno's `generator.generate`). */
function generate(
  task: GenerationTask,
  entries: readonly JsonObject[],
  conditions: Conditions | Failure | undefined,
  pattern: JsonObject,
): Made {
  const { context, sources, policyNamespace } = task.state;
  const problem = loadEntries(context, entries, sources, policyNamespace);
  if (problem !== undefined) return failed(`failed to load context: ${problem.message}`);
  if (conditions !== undefined) {
    const met = evaluateConditions(context, conditions);
    if (met instanceof Failure) return failed(`failed to evaluate preconditions: ${met.message}`);
    if (!met.result) return { created: [], wanted: [] };
  }
  const filled = substitute(context, pattern);
  if (filled instanceof Failure) return { created: [], wanted: [], problem: filled };
  const read = readTarget(withDoubles(filled) as JsonObject);
  if (read instanceof Failure) return { created: [], wanted: [], problem: read };
  return write(task, draftsOf(task, read.target, read.pattern));
}

/** Reads the target of a pattern after its variables were replaced; Go's type needs strings. */
function readTarget(
  pattern: JsonObject,
): { readonly target: ObjectReference; readonly pattern: JsonObject } | Failure {
  for (const name of ['apiVersion', 'kind', 'namespace', 'name']) {
    const value = pattern[name];
    if (value === undefined || value === null || typeof value === 'string') continue;
    const type = Array.isArray(value) ? 'array' : isObject(value) ? 'object' : formatType(value);
    const shown = type === 'float64' ? 'number' : type;
    return new Failure(
      `json: cannot unmarshal ${shown} into Go struct field GeneratePattern.${name} of type string`,
    );
  }
  const target = {
    apiVersion: stringField(pattern, 'apiVersion'),
    kind: stringField(pattern, 'kind'),
    namespace: stringField(pattern, 'namespace'),
    name: stringField(pattern, 'name'),
  };
  return { target, pattern };
}

function draftsOf(
  task: GenerationTask,
  target: ObjectReference,
  pattern: JsonObject,
): readonly Draft[] {
  const clone = objectField(pattern, 'clone') ?? {};
  const cloneList = objectField(pattern, 'cloneList') ?? {};
  if (stringField(clone, 'name') !== '') {
    const source = {
      ...target,
      namespace: stringField(clone, 'namespace'),
      name: stringField(clone, 'name'),
    };
    return [draftClone(task, target, source)];
  }
  if (textsField(cloneList, 'kinds').length > 0) return draftClones(task, target, cloneList);
  return [draftData(task, target, pattern['data'] ?? null)];
}

/** An object with given content (Kyverno's `manageData`). */
function draftData(
  { store, generation }: GenerationTask,
  target: ObjectReference,
  data: unknown,
): Draft {
  if (data !== null && !isObject(data)) {
    const type = Array.isArray(data) ? 'array' : typeof data === 'boolean' ? 'bool' : typeof data;
    const text = `json: cannot unmarshal ${type} into Go value of type map[string]interface {}`;
    return { action: 'skip', problem: new Failure(text) };
  }
  const found = store.get(target);
  if (found instanceof NotFound) return { action: 'create', target, object: data ?? {} };
  if (!generation.isSynchronized) return { action: 'skip' };
  const object = withMetadata(data ?? {}, { resourceVersion: memberOf(found, 'resourceVersion') });
  return { action: 'update', target, object };
}

/** The clones of all objects that are selected (Kyverno's `manageCloneList`). */
function draftClones(
  task: GenerationTask,
  { namespace }: ObjectReference,
  cloneList: JsonObject,
): readonly Draft[] {
  const from = stringField(cloneList, 'namespace');
  return textsField(cloneList, 'kinds').flatMap((kind): readonly Draft[] => {
    const sources = task.store.list(kind, from, objectField(cloneList, 'selector'));
    if (sources instanceof Failure) {
      const text = `failed to list source resource for cloneList ${kind}. ${sources.message}`;
      return [{ action: 'skip', problem: new Failure(text) }];
    }
    return sources.map((object) => {
      const source = referenceOf(object);
      if (source.namespace === namespace) return { action: 'skip' };
      return draftClone(task, { ...source, namespace }, source);
    });
  });
}

/** A clone of an existing object (Kyverno's `manageClone`). */
function draftClone(
  { store }: GenerationTask,
  target: ObjectReference,
  source: ObjectReference,
): Draft {
  if (source.namespace === target.namespace && source.name === target.name) {
    return { action: 'skip' };
  }
  const found = store.get(source);
  if (found instanceof NotFound) {
    const identity = [target.apiVersion, target.kind, target.namespace, target.name].join('/');
    const text = `source resource ${identity} not found: ${found.message}`;
    return { action: 'skip', problem: new MissingSource(text) };
  }
  const marked = asSource(found);
  store.update(source, marked);
  const isElsewhere = referenceOf(marked).namespace !== target.namespace;
  const clone = withMetadata(withSource(marked, marked), {
    ...(isElsewhere && { ownerReferences: undefined }),
    ...ofServer({}),
  });
  const existing = store.get(target);
  if (existing instanceof NotFound) return { action: 'create', target, object: clone };
  const object = withMetadata(clone, ofServer(memberObject(existing, 'metadata')));
  return { action: 'update', target, object };
}

/** The metadata that a server gives to an object, so that a clone does not take them from its source. */
function ofServer(metadata: JsonObject): JsonObject {
  const names = ['uid', 'selfLink', 'creationTimestamp', 'managedFields', 'resourceVersion'];
  return Object.fromEntries(names.map((name) => [name, metadata[name]]));
}

/** Writes objects to the store; those that are created count. */
function write(task: GenerationTask, drafts: readonly Draft[]): Made {
  const created: ObjectReference[] = [];
  const wanted: JsonObject[] = [];
  for (const draft of drafts) {
    if (draft.action === 'skip') {
      if (draft.problem !== undefined) return { created, wanted, problem: draft.problem };
      continue;
    }
    const { target } = draft;
    const object = finished(task, draft.object, target);
    wanted.push(object);
    if (draft.action === 'create') {
      const problem = task.store.create(
        target,
        withMetadata(object, { resourceVersion: undefined }),
      );
      if (problem !== undefined) return { created, wanted, problem };
      created.push(target);
      continue;
    }
    const problem = update(task, target, object);
    if (problem !== undefined) return { created, wanted, problem };
  }
  return { created, wanted };
}

/** An object under the name of the target, with the labels of its origin. */
function finished(
  { generator, trigger }: GenerationTask,
  content: JsonObject,
  { apiVersion, kind, namespace, name }: ObjectReference,
): JsonObject {
  const named = withMetadata(content, {
    name: name === '' ? undefined : name,
    namespace: namespace === '' ? undefined : namespace,
  });
  const own = stringField(content, 'kind') === '' ? { ...named, kind } : named;
  return withOrigin({ ...own, apiVersion }, generator, trigger);
}

function update(
  { store, generation }: GenerationTask,
  target: ObjectReference,
  object: JsonObject,
): Failure | undefined {
  const existing = store.get(target);
  if (existing instanceof NotFound) return store.create(target, object);
  if (!generation.isSynchronized) return undefined;
  const apiVersion = target.apiVersion || stringField(existing, 'apiVersion');
  const effective = { ...target, apiVersion };
  const isDefaulted = target.namespace === '' && store.isNamespaced(effective);
  const namespace = isDefaulted ? 'default' : target.namespace;
  const written = withMetadata(
    { ...object, apiVersion },
    { namespace: namespace === '' ? undefined : namespace },
  );
  const isSame =
    matchPattern(written, existing) === undefined && matchPattern(existing, written) === undefined;
  return isSame ? undefined : store.update({ ...effective, namespace }, written);
}

function memberOf(object: JsonObject, name: string): unknown {
  return memberObject(object, 'metadata')[name];
}

/** An object with members of its metadata set, or removed where they are undefined. */
function withMetadata(object: JsonObject, members: JsonObject): JsonObject {
  const { metadata = {} } = object;
  if (!isObject(metadata)) return object;
  const changed = { ...metadata };
  for (const [name, value] of Object.entries(members)) {
    if (value === undefined) delete changed[name];
    else changed[name] = value;
  }
  return { ...object, metadata: changed };
}
