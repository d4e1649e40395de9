import { estimateCost } from '@kubeadmit/cel/estimate';
import type { CheckedExpression } from '@kubeadmit/cel/unstable-internal';
import { compatibilityMinor } from '@kubeadmit/engine';
import { estimateKubernetesCall } from '@kubeadmit/engine/unstable-internal';
import type { DeclaredType } from '@kubeadmit/schemas/cel';
import { type CompiledRule, compileRule, ruleEnvironments } from '../rules/compile-rule.ts';
import { rulesOf } from '../rules/rule.ts';
import {
  childPath,
  type Finding,
  forbidden,
  internalError,
  invalid,
  invalidShown,
  keyPath,
} from '../schema/finding.ts';
import type { Schema } from '../schema/schema.ts';
import { ruleText } from './go-schema.ts';
import { type RuleContext, type TypeInfo, timesCapped } from './rule-context.ts';
import { costText } from './validate-total-cost.ts';

const ruleCostLimit = 10_000_000n;
const maxRequestSize = 3 * 1024 * 1024;

/** Compiles the rules of one schema of a new definition and estimates their cost. */
export function validateRules(
  schema: Schema,
  path: string,
  context: RuleContext,
  uncorrelated: string | undefined,
): Finding[] {
  const place = childPath(path, 'x-kubernetes-validations');
  const { info } = context;
  if (typeof info === 'string') {
    const detail = `internal error: failed to construct type information for x-kubernetes-validations rules: ${info}`;
    return [internalError(place, detail)];
  }
  if (info === undefined) {
    const detail =
      'internal error: failed to retrieve type information for x-kubernetes-validations';
    return [internalError(place, detail)];
  }
  if (info.declared === undefined) {
    return [internalError(place, 'failed to convert to declType for CEL validation rules')];
  }
  const environments = ruleEnvironments(info.declared, compatibilityMinor(context.minor));
  const findings: Finding[] = [];
  rulesOf(schema).forEach((rule, index) => {
    const at = (name: string): string => childPath(keyPath(place, index), name);
    const compiled = compileRule(info.structural.source, rule, environments);
    const cost = timesCapped(ruleCost(compiled, info), timesOf(context, info));
    if (cost > ruleCostLimit) {
      findings.push(forbidden(at('rule'), costText('estimated rule cost', cost, ruleCostLimit)));
    }
    context.total.add(at('rule'), cost);
    if (compiled.problem !== undefined) {
      findings.push(invalidShown(at('rule'), ruleText(rule), compiled.problem));
    }
    if (compiled.messageProblem !== undefined) {
      const detail = compiled.messageProblem;
      findings.push(invalidShown(at('messageExpression'), ruleText(rule), detail));
    } else if (compiled.message) {
      const messageCost = mostCost(compiled.message.checked, info.declared as never);
      if (messageCost > ruleCostLimit) {
        const detail = costText('estimated messageExpression cost', messageCost, ruleCostLimit);
        findings.push(forbidden(at('messageExpression'), detail));
      }
      context.total.add(at('messageExpression'), messageCost);
    }
    if (compiled.usesOldSelf) {
      if (uncorrelated === undefined) return;
      const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${uncorrelated}`;
      findings.push(invalid(at('rule'), rule.rule, detail));
    } else if (rule.optionalOldSelf !== undefined) {
      const detail = 'may not be set if oldSelf is not used in rule';
      findings.push(invalid(at('optionalOldSelf'), rule.optionalOldSelf, detail));
    }
  });
  return findings;
}

function ruleCost({ expression }: CompiledRule, { declared }: TypeInfo): bigint {
  return expression && declared ? mostCost(expression.checked, declared) : 0n;
}

/** How often a rule can run: by the limits around it, or as often as its values fit into a request. */
function timesOf({ cardinality }: RuleContext, { declared }: TypeInfo): bigint {
  return cardinality ?? BigInt(Math.floor(maxRequestSize / ((declared?.minSize ?? 0) + 1)));
}

/** The most that a rule can cost on values of a type, which definitions are limited by. */
function mostCost(checked: CheckedExpression, root: DeclaredType): bigint {
  return estimateCost(checked, { sizeOf: () => root, estimateCall: estimateKubernetesCall }).max;
}
