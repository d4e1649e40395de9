import { type Chain, loadChain } from '@kubeadmit/chain';
import { EvaluationObserver } from '@kubeadmit/chain/expressions';
import { defaultPluginsFor, isReadByPlugins } from '@kubeadmit/chain/plugins';
import { isReview, missingName, requestOfManifest, userInfo } from '@kubeadmit/chain/requests';
import type { AdmissionRequest } from '@kubeadmit/engine';
import { type GivenManifest, schemasOf, sortInputs } from '@kubeadmit/lint';
import { findUnknownFields, isKnown, settleDuplicates } from '@kubeadmit/lint/inputs';
import type { Manifest } from '@kubeadmit/manifest';
import type { Schemas } from '@kubeadmit/schemas';
import type { ServiceContext } from '../service/service-context.ts';

/** The request of an example. */
export interface ExampleRequest {
  readonly manifest: Manifest;
  readonly request: AdmissionRequest;
  /** Whether the server refuses the object before any policy. */
  readonly isRefused: boolean;
}

/** Whether an example is an AdmissionReview. */
export function isOfReview({ manifest }: ExampleRequest): boolean {
  return isReview(manifest);
}

/** Makes the requests that create examples; reviews contain theirs. */
export function requestsOf(
  examples: readonly Manifest[],
  schemas: Schemas,
): readonly ExampleRequest[] {
  const settings = {
    user: userInfo({ name: 'kubernetes-admin' }),
    namespace: 'default',
    operation: 'CREATE',
    subresource: '',
    dryRun: false,
    schemas,
    oldObjectOf: () => undefined,
  } as const;
  return examples.flatMap((manifest, index) => {
    const made = requestOfManifest(manifest, index + 1, settings);
    if (!('request' in made)) return [];
    const { request } = made;
    const isRefused =
      !isReview(manifest) &&
      (findUnknownFields(manifest, schemas).length > 0 ||
        missingName(request, schemas) !== undefined);
    return [{ manifest, request, isRefused }];
  });
}

/** A chain of policies, and the requests of examples for it. */
export interface ExampleChain {
  readonly chain: Chain;
  readonly observer: EvaluationObserver;
  readonly requests: readonly ExampleRequest[];
}

/** Loads policies and the other objects of a cluster, and makes the requests of examples. */
export async function loadExamples(
  { schemas: { version: kubernetesVersion }, workspace, clock }: ServiceContext,
  policies: readonly Manifest[],
  examples: readonly Manifest[],
): Promise<ExampleChain> {
  const { context, leftovers, subjects } = workspace.inputs().inputs;
  const others = [...leftovers, ...subjects].filter((each) => !examples.includes(each));
  const cluster = [...context, ...others.filter(isReadByPlugins)];
  const given: GivenManifest[] = [
    ...[...new Set([...policies, ...cluster])].map((manifest) => ({
      manifest,
      role: 'policies' as const,
    })),
    ...examples.map((manifest) => ({ manifest, role: 'resources' as const })),
  ];
  const inputs = sortInputs(settleDuplicates(given, {}).given);
  const schemas = await schemasOf(inputs, kubernetesVersion);
  const known = inputs.subjects.filter((manifest) => isKnown(manifest, schemas));
  const objects = [...inputs.policies, ...inputs.bindings, ...inputs.context, ...inputs.kyverno];
  const plugins = defaultPluginsFor({ ...inputs, subjects: known });
  const observer = new EvaluationObserver();
  const chain = await loadChain({
    resources: objects.map(({ object }) => object),
    lookups: known.map(({ object }) => object),
    schemas,
    kubernetesVersion,
    clock,
    observe: observer.observe,
    plugins: plugins && { ...plugins, existing: inputs.leftovers, created: known },
  });
  return { chain, observer, requests: requestsOf(known, schemas) };
}
