import { setTimeout as sleep } from 'node:timers/promises';
import type { JsonAnswer, KubeClient } from '@kubeadmit/apiserver-tools/kube-apiserver';
import type { JsonObject } from '../json-object.ts';
import { applyMutation, coreRule, mutatingPolicy, validatingPolicy } from '../parts.ts';
import { judge, messageOf, type Played } from './judge.ts';
import { type ApiObject, apiVersionOf, type RecordedCase } from './recorded-case.ts';

/** The result of storing an object that a case needs. */
type Stored = Pick<JsonAnswer, 'code' | 'body'>;

/** Plays recorded cases on a server, one after the other. */
export class Player {
  readonly #server: KubeClient;
  readonly #plurals: Map<string, { readonly name: string; readonly namespaced: boolean }> =
    new Map();
  readonly #defined: Map<string, string> = new Map();
  #round = 0;

  constructor(server: KubeClient) {
    this.#server = server;
  }

  /** Stores the definitions of cases, which the server needs up to half a minute to take notice of everywhere. */
  async prepare(cases: readonly RecordedCase[]): Promise<void> {
    const made: ApiObject[] = [];
    for (const { resources } of cases) {
      const definitions = resources.filter(({ kind }) => kind === 'CustomResourceDefinition');
      for (const definition of definitions) {
        if (!this.#defined.has(definition.metadata?.name ?? ''))
          await this.#create(definition, made);
      }
    }
    await sleep(this.#defined.size > 0 ? noticeMilliseconds : 0);
  }

  /**
   * Runs one case: stores its objects, waits until its policies are active, and sends the request with `dryRun=All`.
   */
  async play(recorded: RecordedCase): Promise<Played> {
    const made: ApiObject[] = [];
    try {
      return await this.#playWith(recorded, made);
    } finally {
      await this.#forget(made);
    }
  }

  // Policies go first, and nothing else happens before they are forgotten. Definitions stay: the server
  // needs a while to take notice of others.
  async #forget(made: readonly ApiObject[]): Promise<void> {
    const policies = made.filter(isPolicy);
    for (const policy of policies) await this.#remove(policy);
    if (policies.length > 0) await this.#untilPoliciesAct();
    const others = made.filter(
      (object) => !isPolicy(object) && object.kind !== 'CustomResourceDefinition',
    );
    for (const object of others.reverse()) await this.#remove(object);
  }

  async #playWith(recorded: RecordedCase, made: ApiObject[]): Promise<Played> {
    const { request, resources } = recorded;
    const isNamespace = request.kind.kind === 'Namespace';
    const stored = [
      ...resources.filter(({ kind }) => kind === 'CustomResourceDefinition'),
      ...this.#namespacesOf(recorded),
      ...resources.filter(
        (each) => !isPolicy(each) && !/^(CustomResourceDefinition|Namespace)$/.test(each.kind),
      ),
    ];
    for (const object of stored) {
      const answer = await this.#create(object, made);
      if (answer.code >= 300) return { outcome: 'skipped', reason: `${messageOf(answer)}` };
    }
    if (request.oldObject != null) {
      const old = isNamespace
        ? await this.#replace(request.oldObject)
        : await this.#create(inNamespace(request.oldObject, request.namespace), made);
      if (old.code >= 300) return { outcome: 'skipped', reason: messageOf(old) };
    }
    for (const policy of resources.filter(isPolicy)) {
      const refused = await this.#createPolicy(policy, recorded, made);
      if (refused !== undefined) return refused;
    }
    await this.#untilPoliciesAct();
    // The server's knowledge of definitions can be half a minute old.
    for (let attempt = 0; ; attempt++) {
      const played = judge(recorded, await this.#send(recorded));
      if (attempt === 20 || played.outcome !== 'different' || !isStale(played)) return played;
      await sleep(2000);
    }
  }

  // The namespace of a request exists, with the labels of the case.
  #namespacesOf({ resources, request }: RecordedCase): ApiObject[] {
    const given = resources.filter(({ kind }) => kind === 'Namespace');
    const names = new Set(given.map(({ metadata }) => metadata?.name));
    const missing = [request, ...resources.map(({ metadata }) => metadata ?? {})]
      .map(({ namespace = '' }) => namespace)
      .filter((name) => name !== '' && !names.has(name));
    const isSubject = request.kind.kind === 'Namespace' && request.operation === 'CREATE';
    return [
      ...given,
      ...[...new Set(missing)].map((name) => ({
        apiVersion: 'v1',
        kind: 'Namespace',
        metadata: { name },
      })),
    ].filter(({ metadata }) => !isSubject || metadata?.name !== request.name);
  }

  async #createPolicy(
    policy: ApiObject,
    { errors = [] }: RecordedCase,
    made: ApiObject[],
  ): Promise<Played | undefined> {
    const answer = await this.#create(policy, made);
    const name = `${policy.kind}/${policy.metadata?.name ?? ''}`;
    const expected = errors.find(({ resource }) => resource === name)?.message;
    const actual = answer.code >= 300 ? messageOf(answer) : undefined;
    return expected === actual ? undefined : { outcome: 'different', expected, actual };
  }

  async #send({ request }: RecordedCase): Promise<JsonAnswer> {
    const { operation, object, namespace = '', name = '', userInfo = {} } = request;
    const collection = await this.#collection(request.kind, namespace);
    const headers: Record<string, string | string[]> = {};
    if (userInfo.username) {
      headers['impersonate-user'] = userInfo.username;
      // RBAC allows system:masters everything; others get the permissions of the group below.
      headers['impersonate-group'] = [...(userInfo.groups ?? []), writers];
      if (userInfo.uid) headers['impersonate-uid'] = userInfo.uid;
    }
    const options = `?dryRun=All&fieldValidation=Ignore&fieldManager=play`;
    if (operation === 'CREATE') {
      return this.#server.ask('POST', collection + options, object, headers);
    }
    const path = `${collection}/${name}`;
    if (operation === 'DELETE') {
      return this.#server.ask('DELETE', `${path}?dryRun=All`, undefined, headers);
    }
    const current = await this.#server.ask('GET', path);
    const { resourceVersion } = current.body['metadata'] as { resourceVersion: string };
    const body = { ...object, metadata: { ...object?.metadata, resourceVersion } };
    return this.#server.ask('PUT', path + options, body, headers);
  }

  async #create(object: ApiObject, made: ApiObject[]): Promise<Stored> {
    const path = await this.#collectionOf(object);
    if (object.kind === 'CustomResourceDefinition') return this.#define(object, path);
    const existing = await this.#server.ask('GET', `${path}/${object.metadata?.name ?? ''}`);
    if (existing.code === 200 && object.kind === 'Namespace') return this.#replace(object);
    if (existing.code === 200) await this.#remove(object);
    const answer = await this.#server.ask('POST', path, object);
    if (answer.code < 300 && object.kind !== 'Namespace') made.push(object);
    return answer;
  }

  async #define(definition: ApiObject, path: string): Promise<Stored> {
    const name = definition.metadata?.name ?? '';
    const text = JSON.stringify(definition);
    if (this.#defined.get(name) === text) return { code: 200, body: {} };
    const isOther = this.#defined.has(name);
    if (isOther) await this.#remove(definition);
    const answer = await this.#server.ask('POST', path, definition);
    if (answer.code >= 300) return answer;
    this.#defined.set(name, text);
    await this.#untilServed(definition);
    if (isOther) await sleep(noticeMilliseconds);
    return answer;
  }

  // Without controllers, namespaces are never deleted, so existing ones are reset instead.
  async #replace(object: ApiObject): Promise<Stored> {
    const path = `${await this.#collectionOf(object)}/${object.metadata?.name ?? ''}`;
    const { body } = await this.#server.ask('GET', path);
    const { resourceVersion } = body['metadata'] as { resourceVersion: string };
    const spec = body['spec'];
    return this.#server.ask('PUT', path, {
      ...object,
      spec,
      metadata: { ...object.metadata, resourceVersion },
    });
  }

  async #remove(object: ApiObject): Promise<void> {
    const path = await this.#collectionOf(object);
    await this.#server.ask('DELETE', `${path}/${object.metadata?.name ?? ''}`, {
      kind: 'DeleteOptions',
      apiVersion: 'v1',
      gracePeriodSeconds: 0,
    });
    const name = `${path}/${object.metadata?.name ?? ''}`;
    for (let attempt = 0; attempt < 100; attempt++) {
      const { code, body } = await this.#server.ask('GET', name);
      if (code !== 200) break;
      const { finalizers, resourceVersion } = body['metadata'] as JsonObject;
      if (Array.isArray(finalizers) && finalizers.length > 0 && attempt > 3) {
        const metadata = { finalizers: null, resourceVersion };
        await this.#server.ask('PATCH', name, { metadata }, merge);
      }
      await sleep(50);
    }
  }

  async #untilServed(definition: ApiObject): Promise<void> {
    const { spec } = definition as unknown as {
      spec: {
        group: string;
        names: { plural: string };
        versions: { name: string; served: boolean }[];
      };
    };
    this.#plurals.clear();
    for (const { name, served } of spec.versions) {
      const path = `/apis/${spec.group}/${name}/${spec.names.plural}`;
      for (let attempt = 0; served && attempt < 200; attempt++) {
        if ((await this.#server.ask('GET', path)).code === 200) break;
        await sleep(50);
      }
    }
  }

  #collectionOf({ apiVersion, kind, metadata }: ApiObject): Promise<string> {
    const slash = apiVersion.indexOf('/');
    const [group, version] = [apiVersion.slice(0, Math.max(slash, 0)), apiVersion.slice(slash + 1)];
    return this.#collection({ group, version, kind }, metadata?.namespace ?? '');
  }

  async #collection(
    kind: { readonly group: string; readonly version: string; readonly kind: string },
    namespace: string,
  ): Promise<string> {
    const root = `${kind.group === '' ? '/api' : '/apis'}/${apiVersionOf(kind)}`;
    const key = `${root}/${kind.kind}`;
    if (!this.#plurals.has(key)) {
      const { body } = await this.#server.ask('GET', root);
      const list = (body['resources'] ?? []) as {
        name: string;
        kind: string;
        namespaced: boolean;
      }[];
      for (const { name, kind: each, namespaced } of list) {
        if (!name.includes('/')) this.#plurals.set(`${root}/${each}`, { name, namespaced });
      }
    }
    const plural = this.#plurals.get(key);
    if (plural === undefined) return `${root}/unknown`;
    return plural.namespaced
      ? `${root}/namespaces/${namespace || 'default'}/${plural.name}`
      : `${root}/${plural.name}`;
  }

  /** Waits until policies that are made last act: so do all that were made before. */
  async #untilPoliciesAct(): Promise<void> {
    const round = String(++this.#round);
    for (const object of sentinels(round)) {
      const path = `${await this.#collectionOf(object)}/${object.metadata?.name ?? ''}`;
      const { code, body } = await this.#server.ask('GET', path);
      if (code === 404) {
        await this.#server.ask('POST', await this.#collectionOf(object), object);
        continue;
      }
      const { resourceVersion } = body['metadata'] as { resourceVersion: string };
      const metadata = { ...object.metadata, resourceVersion };
      await this.#server.ask('PUT', path, { ...object, metadata });
    }
    // Policies for the status of namespaces are rare, so these requests test the sentinel.
    const path = '/api/v1/namespaces/default';
    const { body: probe } = await this.#server.ask('GET', path);
    for (let attempt = 0; attempt < 1000; attempt++) {
      const { body, warnings } = await this.#server.ask('PUT', `${path}/status?dryRun=All`, probe);
      const metadata = body['metadata'] as { annotations?: Record<string, string> } | undefined;
      const isMutated = metadata?.annotations?.['round'] === round;
      if (isMutated && warnings.some((text) => text.endsWith(`: round ${round}`))) return;
      await sleep(50);
    }
    throw new Error('the policies of the sentinel do not act');
  }
}

const noticeMilliseconds = 35_000;

function isPolicy({ kind }: ApiObject): boolean {
  return /AdmissionPolicy/.test(kind);
}

const merge = { 'content-type': 'application/merge-patch+json' };

/** A group whose members may do everything, but that policies do not know. */
export const writers = 'play:writers';

function sentinels(round: string): ApiObject[] {
  const matchConstraints = coreRule(['namespaces/status'], ['UPDATE']);
  const expression = `Object{metadata: Object.metadata{annotations: {'round': '${round}'}}}`;
  const mutation = {
    matchConstraints,
    reinvocationPolicy: 'Never',
    mutations: [applyMutation(expression)],
  };
  const validations = [{ expression: 'false', message: `round ${round}` }];
  const warning = { validationActions: ['Warn'] };
  return [
    ...mutatingPolicy('sentinel', mutation),
    ...validatingPolicy('sentinel', { matchConstraints, validations }, warning),
  ] as JsonObject[] as unknown as ApiObject[];
}

function isStale({ actual }: Played & { outcome: 'different' }): boolean {
  return /There can be a delay|find resource referenced by paramKind/.test(JSON.stringify(actual));
}

function inNamespace(object: ApiObject, namespace: string | undefined): ApiObject {
  return { ...object, metadata: { ...object.metadata, ...(namespace ? { namespace } : {}) } };
}
