import { lazily } from '@kubeadmit/base';
import { recentTester } from '@kubeadmit/go/unstable-internal';
import { literalRule } from '../check/rules.ts';
import type { TreeRule } from '../declarations/library.ts';
import { bind } from '../plan/call.ts';
import { conversions } from '../standard/conversions.ts';
import { CelError } from '../values/value.ts';

function conversionRule(name: string): TreeRule {
  const declaration = conversions.find((candidate) => candidate.name === name);
  if (declaration === undefined) throw new Error(`unknown conversion \`${name}\``);
  const call = lazily(() => bind(declaration, undefined));
  return literalRule(name, (value) => !(call().evaluate(value) instanceof CelError));
}

/** Reports invalid duration literals: `duration("x")`. */
export const durationRule: TreeRule = conversionRule('duration');

/** Reports invalid timestamp literals: `timestamp("x")`. */
export const timestampRule: TreeRule = conversionRule('timestamp');

/** Reports invalid regular expressions in `matches`. */
export const regexRule: TreeRule = literalRule(
  'matches',
  (value) => typeof value !== 'string' || !('error' in recentTester(value)),
);
