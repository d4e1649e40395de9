import { type JsonObject, memberObject } from '@kubeadmit/apimachinery';
import { computeRules, isGenerated } from '../autogen/autogen.ts';
import {
  controllerTargets,
  generateMutating,
  generateValidating,
} from '../cel-policies/autogen.ts';
import { objectField, objectsField, saysSomething, stringField } from '../fields/fields.ts';
import { readRule, writeRule } from '../policy-validation/read-policy.ts';

/**
 * Returns the part of a policy's `status` that Kyverno computes from its spec: generated rules and specs, and the
 * numbers of rules (`pkg/controllers/webhook` and `pkg/controllers/policystatus`).
 */
export function specStatus(policy: JsonObject): JsonObject {
  const kind = stringField(policy, 'kind').replace(/^Namespaced/, '');
  const before = memberObject(policy, 'status');
  const generated = before['generated'] === true;
  switch (kind) {
    case 'ClusterPolicy':
    case 'Policy':
      return { ...notConverted, ...before, ...rulesStatus(policy) };
    case 'ValidatingPolicy':
    case 'MutatingPolicy':
      return { autogen: specsStatus(policy, kind), generated };
    case 'ImageValidatingPolicy':
      return { autogen: specsStatus(policy, kind) };
    default:
      return {};
  }
}

const notConverted: JsonObject = { validatingadmissionpolicy: { generated: false, message: '' } };

function rulesStatus(policy: JsonObject): JsonObject {
  const all = computeRules(policy, '');
  const rules = all.filter(isGenerated).map((rule) => writeRule(readRule(rule)));
  const written = all.filter((rule) => !isGenerated(rule));
  const count = (has: (rule: JsonObject) => boolean): number => written.filter(has).length;
  const hasPart = (name: string) => (rule: JsonObject) => saysSomething(objectField(rule, name));
  return {
    autogen: rules.length === 0 ? {} : { rules },
    rulecount: {
      validate: count(hasPart('validate')),
      generate: count(hasPart('generate')),
      mutate: count(hasPart('mutate')),
      verifyimages: count((rule) => objectsField(rule, 'verifyImages').length > 0),
    },
  };
}

function specsStatus(policy: JsonObject, kind: string): JsonObject {
  const spec = memberObject(policy, 'spec');
  const specs = kind === 'MutatingPolicy' ? generateMutating(spec) : generateValidating(spec);
  if (specs.length === 0) return {};
  const configs = specs.map((each) => [
    each.place,
    { targets: controllerTargets(spec, each.place), spec: each.spec },
  ]);
  return { configs: Object.fromEntries(configs) };
}
