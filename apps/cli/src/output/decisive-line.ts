import type { ExplainedPart, ExplainedStep, ExplainedTurn } from '@kubeadmit/chain/expressions';
import type { ExplainedRuleStep } from '@kubeadmit/check';

/** The values that were seen in an expression, or in a turn of a loop. */
export interface SeenValues {
  readonly steps: readonly ExplainedStep[];
  readonly parts?: readonly ExplainedPart[] | undefined;
}

/** Returns the line of the first value in the manifest that decided the result of an expression. */
export function decisiveLine({ steps, parts }: SeenValues): number | undefined {
  for (const step of decisiveSteps(steps, parts)) {
    const turn = step.turns?.find(isFailingTurn);
    const own = step.file === undefined ? step.line : undefined;
    const line = own ?? (turn && decisiveLine(turn));
    // The element that failed is the place, not the list around it.
    if (
      line !== undefined &&
      !steps.some((each) => each.turns?.some(isFailingTurn) && each !== step)
    ) {
      return line;
    }
  }
  return undefined;
}

/** Whether a turn of a loop is false or an error. */
export function isFailingTurn({ value }: ExplainedTurn): boolean {
  return value === 'false' || value.startsWith('error');
}

/** The steps of the parts that decided. */
function decisiveSteps(
  steps: readonly ExplainedStep[],
  parts: readonly ExplainedPart[] | undefined,
): readonly ExplainedStep[] {
  return steps.filter(
    ({ part }) => parts === undefined || part === undefined || parts[part]?.isDecisive === true,
  );
}

/** Returns the line of the first value in the manifest that a step of a Kyverno rule did not accept. */
export function decisiveRuleLine(steps: readonly ExplainedRuleStep[]): number | undefined {
  for (const step of steps) {
    const { kind, outcome, isDecisive, manifestLine, steps: inner = [] } = step;
    const isFailing = outcome === 'fail' || outcome === 'error';
    if (kind === 'pattern' && isFailing && manifestLine !== undefined) return manifestLine;
    const isBlamed = isFailing || isDecisive === true || step.name === 'deny';
    const line = isBlamed
      ? (decisiveRuleLine(inner) ?? manifestLine ?? readLine(inner))
      : undefined;
    if (line !== undefined) return line;
  }
  return undefined;
}

/** The line of the first variable that was read from the manifest. */
function readLine(steps: readonly ExplainedRuleStep[]): number | undefined {
  return steps.find(({ manifestLine }) => manifestLine !== undefined)?.manifestLine;
}
