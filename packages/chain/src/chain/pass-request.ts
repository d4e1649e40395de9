import { checkDefinition, plainJson } from '@kubeadmit/admission';
import type { PluginWrite } from '@kubeadmit/admission/plugins';
import {
  type CheckedObject,
  orFailure,
  type PluginTrace,
  type PolicyTrace,
  writtenObject,
} from '@kubeadmit/admission/unstable-internal';
import type { KubernetesObject, Status } from '@kubeadmit/apimachinery';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { diffJson, type Json } from '@kubeadmit/mutator';
import type { Change } from '../findings/changes.ts';
import type { Finding } from '../findings/findings.ts';
import type { PatchOperation } from '../findings/patch-operation.ts';
import { requireChain, requirePassOptions } from './arguments.ts';
import type { Chain } from './chain.ts';
import { mutateRequest } from './mutate-request.ts';
import {
  asWritten,
  type ChainRequest,
  type PassOptions,
  readRequest,
  withObject,
  withServedOld,
} from './request.ts';
import { policiesOnly } from './step.ts';
import { validateRequest } from './validate-request.ts';

/** The result of a request. */
export interface Passage {
  /** Whether the server would take the request. */
  readonly allowed: boolean;
  /** Why kube-apiserver would not take the object whatever policies say, or could not read the request. */
  readonly failure?: string;
  /** Whether that is an error of ours. */
  readonly isBroken?: boolean;
  /** Why it is refused, where that is known in one text. */
  readonly message?: string | undefined;
  /** The server's answer to the client if policies deny. */
  readonly status?: Status | undefined;
  /** The warnings that the client sees, in their order. */
  readonly warnings: readonly string[];
  /** The annotations that policies write to the audit log, by key. */
  readonly auditAnnotations: Readonly<Record<string, string>>;
  /**
   * The changes of mutating policies as a JSON patch (RFC 6902) of the object that admission plugins made of the request's.
   */
  readonly patch: readonly PatchOperation[];
  /** The findings of each policy, native ones first. */
  readonly findings: readonly Finding[];
  /** The trace of each native policy. */
  readonly trace: readonly PolicyTrace[];
  /** The trace of each admission plugin that acted. */
  readonly pluginTrace: readonly PluginTrace[];
  /** The new usage of quotas, to be stored if the request is admitted. */
  readonly pluginWrites: readonly PluginWrite[];
  /** The changes of each mutation. */
  readonly changes: readonly Change[];
  /** The object as the cluster would hold it; null where the request has none. */
  readonly object: KubernetesObject | null;
}

/**
 * Sends a request through a chain in the order of real servers: mutating policies, the definition of a custom
 * resource, validating policies. Never throws for a request: an internal error neither allows the request nor hides
 * the findings of other policies.
 *
 * @throws TypeError if the first argument is not a chain.
 */
export function passRequest(
  chain: Chain,
  request: AdmissionRequest,
  options?: PassOptions,
): Passage {
  requireChain('passRequest', chain);
  requirePassOptions('passRequest', options);
  return readAndPass(chain, request, options).passage;
}

/** Sends a request through a chain, and returns the result with the request as it was read. */
export function readAndPass(
  chain: Chain,
  request: AdmissionRequest,
  options?: PassOptions,
): { readonly passage: Passage; readonly read: ChainRequest | undefined } {
  let read: ChainRequest | undefined;
  const passage = safely(chain, { request, options }, (given) => {
    read = given;
    return passRead(given);
  });
  return { passage, read };
}

function passRead(given: ChainRequest): Passage {
  const { passage, next } = mutationPassage(given);
  if ('failure' in next) return failedPassage(next.failure);
  const stored = storedObject(next, passage.status);
  if (stored.denial !== undefined) return failedPassage(stored.denial.message ?? 'invalid');
  const last = withObject(next, stored.object);
  // A server does not validate a refused request; here policies are evaluated, to report everything at once.
  const isRefused = passage.status !== undefined;
  const validated = validateRequest(
    isRefused ? { ...last, prepared: policiesOnly(last.prepared) } : last,
  );
  const denial = passage.status ?? validated.denial;
  const generated = denial === undefined ? backgroundFindings(withObject(next, stored.object)) : [];
  return {
    ...passage,
    allowed: denial === undefined,
    message: denial?.message,
    status: denial,
    warnings: sendable([...passage.warnings, ...(stored.warnings ?? []), ...validated.warnings]),
    auditAnnotations: { ...passage.auditAnnotations, ...validated.auditAnnotations },
    findings: [...passage.findings, ...validated.findings, ...generated],
    trace: [...passage.trace, ...validated.trace],
    pluginTrace: [...passage.pluginTrace, ...validated.pluginTrace],
    pluginWrites: denial === undefined ? validated.pluginWrites : [],
  };
}

/** The findings of the policies of Kyverno that act in the background because of an admitted request. */
function backgroundFindings(given: ChainRequest): readonly Finding[] {
  return [...generationFindings(given), ...deletionFindings(given)];
}

/** The findings of Kyverno's policies that would delete the object of a request later. */
function deletionFindings({ chain, request, prepared }: ChainRequest): readonly Finding[] {
  const { object, subresource } = prepared.attributes;
  const { kyverno } = chain;
  if (kyverno === undefined || object === null || subresource !== '') return [];
  return kyverno.delete(request, plainJson(object) as KubernetesObject).findings;
}

/** The findings of Kyverno's rules that generate objects because of an admitted request. */
function generationFindings({ chain, request, prepared }: ChainRequest): readonly Finding[] {
  const { object } = prepared.attributes;
  const { kyverno } = chain;
  if (kyverno === undefined || object === null) return [];
  const plain = plainJson(object) as KubernetesObject;
  return kyverno.generate(withServedOld(request, prepared), plain).findings;
}

// A server drops warnings with control characters, which no header can have (apimachinery net.NewWarningHeader).
function sendable(warnings: readonly string[]): readonly string[] {
  return warnings.filter((text) => !/\p{Cc}/u.test(text));
}

/**
 * Sends a request through the mutating policies of a chain, and then through Kyverno's rules that generate objects; never
 * throws for a request.
 */
export function passMutation(
  chain: Chain,
  request: AdmissionRequest,
  options?: PassOptions,
): Passage {
  return safely(chain, { request, options }, (given) => {
    const { passage, next } = mutationPassage(given);
    if (!passage.allowed || 'failure' in next) return passage;
    return { ...passage, findings: [...passage.findings, ...generationFindings(next)] };
  });
}

// Denied objects are not validated against their definition.
function storedObject({ prepared }: ChainRequest, denial: Status | undefined): CheckedObject {
  const { object } = prepared.attributes;
  return denial === undefined
    ? checkDefinition(prepared, object)
    : { object: writtenObject(prepared, object) };
}

function mutationPassage(given: ChainRequest) {
  const { denial, auditAnnotations = {}, object, before, next, ...said } = mutateRequest(given);
  const passage: Passage = {
    ...said,
    allowed: denial === undefined,
    message: denial?.message,
    status: denial,
    auditAnnotations,
    patch: changesBetween(before, object),
    object: asWritten(given, object),
  };
  return { passage, next };
}

function safely(
  chain: Chain,
  {
    request,
    options,
  }: { readonly request: AdmissionRequest; readonly options?: PassOptions | undefined },
  pass: (given: ChainRequest) => Passage,
): Passage {
  try {
    const passage = orFailure(request, () => {
      const given = readRequest(chain, request, options);
      return 'failure' in given ? failedPassage(given.failure) : pass(given);
    });
    return 'allowed' in passage ? passage : failedPassage(passage.failure);
  } catch (error) {
    return {
      ...failedPassage(
        `internal error; report it at https://github.com/kubeadmit/kubeadmit/issues: ${String(error)}`,
      ),
      isBroken: true,
    };
  }
}

/** The passage of a request that gets to no policy. */
export function failedPassage(failure: string): Passage {
  return {
    allowed: false,
    failure,
    warnings: [],
    auditAnnotations: {},
    patch: [],
    findings: [],
    trace: [],
    pluginTrace: [],
    pluginWrites: [],
    changes: [],
    object: null,
  };
}

function changesBetween(before: unknown, after: unknown): readonly PatchOperation[] {
  if (before === null || after === null || after === before) return [];
  return diffJson(before as Json, after as Json);
}
