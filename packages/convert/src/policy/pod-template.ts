import type { Schemas } from '@kubeadmit/schemas';
import { structShape } from '@kubeadmit/schemas/types';
import { Path } from '../cel/path.ts';
import { member } from '../cel/term.ts';

/** A variable of an admission policy. */
export interface PolicyVariable {
  readonly name: string;
  readonly expression: string;
}

const controllerRules: Readonly<Record<string, string>> = {
  CronJob: 'batch/v1/CronJob',
  DaemonSet: 'apps/v1/DaemonSet',
  Deployment: 'apps/v1/Deployment',
  Job: 'batch/v1/Job',
  ReplicaSet: 'apps/v1/ReplicaSet',
  ReplicationController: 'v1/ReplicationController',
  StatefulSet: 'apps/v1/StatefulSet',
};

/** The kinds of controllers as `kinds` name them. */
export function controllerKinds(controllers: readonly string[]): readonly string[] {
  return controllers.map((kind) => controllerRules[kind] ?? kind);
}

/**
 * Returns the variable that holds the pod, or the pod template of a controller.
 *
 * Rules for pods also apply to the controllers that create them (Kyverno's `pkg/autogen`).
 */
export function podVariable(controllers: readonly string[]): PolicyVariable {
  const hasCronJob = controllers.includes('CronJob');
  const template = 'object.spec.template';
  const others = controllers.filter((kind) => kind !== 'CronJob');
  const choices = ["object.kind == 'Pod' ? object"];
  if (hasCronJob && others.length > 0) {
    choices.push("object.kind == 'CronJob' ? object.spec.jobTemplate.spec.template");
  }
  const last = others.length > 0 ? template : 'object.spec.jobTemplate.spec.template';
  const expression = [...choices, last].join('\n  : ');
  return { name: 'pod', expression };
}

/** The place of the pod that {@link podVariable} declares. */
export function podPath(schemas: Schemas): Path {
  return new Path(member('variables.pod'), { schemas, shape: structShape('core.v1.Pod') });
}
