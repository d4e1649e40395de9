import { appendFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { type AdmissionResponse, admit, type Cluster, prepareCluster } from '@kubeadmit/admission';
import {
  type KubeClient,
  startKubeApiserver,
  warningText,
} from '@kubeadmit/apiserver-tools/kube-apiserver';
import { parseJson } from '@kubeadmit/cel';
import {
  describeDifferences,
  differences,
  type JsonObject,
  withWrittenNumbers,
} from '@kubeadmit/conformance-tools';
import { stringifyJson } from '@kubeadmit/go';
import { Random } from '@kubeadmit/random';
import { objectOf } from './object-of.ts';
import { definitionsPath, KindMaker, type PlayedKind, telling } from './played-kind.ts';
import { ValueMaker } from './values.ts';

const USAGE = `usage: SERVER=program play [--kinds N] [--updates N] [--seed N] [--show N] [--record FILE]

Stores objects of N kinds on a kube-apiserver while their definitions take everything, gives each definition a random
schema, and compares what N updates and creations of each kind get with what \`admit\` answers.`;

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: '30' },
    updates: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '10' },
    record: { type: 'string' },
  },
});

/** A request: the version, the subresource, the object and the old object. */
interface Sent {
  readonly version: number;
  readonly subresource: string;
  readonly object: JsonObject;
  readonly old?: JsonObject;
}

interface Answer {
  readonly code: number;
  readonly body: JsonObject;
  readonly warnings: readonly string[];
}

// Numbers stay as they are written, and maps have no order in Go.
const asks = 12;

class Play {
  readonly #client: KubeClient;
  readonly #random: Random;
  readonly count: { equal: number; different: number; refused: number; warned: number } = {
    equal: 0,
    different: 0,
    refused: 0,
    warned: 0,
  };

  constructor(client: KubeClient, random: Random) {
    this.#client = client;
    this.#random = random;
  }

  async run(): Promise<void> {
    for (const [path, object] of telling) await this.#ask('POST', path, object);
    const kinds = await this.#define();
    const stored = new Map<PlayedKind, readonly string[]>();
    for (const kind of kinds) stored.set(kind, await this.#store(kind));
    for (const kind of kinds) await this.#tighten(kind);
    // Other caches of the definition are updated slightly later.
    await sleep(5000);
    for (const kind of kinds) await this.#update(kind, stored.get(kind) ?? []);
  }

  async #define(): Promise<PlayedKind[]> {
    const maker = new KindMaker(this.#random);
    const kinds: PlayedKind[] = [];
    while (kinds.length < Number(values.kinds)) {
      const kind = maker.make();
      const { code } = await this.#ask('POST', `${definitionsPath}?dryRun=All`, kind.definition);
      if (code !== 201) continue;
      await this.#ask('POST', definitionsPath, kind.loose);
      kinds.push(kind);
    }
    return kinds;
  }

  /** Stores some objects, and gives their names. */
  async #store(kind: PlayedKind): Promise<readonly string[]> {
    const probe = kind.object(1, { name: 'x' }, {});
    await this.#until(kind, probe, ({ code }) => code === 201);
    const maker = new ValueMaker(this.#random, kind.wrong);
    const names: string[] = [];
    for (const name of ['a', 'b', 'c', 'd', 'e', 'f']) {
      const made = kind.object(1, { name }, maker.fitting(kind.schemas[0] ?? {}));
      const { code, body } = await this.#ask('POST', kind.path(1), made);
      if (code >= 300) continue;
      const { status } = made;
      if (status !== undefined && body['status'] === undefined)
        await this.#ask('PUT', kind.path(1, `/${name}/status`), { ...body, status });
      names.push(name);
    }
    return names;
  }

  async #tighten(kind: PlayedKind): Promise<void> {
    const path = `${definitionsPath}/${kind.name}`;
    const { body } = await this.#ask('GET', path);
    const { resourceVersion } = objectOf(body['metadata']);
    const metadata = { name: kind.name, resourceVersion: resourceVersion ?? '' };
    const { code } = await this.#ask('PUT', path, { ...kind.definition, metadata });
    if (code !== 200) throw new Error(`${kind.name}: ${code}`);
    const marked = kind.object(1, { name: 'x' }, { marker: 'x' });
    await this.#until(kind, marked, ({ body }) => String(body['message']).includes('marker'));
  }

  async #until(
    kind: PlayedKind,
    probe: JsonObject,
    isReady: (answer: Answer) => boolean,
  ): Promise<void> {
    for (let attempt = 0; attempt < 150; attempt++) {
      if (isReady(await this.#ask('POST', kind.path(1, '?dryRun=All'), probe))) return;
      await sleep(200);
    }
    throw new Error(`${kind.name} is not there`);
  }

  async #update(kind: PlayedKind, names: readonly string[]): Promise<void> {
    const random = this.#random;
    const resources = [kind.definition, ...telling.map(([, object]) => object)];
    const cluster = await prepareCluster({
      resources: read(`[${resources.map(text).join()}]`) as never,
    });
    const maker = new ValueMaker(random, kind.wrong);
    for (let update = 0; update < Number(values.updates); update++) {
      const isNew = names.length === 0 || random.chance(0.15);
      // Stored objects are read in the storage version; in other versions, updates get no defaults.
      const version = isNew ? random.below(kind.schemas.length) + 1 : 1;
      const made = maker.fitting(kind.schemas[version - 1] ?? {});
      const metadata = { ...maker.metadata({}), ...kind.finalizers() };
      if (isNew) {
        const object = kind.object(version, { ...metadata, name: 'n', namespace: 'default' }, made);
        await this.#compare(kind, cluster, { version, subresource: '', object });
        continue;
      }
      const found = await this.#ask('GET', kind.path(version, `/${random.pick(names)}`));
      // An object that does not fit the definition at all can no longer be read.
      if (found.code !== 200) continue;
      const { metadata: before, ...rest } = found.body;
      const { name: _, namespace: __, ...other } = metadata;
      const given = { ...objectOf(before), ...other };
      const fields = random.chance(0.7) ? maker.changed(rest) : made;
      await this.#compare(kind, cluster, {
        version,
        subresource: kind.hasStatus && random.chance(0.3) ? 'status' : '',
        object: kind.object(version, given, fields),
        old: found.body,
      });
    }
  }

  async #compare(kind: PlayedKind, cluster: Cluster, sent: Sent): Promise<void> {
    const { version, subresource, object, old } = sent;
    const name = String(objectOf(object['metadata'])['name']);
    const query = '?dryRun=All&fieldValidation=Ignore&fieldManager=unknown';
    const place = old === undefined ? '' : `/${name}${subresource === '' ? '' : `/${subresource}`}`;
    const send = (): Promise<Answer> =>
      this.#ask(old === undefined ? 'POST' : 'PUT', kind.path(version, place + query), object);
    const request = kind.request(version, {
      ...(subresource === '' ? {} : { subResource: subresource }),
      operation: old === undefined ? 'CREATE' : 'UPDATE',
      name,
      object,
      ...(old === undefined ? {} : { oldObject: old }),
    });
    const outcome = admit(cluster, read(text(request)) as never);
    const ours = ordered(
      read(
        stringifyJson(
          outcome.failure === undefined ? heard(outcome.response) : { failure: outcome.failure },
        ),
      ) as JsonObject,
    );
    let answer = await send();
    let found = differences(ordered(reviewed(answer)), ours);
    for (let again = 1; again < asks && found.length > 0; again++) {
      answer = await send();
      found = differences(ordered(reviewed(answer)), ours);
    }
    if (answer.code >= 300) this.count.refused++;
    if (answer.warnings.length > 1) this.count.warned++;
    this.count[found.length === 0 ? 'equal' : 'different']++;
    const line = text({ definition: kind.definition, request, answer: reviewed(answer) });
    if (found.length === 0) {
      if (values.record !== undefined) appendFileSync(values.record, `${line}\n`);
    } else if (this.count.different <= Number(values.show)) {
      process.stdout.write(`${line}\n${describeDifferences(found)}\n`);
    }
  }

  async #ask(method: string, path: string, body?: JsonObject): Promise<Answer> {
    const { status, bytes, warnings } = await this.#client.send({
      method,
      path,
      headers: { authorization: 'Bearer admin-token', 'content-type': 'application/json' },
      body: body === undefined ? undefined : text(body),
    });
    const answered = read(bytes.toString('utf8'));
    return { code: status, body: answered, warnings: warnings.map(warningText) };
  }
}

function text(value: JsonObject): string {
  return withWrittenNumbers(stringifyJson(value));
}

function read(json: string): JsonObject {
  return parseJson(json, { wholeDoubles: true }) as JsonObject;
}

/** An answer as the response to a review would be. */
function reviewed({ code, body, warnings }: Answer): JsonObject {
  if (code === 400) {
    const message = String(body['message']);
    return { failure: message.replace(/^.*? cannot be handled as a \w+: /, 'request.object: ') };
  }
  const { kind: _, apiVersion: __, ...status } = body;
  return {
    uid: 'u',
    allowed: code < 300,
    ...(code < 300 ? {} : { status }),
    ...(warnings.length === 0 ? {} : { warnings: [...warnings] }),
  };
}

/** A response as a client hears of it: no header holds warnings with control characters. */
function heard(response: AdmissionResponse): AdmissionResponse {
  const { warnings = [], ...rest } = response;
  const told = warnings.filter((warning) => !/\p{Cc}/u.test(warning));
  return told.length === 0 ? rest : { ...rest, warnings: told };
}

/** A response with its causes in order of the alphabet, and the errors in its message too: some follow a map of Go. */
function ordered(response: JsonObject): JsonObject {
  const { patch: _, patchType: __, ...rest } = response;
  const status = objectOf(rest['status']);
  const details = objectOf(status['details']);
  const causes = details['causes'];
  if (!Array.isArray(causes)) return rest;
  const sorted = causes.map((cause) => stringifyJson(cause)).sort();
  const message = [...String(status['message'])].sort().join('');
  return { ...rest, status: { ...status, message, details: { ...details, causes: sorted } } };
}

const program = process.env['SERVER'] ?? '';
if (program === '') {
  console.error(USAGE);
  process.exitCode = 2;
} else {
  const { client, stop } = await startKubeApiserver(program);
  const play = new Play(client, new Random(Number(values.seed)));
  try {
    await play.run();
  } finally {
    await stop();
  }
  console.log(play.count);
  process.exitCode = play.count.different === 0 ? 0 : 1;
}
