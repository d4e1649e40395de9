import { admit, type Cluster } from '@kubeadmit/admission';
import type { PluginWrite } from '@kubeadmit/admission/plugins';
import type { PluginTrace, PolicyTrace } from '@kubeadmit/admission/unstable-internal';
import { timeOf } from '@kubeadmit/base';
import { type Chain, passRequest } from '@kubeadmit/chain';
import { type Change, changesInOrder } from '@kubeadmit/chain/findings';
import type { PolicySpec } from '@kubeadmit/engine';
import type { PreparedRequest } from '../requests/planned-check.ts';
import type { AskedFacts } from './exact-reason.ts';
import type { SeenKyverno } from './kyverno-rules.ts';

/** The result of a request, and the recorded evaluation of Kyverno's policies. */
export type Asked =
  | { readonly failure: string }
  | {
      readonly failure?: undefined;
      readonly allowed: boolean;
      readonly message: string | undefined;
      readonly trace: readonly PolicyTrace[];
      readonly changes: readonly Change[];
      readonly pluginTrace: readonly PluginTrace[];
      readonly pluginWrites: readonly PluginWrite[];
      readonly kyverno?: Pick<SeenKyverno, 'passage' | 'traces' | 'policies'>;
    };

type AskedRequest = Pick<PreparedRequest, 'request' | 'isOfClient'>;

/** Sends a request through the native policies, by the clock of a chain. */
export function askCluster(
  cluster: Cluster,
  { request, isOfClient }: AskedRequest,
  chain: Pick<Chain, 'clock'> | undefined,
): Asked {
  const outcome = admit(cluster, request, { now: chain && timeOf(chain.clock), isOfClient });
  if (outcome.failure !== undefined) return { failure: outcome.failure };
  const { response, trace, pluginTrace = [], pluginWrites = [] } = outcome;
  const { allowed, status } = response;
  const changes = changesInOrder(pluginTrace, trace);
  return { allowed, message: status?.message, trace, changes, pluginTrace, pluginWrites };
}

/** Sends a request through the complete chain: later policies see earlier mutations. */
export function askChain(chain: Chain, asked: AskedRequest): Asked {
  const { request, isOfClient } = asked;
  const { kyverno } = chain;
  if (kyverno === undefined) return askCluster(chain.cluster, asked, chain);
  const { result: passage, policies: traces } = kyverno.traced(() =>
    passRequest(chain, request, { isOfClient }),
  );
  if (passage.failure !== undefined) return { failure: passage.failure };
  const { allowed, trace, changes, status, pluginTrace, pluginWrites } = passage;
  return {
    allowed,
    message: status?.message ?? passage.message,
    trace,
    changes,
    pluginTrace,
    pluginWrites,
    kyverno: { passage, traces, policies: kyverno.policies },
  };
}

/** Returns the specs of Kyverno's policies whose expressions are explained. */
export function observedSpecs(
  policies: SeenKyverno['policies'] | undefined,
): ReadonlySet<PolicySpec> {
  const { cel = [], classic = [] } = policies ?? {};
  return new Set([
    ...cel.flatMap(({ policy }) => policy.specs.map(({ source }) => source as PolicySpec)),
    ...classic.flatMap(({ policy }) =>
      policy.matchConditions === undefined ? [] : [policy.spec as PolicySpec],
    ),
  ]);
}

/** Known facts about an evaluated request. */
interface KnownRun {
  readonly trace: readonly PolicyTrace[];
  readonly changes: readonly Change[];
  /** The facts that matching used first, before any mutation. */
  readonly facts: AskedFacts;
}

/** Returns the facts that matching used for a binding: the object after all earlier mutations. */
export function factsBefore(
  { facts, changes, trace }: KnownRun,
  run: PolicyTrace,
  at: number,
): AskedFacts {
  const isValidating = run.kind === 'ValidatingAdmissionPolicy';
  const order = (policy: string): number =>
    trace.findIndex((each) => each.kind === run.kind && each.policy === policy);
  const own = run.bindings.slice(0, at).map(({ binding }) => binding);
  const isBefore = ({ policy, plugin, binding, pass = 1 }: Change): boolean => {
    if (isValidating) return true;
    if (plugin !== undefined) return pass <= run.pass;
    // Webhooks run after all of them.
    if (binding === undefined) return false;
    if (pass !== run.pass) return pass < run.pass;
    return policy === run.policy ? own.includes(binding) : order(policy) < order(run.policy);
  };
  const last = changes.filter(isBefore).at(-1);
  return last === undefined ? facts : { ...facts, object: last.after };
}
