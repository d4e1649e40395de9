import { formatGroupVersion, textOf } from '@kubeadmit/apimachinery';
import { type OptionKind, requireArgument, requireOptions, requireValue } from '@kubeadmit/base';
import { type Chain, loadChain, type Passage } from '@kubeadmit/chain';
import type { KyvernoPolicies } from '@kubeadmit/chain/kyverno';
import type { ChainPlugins } from '@kubeadmit/chain/plugins';
import { objectNamespace } from '@kubeadmit/chain/requests';
import {
  failedPassage,
  type OutsideData,
  readAndPass,
  requireChain,
} from '@kubeadmit/chain/unstable-internal';
import type { ObserveEvaluation } from '@kubeadmit/engine';
import type { ImageVerifier } from '@kubeadmit/kyverno';
import {
  expiredExceptions,
  type ManifestSource,
  manifestSource,
  refusedAuxiliaries,
  refusedPolicies,
} from '@kubeadmit/lint/kyverno';
import { readStatics } from '@kubeadmit/lint/unstable-internal';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import { type Coverage, CoverageRecorder, type SeenRequest } from './report/coverage.ts';
import { failureOf } from './report/failure.ts';
import { type Refused, refusalsOf } from './report/refusals.ts';
import { type CheckedObject, type Report, schemaFinding } from './report/report.ts';
import { unsupportedProblems } from './report/unsupported.ts';
import {
  type PlannedCheck,
  type PreparedRequest,
  requirePlanned,
} from './requests/planned-check.ts';

/** The admission plugins of a run; the inputs give the objects that they find. */
export type PluginRun = Omit<ChainPlugins, 'existing' | 'created'>;

/** The settings of a run. */
export interface RunOptions {
  /** The server's version; default the newest. */
  readonly kubernetesVersion?: string | undefined;
  /** Returns the time in milliseconds since 1970. */
  readonly clock: () => number;
  /** Called for every evaluation of an expression of native policies. */
  readonly observe?: ObserveEvaluation | undefined;
  /** The admission plugins of the server; default those of policies and webhooks. */
  readonly plugins?: PluginRun | undefined;
  /** Data that policies of Kyverno read in the place of a cluster and of services. */
  readonly outside?: OutsideData | undefined;
  /** Verifies images for policies of Kyverno; without it, rules that verify images are not evaluated. */
  readonly images?: ImageVerifier | undefined;
}

const runOptions: Readonly<Record<keyof RunOptions, OptionKind>> = {
  kubernetesVersion: 'string',
  clock: 'function',
  observe: 'function',
  plugins: 'object',
  outside: 'object',
  images: 'object',
};

/** Everything that decides about the requests of a check, ready for them. */
export interface LoadedCheck {
  /** The policies that act. */
  readonly chain: Chain;
  /** The resources that the servers would reject; they have no effect. */
  readonly refused: Refused;
  /** The unsupported policies and rules of Kyverno, which are not evaluated, and the reasons. */
  readonly unsupported: readonly InputProblem[];
  /** Exceptions that do not apply, because they have expired or name something that does not exist. */
  readonly expired: readonly InputProblem[];
}

/**
 * Loads the policies of a check; those that the servers would refuse do not act.
 *
 * Rejects with a `TypeError` for a value that `prepareCheck` did not return.
 */
export async function loadCheck(
  planned: Pick<PlannedCheck, 'inputs' | 'schemas' | 'held'>,
  options: RunOptions,
): Promise<LoadedCheck> {
  requirePlanned('loadCheck', planned);
  requireOptions('loadCheck', options, runOptions);
  const { inputs, schemas, held } = planned;
  const { kubernetesVersion, clock, observe } = options;
  requireValue('loadCheck', clock, 'function', 'a `clock` such as `Date.now`');
  const statics =
    inputs.statics.length === 0
      ? undefined
      : readStatics(inputs.statics, { schemas, kubernetesVersion });
  const plugins = options.plugins && {
    ...options.plugins,
    existing: inputs.leftovers,
    created: inputs.subjects,
  };
  const chainOptions = {
    plugins,
    lookups: objectsOf(inputs.subjects),
    schemas,
    kubernetesVersion,
    clock,
    observe,
    staticPolicies: statics?.policies,
    outside: options.outside,
    images: options.images,
  };
  const native = held.map(({ object }) => object);
  const kyverno = inputs.kyverno.map(({ object }) => object);
  const chain = await loadChain({ ...chainOptions, resources: [...native, ...kyverno] });
  const refused = refusalsOf(chain.cluster.errors, held, statics?.problems);
  if (chain.kyverno === undefined) return { chain, refused, unsupported: [], expired: [] };
  const manifestOf: ManifestSource = manifestSource(inputs.kyverno);
  const { policies } = chain.kyverno;
  const problems = [
    ...refusedPolicies(policies, manifestOf),
    ...refusedAuxiliaries(inputs.kyverno),
  ];
  const without = new Set<unknown>(problems.map(({ manifest }) => manifest?.object));
  const isRefused = (object: unknown): boolean => without.has(object);
  const unsupported = unsupportedProblems(
    { ...policies, unsupported: policies.unsupported.filter(({ object }) => !isRefused(object)) },
    manifestOf,
  );
  const expired = [
    ...expiredExceptions(inputs.kyverno, clock()),
    ...chain.kyverno.diagnostics.idleExceptions.map(({ object, message }) => {
      const { file, line, origin, title } = manifestOf(object);
      const place = { line, column: 1 };
      return { file, place, source: origin.source, message: `${title}: ${message}` };
    }),
  ];
  if (problems.length === 0) return { chain, refused, unsupported, expired };
  const left = kyverno.filter((object) => !isRefused(object));
  return {
    chain: await loadChain({ ...chainOptions, resources: [...native, ...left], previous: chain }),
    refused: { problems: [...refused.problems, ...problems], policies: true },
    unsupported,
    expired,
  };
}

function objectsOf(manifests: readonly Manifest[]): Iterable<Manifest['object']> {
  return {
    *[Symbol.iterator]() {
      for (const { object } of manifests) yield object;
    },
  };
}

/** Checks requests, records the policies they use, and keeps the results. */
export class Checker {
  readonly #each: ObjectChecker;
  readonly #objects: CheckedObject[] = [];

  /** @throws TypeError for a value that `loadCheck` did not return */
  constructor(loaded: LoadedCheck) {
    requireArgument('new Checker', loaded, { what: 'the result of `loadCheck`' });
    requireChain('new Checker', loaded.chain);
    this.#each = new ObjectChecker(loaded);
  }

  /** Checks a request, adds the result to the report and returns it. */
  check(request: PreparedRequest): CheckedObject {
    requireArgument('check', request, { what: 'a request of prepareCheck', has: 'manifest' });
    const object = this.#each.check(request);
    this.#objects.push(object);
    return object;
  }

  /** The report of the requests that were checked. */
  report(planned: PlannedCheck, loaded: LoadedCheck): Report {
    return {
      ...reportFrame(planned, loaded),
      objects: this.#objects,
      coverage: this.#each.coverage(),
    };
  }
}

/** Returns the parts of a report that do not depend on single objects. */
export function reportFrame(
  { schemas, leftOut, refusedFields }: PlannedCheck,
  { chain, refused, unsupported }: LoadedCheck,
): Omit<Report, 'objects' | 'coverage'> {
  return {
    kubernetesVersion: schemas.version,
    policies: policyCount(chain),
    bindings: chain.bindings.length,
    leftOut: [...leftOut, ...refusedFields, ...refused.problems, ...unsupported],
  };
}

/** Checks requests one by one, and records the policies they use. */
export class ObjectChecker {
  readonly #chain: Chain;
  readonly #isSchemaCheck: boolean;
  readonly #recorder: CoverageRecorder;

  /** @param isSchemaCheck whether there are no policies, and objects are only validated */
  constructor({ chain }: LoadedCheck, isSchemaCheck = false) {
    this.#chain = chain;
    this.#isSchemaCheck = isSchemaCheck;
    this.#recorder = new CoverageRecorder(chain);
  }

  /** Checks a request and returns the result. */
  check(prepared: PreparedRequest): CheckedObject {
    const { manifest, request } = prepared;
    const seen = this.#pass(prepared);
    const { passage } = seen;
    const silent = this.#recorder.record(request, seen);
    if (request.dryRun !== true) this.#chain.plugins?.store(passage.pluginWrites);
    const object = checkedObject(manifest, request, passage, this.#chain.cluster.schemas);
    if (passage.failure !== undefined || passage.findings.length > 0) return object;
    return { ...object, findings: this.#isSchemaCheck ? [schemaFinding] : silent };
  }

  #pass({ request, isOfClient, refusal }: PreparedRequest): SeenRequest {
    if (refusal !== undefined) return { passage: failedPassage(refusal) };
    return this.#recorder.observe(() => readAndPass(this.#chain, request, { isOfClient }));
  }

  /** Whether any policy judged one of the objects. */
  get hasJudged(): boolean {
    return this.#recorder.hasJudged;
  }

  /** Returns the policies and bindings that all requests together used. */
  coverage(): Coverage {
    return this.#recorder.result();
  }
}

/** How many policies act. */
function policyCount({ cluster, kyverno }: Chain): number {
  const { classic, cel, cleanup, unsupported } = kyverno?.policies ?? noPolicies;
  const native = cluster.validatingPolicies.length + cluster.mutatingPolicies.length;
  return native + classic.length + cel.length + cleanup.length + unsupported.length;
}

const noPolicies: KyvernoPolicies = { classic: [], cel: [], cleanup: [], unsupported: [] };

/** The name of an object, or the prefix for its generated name. */
function namesOf(
  { name: written, generateName }: Manifest,
  request: PreparedRequest['request'],
): Pick<CheckedObject, 'name' | 'generateName'> {
  const name = textOf(request.name) || written;
  return name === '' && generateName !== '' ? { name, generateName } : { name };
}

function checkedObject(
  manifest: Manifest,
  request: PreparedRequest['request'],
  { allowed, failure, isBroken, patch, auditAnnotations, findings }: Passage,
  schemas: Schemas,
): CheckedObject {
  return {
    file: manifest.file,
    line: manifest.line,
    apiVersion: formatGroupVersion({
      group: textOf(request.kind?.group),
      version: textOf(request.kind?.version),
    }),
    kind: textOf(request.kind?.kind),
    namespace: objectNamespace(request),
    ...namesOf(manifest, request),
    operation: textOf(request.operation),
    allowed,
    ...(failure === undefined ? {} : failureOf(manifest, failure, schemas)),
    ...(isBroken === undefined ? {} : { isBroken }),
    patch,
    auditAnnotations,
    findings,
  };
}
