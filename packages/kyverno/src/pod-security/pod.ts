import type { JsonObject } from '@kubeadmit/apimachinery';
import { makePod, type Pod, type PodSpec } from '@kubeadmit/pod-security/unstable-internal';
import { readWorkload, type WorkloadStruct } from '@kubeadmit/schemas/workloads';
import { podSpecPath } from '../autogen/kinds.ts';
import { stringField } from '../fields/fields.ts';
import { goTypesMinor } from '../rule/go-types-minor.ts';

interface Templated {
  readonly metadata?: { readonly annotations?: Readonly<Record<string, string>> };
  readonly spec?: PodSpec;
}

/** The pod that an object is or makes; a text says why there is none (Kyverno's `getSpec`). */
export function readPod(object: JsonObject): Pod | string {
  switch (podSpecPath(stringField(object, 'kind'))) {
    case undefined:
      return 'could not find correct resource type';
    case 'spec':
      return read<Templated>(object, 'core.v1.Pod', (pod) => pod);
    case 'spec.template.spec':
      // Kyverno reads every workload as a Deployment.
      return read<Workload>(object, 'apps.v1.Deployment', ({ spec }) => spec?.template);
    default:
      // The annotations that count are those of the job template.
      return read<CronJob>(object, 'batch.v1.CronJob', ({ spec: { jobTemplate: job } = {} }) => ({
        ...(job?.metadata && { metadata: job.metadata }),
        ...(job?.spec?.template?.spec && { spec: job.spec.template.spec }),
      }));
  }
}

interface Workload {
  readonly spec?: { readonly template?: Templated };
}

interface CronJob {
  readonly spec?: { readonly jobTemplate?: JobTemplate };
}

interface JobTemplate extends Workload {
  readonly metadata?: NonNullable<Templated['metadata']>;
}

function read<Typed>(
  object: JsonObject,
  struct: WorkloadStruct,
  podOf: (typed: Typed) => Templated | undefined,
): Pod | string {
  const typed = readWorkload(goTypesMinor, struct, object);
  if (typed.object === undefined) return typed.error ?? '';
  const template = podOf(typed.object as Typed);
  return makePod(template?.metadata?.annotations ?? {}, template?.spec ?? {});
}
