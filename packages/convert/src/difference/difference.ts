import { isObject, type JsonObject, type KubernetesObject } from '@kubeadmit/apimachinery';
import { type Chain, loadChain, type Passage } from '@kubeadmit/check';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { listResources, type Resource, type Schemas } from '@kubeadmit/schemas';
import { coverKinds, textsOf } from '../match/filter.ts';
import { branchProbe } from './branches.ts';
import { noteExpressionPlaces } from './expression-places.ts';
import { Grower } from './grow.ts';
import { Guide, type Unreached } from './guide.ts';
import { differ, type Judgement, judge, judgementOf, type Likeness } from './judge.ts';
import { Places } from './places.ts';
import { isPlausible } from './plausible.ts';
import { Random } from './random.ts';
import { noteRulePlaces } from './rule-places.ts';
import { shrink } from './shrink.ts';

/** Two sets of policies, and the requests by which they are compared. */
export interface DifferenceOptions {
  /** Policies, bindings and what they need; Kyverno's too. */
  readonly old: readonly KubernetesObject[];
  readonly new: readonly KubernetesObject[];
  readonly schemas: Schemas;
  /** Objects that are asked about as they are, and from which others are grown. */
  readonly resources?: readonly KubernetesObject[];
  /** How many requests are made by search; none unless said otherwise. */
  readonly search?: number;
  readonly seed?: number;
  /** How far the answers have to be the same; all of them unless said otherwise. */
  readonly likeness?: Likeness;
  /** Differences beyond this many are only counted as such; 20 unless said otherwise. */
  readonly most?: number;
  /** Gives the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/** A request of which two sets of policies say something else, as small as it goes. */
export interface Difference {
  readonly request: AdmissionRequest;
  readonly old: Judgement;
  readonly new: Judgement;
  /** Why they differ, where that is known. */
  readonly reason?: string;
}

/** What a comparison found. */
export interface Differences {
  readonly requests: number;
  /** How many policies of each side denied, audited or changed something, of how many there are. */
  readonly covered: {
    readonly old: number;
    readonly new: number;
    readonly of: { readonly old: number; readonly new: number };
  };
  readonly differences: readonly Difference[];
  /** Conditions in expressions that were never true, or never false. */
  readonly unreached: readonly Unreached[];
  /** What kube-apiserver would not take of either side; nothing has been compared then. */
  readonly refused: readonly {
    readonly side: 'old' | 'new';
    readonly resource: string;
    readonly message: string;
  }[];
  /** Whether there are more than those. */
  readonly more: boolean;
}

/** Finds requests of which two sets of policies do not say the same. */
export async function findDifferences(options: DifferenceOptions): Promise<Differences> {
  const { schemas, clock, likeness = 'texts', most = 20, search = 0 } = options;
  const [before, after] = await Promise.all(
    [options.old, options.new].map((resources) => loadChain({ resources, schemas, clock })),
  );
  if (before === undefined || after === undefined) throw new Error('two chains');
  const refused = [...refusalsOf('old', before), ...refusalsOf('new', after)];
  const comparison = new Comparison(before, after, likeness);
  const resources = refused.length > 0 ? [] : (options.resources ?? []);
  for (const object of resources) {
    const resource = resourceOf(object, schemas);
    if (resource !== undefined) comparison.ask(requestFor(resource, object, 'CREATE'));
  }
  const targets = targetsOf([...options.old, ...options.new], schemas);
  const places = placesOf([...options.old, ...options.new]);
  const random = new Random(options.seed ?? 1);
  const probe = branchProbe([...options.old, ...options.new]);
  const guide = new Guide(probe, await loadChain({ resources: probe.objects, schemas, clock }));
  const grower = new Grower(schemas, random, places);
  for (let made = 0; made < search && targets.length > 0 && refused.length === 0; made++) {
    if (comparison.found.length >= most) break;
    const request = nextRequest({ random, targets, resources, grower, guide });
    if (comparison.ask(request)) guide.learn(request, comparison.last);
  }
  return {
    requests: comparison.requests,
    covered: {
      old: comparison.reached.old.size,
      new: comparison.reached.new.size,
      of: { old: policyCount(options.old), new: policyCount(options.new) },
    },
    unreached: search === 0 ? [] : guide.unreached(),
    differences: comparison.found.slice(0, most),
    refused,
    more: comparison.found.length >= most,
  };
}

function refusalsOf(side: 'old' | 'new', { cluster }: Chain): Differences['refused'] {
  return cluster.errors.map(({ resource, message }) => ({ side, resource, message }));
}

class Comparison {
  requests = 0;
  readonly reached: Readonly<Record<'old' | 'new', Set<string>>> = {
    old: new Set(),
    new: new Set(),
  };
  readonly found: Difference[] = [];
  private readonly seen: Set<string> = new Set();
  private readonly before: Chain;
  private readonly after: Chain;
  private readonly likeness: Likeness;

  constructor(before: Chain, after: Chain, likeness: Likeness) {
    this.before = before;
    this.after = after;
    this.likeness = likeness;
  }

  /** What both sides said of the last request, in a word. */
  last = '';

  /** Asks both sides about a request; whether it could be asked. */
  ask(request: AdmissionRequest): boolean {
    const { schemas } = this.before.cluster;
    if (isObject(request.object) && !isPlausible(request.object, schemas)) return false;
    const old = judge(this.before, request);
    const now = judge(this.after, request);
    if (old === undefined || now === undefined) return false;
    this.requests++;
    this.last = [old, now]
      .flatMap(({ findings }) => findings.map(({ rule, verdict }) => `${rule} ${verdict}`))
      .join();
    for (const [side, { findings }] of [
      ['old', old],
      ['new', now],
    ] as const) {
      for (const { policy, verdict } of findings) {
        if (!['allow', 'skip'].includes(verdict)) this.reached[side].add(policy);
      }
    }
    if (this.differ(old, now)) this.keep(this.smallest(request));
    return true;
  }

  private differ(old: Passage, now: Passage): boolean {
    const { likeness, before } = this;
    return differ(old, now, { likeness, schemas: before.cluster.schemas });
  }

  private smallest(request: AdmissionRequest): AdmissionRequest {
    const { object } = request;
    if (!isObject(object)) return request;
    const differs = (smaller: JsonObject): boolean => {
      if (!isPlausible(smaller, this.before.cluster.schemas)) return false;
      const asked = { ...request, object: smaller };
      const old = judge(this.before, asked);
      const now = judge(this.after, asked);
      if (old === undefined || now === undefined) return false;
      return this.differ(old, now);
    };
    return { ...request, object: shrink(object, differs) };
  }

  // The same small request is found again and again.
  private keep(request: AdmissionRequest): void {
    const text = JSON.stringify([request.operation, request.object]);
    if (this.seen.has(text)) return;
    this.seen.add(text);
    const [old, now] = [judge(this.before, request), judge(this.after, request)];
    if (old === undefined || now === undefined) return;
    const isError = old.findings.some(({ verdict }) => verdict === 'error');
    this.found.push({
      request,
      old: judgementOf(old),
      new: judgementOf(now),
      ...(isError ? { reason: 'the old side ends in an error' } : {}),
    });
  }
}

interface Asking {
  readonly random: Random;
  readonly targets: readonly Resource[];
  readonly resources: readonly KubernetesObject[];
  readonly grower: Grower;
  readonly guide: Guide;
}

// One that took a new branch, changed a little; or a new one.
function nextRequest({ random, targets, resources, grower, guide }: Asking): AdmissionRequest {
  const known = random.chance(0.6) ? random.pick(guide.requests) : undefined;
  if (known !== undefined && isObject(known.object)) {
    const target = targets.find(({ kind }) => kind === known.kind?.kind);
    if (target !== undefined) return changedRequest(known, target, { random, grower });
  }
  const target = random.pick(targets) as Resource;
  const bases = resources.filter(({ kind }) => kind === target.kind);
  const base = random.chance(0.5) ? random.pick(bases) : undefined;
  const object = grower.grow(target, base);
  const isUpdate = random.chance(0.2);
  const old = isUpdate ? grower.change(target, object) : undefined;
  return grower.asked(requestFor(target, object, isUpdate ? 'UPDATE' : 'CREATE', old));
}

function changedRequest(
  { object, oldObject, operation }: AdmissionRequest,
  target: Resource,
  { random, grower }: Pick<Asking, 'random' | 'grower'>,
): AdmissionRequest {
  const next = grower.change(target, object as JsonObject);
  const isUpdate = operation === 'UPDATE' ? random.chance(0.8) : random.chance(0.1);
  const before = isObject(oldObject) ? oldObject : (object as JsonObject);
  const old = isUpdate ? (random.chance(0.3) ? grower.change(target, before) : before) : undefined;
  return grower.asked(requestFor(target, next, isUpdate ? 'UPDATE' : 'CREATE', old));
}

function requestFor(
  resource: Resource,
  object: JsonObject,
  operation: 'CREATE' | 'UPDATE',
  oldObject?: JsonObject,
): AdmissionRequest {
  const { group, version, kind } = resource;
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const namespace = resource.namespaced ? String(metadata['namespace'] ?? 'default') : '';
  const placed = resource.namespaced ? { ...object, metadata: { ...metadata, namespace } } : object;
  return {
    uid: '0a1b2c3d-0000-4000-8000-000000000000',
    operation,
    kind: { group, version, kind },
    resource: { group, version, resource: resource.resource },
    name: String(metadata['name'] ?? ''),
    namespace,
    userInfo: { username: 'alice', groups: ['system:authenticated'] },
    object: placed,
    ...(oldObject === undefined ? {} : { oldObject }),
  } as AdmissionRequest;
}

function resourceOf({ apiVersion, kind }: JsonObject, schemas: Schemas): Resource | undefined {
  return listResources(schemas).find((each) => {
    const own = each.group === '' ? each.version : `${each.group}/${each.version}`;
    return own === apiVersion && each.kind === kind;
  });
}

// The resources that any of the policies is about.
function targetsOf(policies: readonly JsonObject[], schemas: Schemas): readonly Resource[] {
  const rules = policies.filter(isPolicy).flatMap((policy): readonly object[] => {
    const spec = isObject(policy['spec']) ? policy['spec'] : {};
    if (spec['rules'] !== undefined) return coverKinds(kindsIn(spec['rules']), schemas).rules;
    const constraints = isObject(spec['matchConstraints']) ? spec['matchConstraints'] : {};
    const given = constraints['resourceRules'];
    return Array.isArray(given) ? given.filter(isObject) : [];
  });
  const fits = (rule: JsonObject, { group, version, resource }: Resource): boolean => {
    const has = (list: unknown, value: string): boolean =>
      textsOf(list).some((each) => each === '*' || each === value);
    return (
      has(rule['apiGroups'], group) &&
      has(rule['apiVersions'], version) &&
      has(rule['resources'], resource)
    );
  };
  return listResources(schemas).filter((resource) =>
    rules.some((rule) => fits(rule as JsonObject, resource)),
  );
}

function isPolicy({ kind }: JsonObject): boolean {
  return /Policy$/.test(String(kind));
}

function kindsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(kindsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    key === 'kinds' ? textsOf(item) : kindsIn(item),
  );
}

function placesOf(policies: readonly JsonObject[]): Places {
  const places = new Places();
  for (const policy of policies) {
    const spec = isObject(policy['spec']) ? policy['spec'] : {};
    if (!isPolicy(policy)) continue;
    if (spec['rules'] !== undefined) {
      const rules = Array.isArray(spec['rules']) ? spec['rules'].filter(isObject) : [];
      for (const rule of rules) noteRulePlaces(rule, places);
      continue;
    }
    const variables = Array.isArray(spec['variables']) ? spec['variables'].filter(isObject) : [];
    const named = variables.map(
      ({ name, expression }) => [String(name), String(expression)] as const,
    );
    noteExpressionPlaces({ variables: new Map(named), expressions: expressionsIn(spec) }, places);
  }
  return places;
}

function expressionsIn(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.flatMap(expressionsIn);
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([key, item]) =>
    typeof item === 'string' && /[eE]xpression$/.test(key) ? [item] : expressionsIn(item),
  );
}

function policyCount(objects: readonly JsonObject[]): number {
  return objects.filter(isPolicy).length;
}
