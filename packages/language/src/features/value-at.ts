import { type Expression, printExpression } from '@kubeadmit/cel/syntax';
import { evaluationOf, valueText } from '@kubeadmit/chain/expressions';
import { nodesOf } from '../cel/find-node.ts';
import { celTokens, tokenAt } from '../cel/tokens.ts';
import type { ExpressionAt } from '../lookup/expression-at.ts';
import type { ServiceContext } from '../service/service-context.ts';
import { codeSpan, escapeMarkdown } from '../text/markdown.ts';
import { type Shown, shownIn } from '../values/example-values.ts';

/** Returns the value of the expression at a token for the examples of its policy. */
export async function valueAt(
  context: ServiceContext,
  found: ExpressionAt,
): Promise<string | undefined> {
  const { document, part, policy, view, scalar, at } = found;
  const shown = (await shownIn(context, document, part)).filter(
    ({ policy: name, expression }) => name === policy.object.name && expression.path === view.field,
  );
  if (shown.length === 0) return undefined;
  const written = nodeWritten(context, found, scalar.value, at);
  if (written === undefined) return undefined;
  const hasSeveral = new Set(shown.map(({ params }) => params)).size > 1;
  const lines = shown.flatMap((each) => {
    const value = valueOf(each, written);
    const place = each.about === undefined ? '' : `, ${each.about}`;
    const parameter = hasSeveral && each.params !== undefined ? ` with ${each.params}` : '';
    return value === undefined
      ? []
      : [`- ${escapeMarkdown(`${each.title}${place}${parameter}`)}: ${value}`];
  });
  return lines.length === 0 ? undefined : `Here:\n\n${[...new Set(lines)].slice(0, 8).join('\n')}`;
}

const longestValue = 200;
const mostTurns = 4;

/** Returns the value of a part of an expression; in a loop, the values of its rounds. */
function valueOf({ expression }: Shown, { node, isWhole }: Written): string | undefined {
  if (isWhole) {
    return expression.error === undefined
      ? codeSpan(expression.value ?? '')
      : codeSpan(`error: ${expression.error}`);
  }
  const evaluation = evaluationOf(expression);
  if (evaluation === undefined) {
    // Of an expression that was made of the written one the parts are found by their texts.
    const text = printed(node);
    const value = expression.steps.find((step) => step.expression === text)?.value;
    return value === undefined ? undefined : codeSpan(value);
  }
  const values = evaluation.values
    .filter((each) => each.expression.id === node.id)
    .map(({ value }) => codeSpan(valueText(value, longestValue)));
  if (values.length === 0) return undefined;
  const more = values.length > mostTurns ? ', …' : '';
  return `${values.slice(0, mostTurns).join(', then ')}${more}`;
}

function printed(node: Expression): string | undefined {
  try {
    return printExpression(node);
  } catch {
    // A part of a loop that no text stands for.
    return undefined;
  }
}

interface Written {
  readonly node: Expression;
  readonly isWhole: boolean;
}

/** The expression that is written at a place. */
function nodeWritten(
  context: ServiceContext,
  { policy }: ExpressionAt,
  value: string,
  at: number,
): Written | undefined {
  const [environment] = context.environments(policy);
  const checked = environment?.check(value);
  if (checked === undefined) return undefined;
  const tokens = celTokens(value);
  const token = tokenAt(tokens, at);
  if (token === undefined) return undefined;
  const before = tokens[tokens.indexOf(token) - 1];
  const after = tokens[tokens.indexOf(token) + 1];
  const places = new Set([
    token.start,
    ...(before?.text === '.' ? [before.start] : []),
    ...(before?.text === '?' ? [(tokens[tokens.indexOf(token) - 2] ?? token).start] : []),
    ...(after?.text === '(' ? [after.start] : []),
  ]);
  for (const { node } of nodesOf(checked.expression)) {
    const isNamed = node.kind !== 'select' || node.field === token.text;
    if (places.has(node.position) && isNamed) return { node, isWhole: node === checked.expression };
  }
  return undefined;
}
