import type { JsonObject } from '@kubeadmit/apimachinery';
import {
  type Defaulters,
  type DefaultingContext,
  fill,
  fillEmpty,
  filling,
  isEmpty,
  items,
  pointer,
  struct,
} from './defaulting.ts';

/** Defaults of the groups apps, batch and autoscaling (kubernetes, `pkg/apis/<group>/<version>/defaults.go`). */
export const workloadDefaults: Defaulters = {
  'apps.v1.Deployment': deployment,
  'apps.v1.DaemonSet': daemonSet,
  'apps.v1.StatefulSet': statefulSet,
  'apps.v1.ReplicaSetSpec': filling({ replicas: 1 }),
  'batch.v1.Job': (job, { minor }) => {
    jobSpec(struct(job, 'spec'));
    if (minor < 34) patternsOf(job).forEach(pattern);
    const template = struct(struct(job, 'spec'), 'template');
    const labels = pointer(pointer(template, 'metadata'), 'labels');
    if (labels) fillEmpty(struct(job, 'metadata'), { labels });
  },
  'batch.v1.CronJob': (cronJob) => {
    const spec = struct(cronJob, 'spec');
    fillEmpty(spec, { concurrencyPolicy: 'Allow' });
    fill(spec, { suspend: false, successfulJobsHistoryLimit: 3, failedJobsHistoryLimit: 1 });
  },
  'batch.v1.PodFailurePolicyOnPodConditionsPattern': (object, { minor }) => {
    if (minor >= 34) pattern(object);
  },
  'autoscaling.v1.HorizontalPodAutoscalerSpec': filling({ minReplicas: 1 }),
  'autoscaling.v2.HorizontalPodAutoscalerSpec': autoscalerSpec,
};

function pattern(object: JsonObject): void {
  fillEmpty(object, { status: 'True' });
}

/** Servers before 1.34 look at these patterns in jobs only, not in cron jobs. */
function patternsOf(job: JsonObject): readonly JsonObject[] {
  const policy = pointer(pointer(job, 'spec'), 'podFailurePolicy');
  return items(policy, 'rules').flatMap((rule) => items(rule, 'onPodConditions'));
}

function deployment(object: JsonObject): void {
  const spec = struct(object, 'spec');
  fill(spec, { replicas: 1, revisionHistoryLimit: 10, progressDeadlineSeconds: 600 });
  rolling(struct(spec, 'strategy'), { maxUnavailable: '25%', maxSurge: '25%' });
}

function daemonSet(object: JsonObject): void {
  const spec = struct(object, 'spec');
  rolling(struct(spec, 'updateStrategy'), { maxUnavailable: 1, maxSurge: 0 });
  fill(spec, { revisionHistoryLimit: 10 });
}

function rolling(strategy: JsonObject, values: Readonly<JsonObject>): void {
  fillEmpty(strategy, { type: 'RollingUpdate' });
  if (strategy['type'] === 'RollingUpdate') fill(struct(strategy, 'rollingUpdate'), values);
}

function statefulSet(object: JsonObject, { minor }: DefaultingContext): void {
  const spec = struct(object, 'spec');
  fillEmpty(spec, { podManagementPolicy: 'OrderedReady' });
  const strategy = struct(spec, 'updateStrategy');
  if (isEmpty(strategy['type'])) {
    strategy['type'] = 'RollingUpdate';
    struct(strategy, 'rollingUpdate');
  }
  const update = pointer(strategy, 'rollingUpdate');
  if (strategy['type'] === 'RollingUpdate' && update) {
    fill(update, { partition: 0, ...(minor >= 37 ? { maxUnavailable: 1 } : {}) });
  }
  fillEmpty(struct(spec, 'persistentVolumeClaimRetentionPolicy'), {
    whenDeleted: 'Retain',
    whenScaled: 'Retain',
  });
  fill(spec, { replicas: 1, revisionHistoryLimit: 10 });
}

const maxInt32 = 2 ** 31 - 1;

function jobSpec(spec: JsonObject): void {
  if (spec['completions'] === undefined && spec['parallelism'] === undefined) {
    spec['completions'] = 1;
  }
  fill(spec, {
    parallelism: 1,
    backoffLimit: spec['backoffLimitPerIndex'] === undefined ? 6 : maxInt32,
    completionMode: 'NonIndexed',
    suspend: false,
    podReplacementPolicy: spec['podFailurePolicy'] === undefined ? 'TerminatingOrFailed' : 'Failed',
    manualSelector: false,
  });
}

const defaultMetrics = [
  {
    type: 'Resource',
    resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } },
  },
];

const scaleUp = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};

const scaleDown = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

function autoscalerSpec(spec: JsonObject): void {
  fill(spec, { minReplicas: 1 });
  fillEmpty(spec, { metrics: defaultMetrics });
  const behavior = pointer(spec, 'behavior');
  if (!behavior) return;
  fill(struct(behavior, 'scaleUp'), scaleUp);
  fill(struct(behavior, 'scaleDown'), scaleDown);
}
