import type { JsonObject } from '@kubeadmit/apimachinery';
import { formatPodFieldError, type PodFieldError } from '@kubeadmit/pod-security/unstable-internal';
import { podSpecPath } from '../autogen/kinds.ts';
import { objectField, objectsField, stringField } from '../fields/fields.ts';
import { type Exception, type Exclusion, readExclusion } from '../rule/exception.ts';
import { exceptionsFor } from '../rule/exceptions.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { Rule, RulePolicy } from '../rule/rule.ts';
import type { RuleOutcome } from '../trace/outcome.ts';
import type { RuleTracer } from '../trace/rule-trace.ts';
import { existingViolation, forgivesExisting, judgeOldObject } from '../validate/old-object.ts';
import { checkPod, minorVersionOf, type Standard } from './checks.ts';
import { applyExclusions } from './exclusions.ts';
import { readPod } from './pod.ts';

/** A rule with `validate.podSecurity`. */
export interface PodSecurityHandler {
  readonly kind: 'podSecurity';
  readonly source: JsonObject;
  readonly level: string;
  readonly version: string;
  readonly exclusions: readonly Exclusion[];
}

/** Reads a rule with `validate.podSecurity`. */
export function compilePodSecurity(source: JsonObject): PodSecurityHandler {
  const wanted = objectField(source, 'podSecurity') ?? {};
  return {
    kind: 'podSecurity',
    source,
    level: stringField(wanted, 'level'),
    version: stringField(wanted, 'version'),
    exclusions: objectsField(wanted, 'exclude').map(readExclusion),
  };
}

/** Applies a rule with `validate.podSecurity` to a request (Kyverno's handler `validate_pss`). */
export function validatePodSecurity(
  request: PolicyRequest,
  policy: RulePolicy,
  rule: Rule,
  handler: PodSecurityHandler,
): RuleOutcome | undefined {
  if (request.operation === 'DELETE') return undefined;
  const object = request.object ?? request.oldObject ?? {};
  const exceptions = exceptionsFor(request, policy.key, rule.name, object);
  const whole = exceptions.find((exception) => exception.podSecurity.length === 0);
  if (whole !== undefined) {
    const message = `rule is skipped due to policy exception ${whole.key}`;
    return { status: 'skip', message, exceptions: [whole.key] };
  }
  const outcome = judge(handler, rule.name, object, exceptions, request.context.trace);
  if (outcome.status !== 'fail' || !forgivesExisting(request, handler.source, policy.spec)) {
    return outcome;
  }
  if (request.operation !== 'UPDATE') return outcome;
  const before = judgeOldObject(request, rule, () =>
    validatePodSecurity(request, policy, rule, handler),
  );
  return before?.status === 'fail' ? existingViolation : outcome;
}

function judge(
  { level, version, exclusions }: PodSecurityHandler,
  rule: string,
  object: JsonObject,
  exceptions: readonly Exception[],
  trace: RuleTracer | undefined,
): RuleOutcome {
  const pod = readPod(object);
  if (typeof pod === 'string') {
    return { status: 'error', message: `Error while getting new resource: ${pod}` };
  }
  const minor = minorVersionOf(version);
  if (minor === undefined) {
    const message = 'failed to parse pod security api version: must be "latest" or "v1.x"';
    return { status: 'error', message };
  }
  const standard: Standard = { level, minor };
  const results = applyExclusions(pod, checkPod(pod, standard), exclusions, standard);
  if (results.length === 0) return { status: 'pass', message: `Validation rule '${rule}' passed.` };
  const excepted = exceptions.flatMap((exception) => exception.podSecurity);
  const left = applyExclusions(pod, results, excepted, standard);
  if (left.length === 0) {
    const keys = exceptions.map((exception) => exception.key);
    const message = `rule is skipped due to policy exceptions ${keys.join(', ')}`;
    return { status: 'skip', message, exceptions: keys };
  }
  const specPath = podSpecPath(stringField(object, 'kind')) ?? 'spec';
  const findings = left
    .map(({ reason, errors }) => {
      const violations = errors.map((error) => formatError(error, specPath));
      trace?.add({ kind: 'control', reason, violations });
      return `(Forbidden reason: ${reason}, field error list: [${violations.join(', ')}])`;
    })
    .join('');
  const message = `Validation rule '${rule}' failed. It violates PodSecurity "${level}:${version}": ${findings}`;
  return { status: 'fail', message };
}

/** Formats an error with the path of its field in the object, as far as Kyverno gets it right. */
function formatError({ field, kind, value }: PodFieldError, specPath: string): string {
  return formatPodFieldError({
    field: field.replaceAll('spec', specPath).replaceAll('metadata', 'spec.template.metadata'),
    kind,
    value,
  });
}
