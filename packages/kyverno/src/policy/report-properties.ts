import { objectField } from '../fields/fields.ts';
import { Failure } from '../jmespath/steps/failure.ts';
import type { PolicyRequest } from '../rule/request.ts';
import type { Rule } from '../rule/rule.ts';
import { substitute } from '../variables/substitute.ts';
import type { Handled } from './rule-gate.ts';

/**
 * Adds the `reportProperties` of a rule to its outcome. Properties whose variables cannot be resolved are left as they are,
 * as in Kyverno's `SubstitutePropertiesInRule`.
 */
export function withProperties(
  { context }: PolicyRequest,
  { source }: Rule,
  outcome: Handled | undefined,
): Handled | undefined {
  const properties = objectField(source, 'reportProperties');
  if (outcome === undefined || properties === undefined) return outcome;
  const resolved = substitute(context, properties);
  const shown = resolved instanceof Failure ? properties : (resolved as typeof properties);
  const texts = Object.entries(shown).map(([name, value]) => [name, String(value)]);
  return { ...outcome, properties: Object.fromEntries(texts) };
}
