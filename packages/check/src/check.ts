import { kyvernoRole } from '@kubeadmit/lint';
import { type ManifestSource, manifestSource, refusedPolicies } from '@kubeadmit/lint/kyverno';
import type { InputProblem, Manifest } from '@kubeadmit/manifest';
import { type Chain, loadChain } from './chain/chain.ts';
import { passRequest } from './chain/pass-request.ts';
import { unsupportedProblems } from './kyverno/unsupported.ts';
import { type Refused, refusalsOf } from './report/refusals.ts';
import type { CheckedObject, Report } from './report/report.ts';
import type { PreparedCheck, PreparedRequest } from './requests/prepare-check.ts';

/** What policies are asked with. */
export interface RunOptions {
  readonly kubernetesVersion?: string | undefined;
  /** Gives the time in milliseconds since 1970. */
  readonly clock: () => number;
}

/** Everything that decides about the requests of a check, ready for them. */
export interface LoadedCheck {
  readonly type: 'loaded';
  readonly chain: Chain;
  /** Policies and rules of Kyverno that nothing is asked, and why. */
  readonly unsupported: readonly InputProblem[];
}

/** Loads the policies of a check, or says what the servers would refuse to create. */
export async function loadCheck(
  { inputs, schemas, held }: PreparedCheck,
  { kubernetesVersion, clock }: RunOptions,
): Promise<LoadedCheck | Refused> {
  const chain = await loadChain({
    resources: [...held, ...inputs.kyverno].map(({ object }) => object),
    lookups: inputs.subjects.map(({ object }) => object),
    schemas,
    kubernetesVersion,
    clock,
  });
  if (chain.cluster.errors.length > 0) return refusalsOf(chain.cluster.errors, held);
  const { kyverno } = chain;
  if (kyverno === undefined) return { type: 'loaded', chain, unsupported: [] };
  const manifestOf: ManifestSource = manifestSource(inputs.kyverno);
  const refused = refusedPolicies(kyverno.policies, manifestOf);
  if (refused.length > 0) return { type: 'refused', problems: refused, policies: true };
  return { type: 'loaded', chain, unsupported: unsupportedProblems(kyverno.policies, manifestOf) };
}

/** What becomes of each request of a check, one after another. */
export function* checkObjects(
  { chain }: LoadedCheck,
  requests: readonly PreparedRequest[],
): Generator<CheckedObject> {
  for (const request of requests) yield checkOne(chain, request);
}

/** The report of a check. */
export function reportOf(
  { inputs, schemas }: PreparedCheck,
  objects: readonly CheckedObject[],
): Report {
  return {
    kubernetesVersion: schemas.version,
    policies: inputs.policies.length + policiesAmong(inputs.kyverno).length,
    bindings: inputs.bindings.length,
    objects,
  };
}

function policiesAmong(kyverno: readonly Manifest[]): readonly Manifest[] {
  return kyverno.filter((manifest) => kyvernoRole(manifest) !== 'exception');
}

function checkOne(chain: Chain, { manifest, request }: PreparedRequest): CheckedObject {
  const { allowed, failure, patch, findings } = passRequest(chain, request);
  return {
    file: manifest.file,
    line: manifest.line,
    kind: text(request.kind?.kind),
    namespace: text(request.namespace),
    name: text(request.name) || manifest.name,
    operation: text(request.operation),
    allowed,
    ...(failure === undefined ? {} : { failure }),
    patch,
    findings,
  };
}

// A review may hold anything.
function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
